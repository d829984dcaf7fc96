package settings

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/rule"
)

func TestT18_WhoSaysWhereMessagesGo(t *testing.T) {
	named := func(name string) string {
		return "{\"assent\": {\n\"notifications\": [{\"name\": \"" + name + "\"} // where\n]}}"
	}
	for name, tt := range map[string]struct {
		files map[rule.Source]string
		flag  string
		want  []rule.Source
	}{
		"nobody says":          {},
		"the user says":        {files: map[rule.Source]string{rule.UserSettings: "user"}, want: []rule.Source{rule.UserSettings}},
		"a workspace says":     {files: map[rule.Source]string{rule.ProjectSettings: "project", rule.LocalSettings: "local"}},
		"the command line":     {flag: "flag"},
		"the administrator":    {files: map[rule.Source]string{rule.PolicySettings: "managed"}, want: []rule.Source{rule.PolicySettings}},
		"everybody says their": {files: map[rule.Source]string{rule.UserSettings: "user", rule.ProjectSettings: "project", rule.PolicySettings: "managed"}, flag: "flag", want: []rule.Source{rule.PolicySettings, rule.UserSettings}},
	} {
		w := newWorld(t)
		w.TrustWorkspace = true
		for source, text := range tt.files {
			w.put(source, named(text))
		}
		if tt.flag != "" {
			w.Flag = `{"assent": {"notifications": [{"name": "flag"}]}}`
		}
		var files, want []string
		for _, n := range w.load().Notifications() {
			if files = append(files, n.File); n.Line != 2 || n.JSON[0] != '[' || slices.Contains(n.JSON, '/') {
				t.Errorf("%s: line %d, %s", name, n.Line, n.JSON)
			}
		}
		for _, source := range tt.want {
			want = append(want, w.path(source))
		}
		if !slices.Equal(files, want) {
			t.Errorf("%s: %v, want %v", name, files, want)
		}
	}
}
