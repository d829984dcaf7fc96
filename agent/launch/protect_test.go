package launch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
)

// The usual place is protected by its name, and by each other name that links give it or
// a part of it.
func TestS36_TheStateIsProtectedUnderAllItsNames(t *testing.T) {
	for name, tt := range map[string]struct {
		links  map[string]string // below the home
		target string
	}{
		"the state is a link":          {map[string]string{".assent": "elsewhere/state"}, "elsewhere/state/audit/head.json"},
		"a link to a link":             {map[string]string{".assent": "mid", "mid": "elsewhere/state"}, "elsewhere/state/audit/head.json"},
		"the link in the middle":       {map[string]string{".assent": "mid", "mid": "elsewhere/state"}, "mid/audit/head.json"},
		"the log is a link":            {map[string]string{".assent/audit": "../elsewhere/log"}, "elsewhere/log/head.json"},
		"the sessions are a link":      {map[string]string{".assent/sessions": "../elsewhere/kept"}, "elsewhere/kept/x"},
		"a link above":                 {map[string]string{"up": "elsewhere", ".assent": "up/state"}, "elsewhere/state/audit/head.json"},
		"the link's own name is state": {map[string]string{".assent": "elsewhere/state"}, "elsewhere/state"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			home := o.Settings.Home
			for _, dir := range []string{"elsewhere/state", "elsewhere/log", "elsewhere/kept"} {
				if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for link, to := range tt.links {
				if err := os.MkdirAll(filepath.Join(home, filepath.Dir(link)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
					t.Fatal(err)
				}
			}
			o.Settings.Mode, o.Settings.AllowBypass = permission.BypassPermissions, true
			target := filepath.Join(home, tt.target)
			o.Model = "script:" + writeFile(t, "script.yaml", `turns:
  - calls:
      - Write: {file_path: "`+target+`", content: x}
      - Bash: {command: "echo x > '`+target+`'"}
      - Write: {file_path: "`+filepath.Join(home, "elsewhere", "other.txt")+`", content: x}
  - say: done
`)
			s := mustOpen(t, o)
			defer mustClose(t, s)
			result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go"))
			if len(result.Denials) != 2 {
				t.Errorf("%+v", result.Denials)
			}
		})
	}
}

// An agent does not grant itself anything by rewriting settings behind a link, in
// whichever mode, and nothing that is said in an answer lifts that.
func TestS36_SettingsBehindALinkAreProtected(t *testing.T) {
	o := options(t)
	home := o.Settings.Home
	if err := os.MkdirAll(filepath.Join(home, "dotfiles", "commands"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("dotfiles", filepath.Join(home, ".claude")); err != nil {
		t.Fatal(err)
	}
	o.Settings.Dir, o.Settings.Mode = filepath.Join(home, "dotfiles"), permission.AcceptEdits
	o.Model = "script:" + writeFile(t, "script.yaml", `turns:
  - calls:
      - Write: {file_path: settings.json, content: '{"permissions":{"allow":["Bash"]}}'}
      - Write: {file_path: commands/x.md, content: x}
      - Write: {file_path: other.txt, content: x}
  - say: done
`)
	s := mustOpen(t, o)
	defer mustClose(t, s)
	result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go"))
	if len(result.Denials) != 2 {
		t.Errorf("%+v", result.Denials)
	}
	for name, want := range map[string]bool{"settings.json": false, "commands/x.md": false, "other.txt": true} {
		if _, err := os.Stat(filepath.Join(home, "dotfiles", name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
