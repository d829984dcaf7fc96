package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// chooses writes a choice of classifier into the settings of a directory.
func chooses(t *testing.T, dir, choice string) {
	t.Helper()
	dir = filepath.Join(dir, ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(`{"assent": {"classifier": `+choice+`}}`), 0o600); err != nil {
		t.Fatal(err)
	}
}

func choose(t *testing.T, o Options, mode permission.Mode) (classify.Classifier, error) {
	t.Helper()
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	loaded, err := settings.Load(o.Settings)
	if err != nil {
		t.Fatal(err)
	}
	c := classifier(o, loaded, variables{process: o.Env})
	return c, inTime(c, mode)
}

// TestP9_WhoChoosesTheClassifier: the administrator, the command line, settings, in this
// order; nobody means the built-in one.
func TestP9_WhoChoosesTheClassifier(t *testing.T) {
	o := options(t)
	o.Settings.ManagedFiles = []string{filepath.Join(o.Settings.Home, "managed.json")}
	expect := func(when, want string) {
		t.Helper()
		c, err := choose(t, o, permission.Auto)
		if err != nil || c.Name() != want {
			t.Errorf("%s: %v, %v, want %s", when, c, err, want)
		}
	}
	const builtin = "built-in classifier"
	expect("nobody chooses", builtin)
	chooses(t, o.Settings.Dir, `{"model": "`+o.Model+`"}`)
	expect("a workspace that nobody trusts", builtin)
	o.Settings.TrustWorkspace = true
	expect("a trusted workspace", "classifier "+o.Model)
	o.Classifier = "builtin"
	expect("the command line", builtin)
	if err := os.WriteFile(o.Settings.ManagedFiles[0], []byte(`{"assent": {"classifier": {"model": "`+o.Model+`"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var told []string
	o.Warn = func(text string) { told = append(told, text) }
	expect("the administrator", "classifier "+o.Model)
	if len(told) != 1 || !strings.Contains(told[0], "--classifier builtin is refused") || !strings.Contains(told[0], "managed.json:1") {
		t.Errorf("told %q", told)
	}
}

// TestP9_AClassifierWithoutAKey: a session in auto mode does not start, and one sentence
// says what to do. Any other starts; once in auto mode it gets no answer.
func TestP9_AClassifierWithoutAKey(t *testing.T) {
	o := options(t)
	o.Classifier = "haiku"
	o.Settings.Mode = permission.Auto
	_, err := Open(o)
	if err == nil || !strings.Contains(err.Error(), "the classifier haiku (--classifier) cannot be asked: ") || !strings.Contains(err.Error(), "ANTHROPIC_API_KEY") ||
		!strings.Contains(err.Error(), "--classifier builtin") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	o.Settings.Mode = permission.Default
	mustClose(t, mustOpen(t, o))
	late, err := choose(t, o, permission.Default)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := late.Classify(t.Context(), classify.Question{}); err == nil || v.Outcome != classify.NoOpinion {
		t.Errorf("%v, %v", v, err)
	}
}
