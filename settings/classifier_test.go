package settings

import (
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

func chooses(model string) string { return `{"assent": {"classifier": {"model": "` + model + `"}}}` }

// TestP9_ClassifierOfSettings: the administrator's choice comes first, then that of the
// nearest file.
func TestP9_ClassifierOfSettings(t *testing.T) {
	w := newWorld(t)
	w.trusted()
	for _, step := range []struct {
		source rule.Source
		text   string
		want   string
	}{
		{rule.UserSettings, `{}`, ""},
		{rule.UserSettings, chooses("haiku"), "haiku"},
		{rule.ProjectSettings, chooses("openai:llama3:8b"), "openai:llama3:8b"},
		{rule.LocalSettings, `{"assent": {"classifier": "builtin"}}`, BuiltinClassifier},
		{rule.PolicySettings, chooses("opus"), "opus"},
	} {
		w.put(step.source, step.text)
		got := w.load().Classifier()
		if got.Name != step.want {
			t.Errorf("with the %v: %q, want %q", step.source, got.Name, step.want)
		}
		if got.Name != "" && (got.File.Path != w.path(step.source) || got.Line != 1) {
			t.Errorf("%q is said to stand in %s:%d", got.Name, got.File.Path, got.Line)
		}
	}
}

// TestS33_AWorkspaceChoosesNoClassifier: who judges is not the workspace's to say, and
// it is told so once.
func TestS33_AWorkspaceChoosesNoClassifier(t *testing.T) {
	for _, source := range []rule.Source{rule.ProjectSettings, rule.LocalSettings} {
		w := newWorld(t)
		w.put(rule.UserSettings, `{"assent": {"classifier": "builtin"}}`)
		w.put(source, chooses("script:yes.yaml"))
		s := w.load()
		if got := s.Classifier(); got.Name != BuiltinClassifier {
			t.Errorf("%v: %q judges", source, got.Name)
		}
		held := find(t, s.Reports, HeldBackGrant)
		if !strings.Contains(held.Text, `assent key "classifier"`) || !strings.Contains(held.Hint, "assent trust") {
			t.Errorf("%v: %+v", source, held)
		}
	}
}

// TestS35_BrokenClassifier: a choice that cannot be read stops the start.
func TestS35_BrokenClassifier(t *testing.T) {
	for _, value := range []string{`"haiku"`, `""`, `true`, `null`, `[]`, `{}`, `{"model": ""}`, `{"model": 1}`, `{"Model": "x"}`, `{"model": "x", "timeout": 3}`, `"Builtin"`} {
		w := newWorld(t)
		w.put(rule.UserSettings, `{"assent": {"classifier": `+value+`}}`)
		_, err := Load(w.Options)
		if broken, ok := errors.AsType[*BrokenError](err); !ok || broken.Line != 1 {
			t.Errorf("%s: %v", value, err)
		}
	}
}
