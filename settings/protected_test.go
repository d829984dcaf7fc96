package settings

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// What decides over later calls is protected under every name that links give it.
func TestS36_WhereSettingsReallyAre(t *testing.T) {
	for name, tt := range map[string]struct {
		links map[string]string // below the top, which holds home and project
		want  []string
	}{
		"no link": {nil, nil},
		"the user's directory is a link": {
			map[string]string{"home/.claude": "dotfiles"},
			[]string{"home/dotfiles/settings.json", "home/dotfiles/commands", "home/dotfiles/agents"},
		},
		"a link to a link": {
			map[string]string{"home/.claude": "mid", "home/mid": "dotfiles"},
			[]string{"home/mid/settings.json", "home/dotfiles/settings.json"},
		},
		"the file is a link":      {map[string]string{"home/.claude/settings.json": "../dotfiles/claude.json"}, []string{"home/dotfiles/claude.json"}},
		"the project's file":      {map[string]string{"project/.claude/settings.local.json": "../conf/local"}, []string{"project/conf/local"}},
		"the servers":             {map[string]string{"project/.mcp.json": "conf/servers"}, []string{"project/conf/servers"}},
		"the vendor's mark":       {map[string]string{"home/.claude.json": "dotfiles/mark"}, []string{"home/dotfiles/mark"}},
		"the state":               {map[string]string{"home/.assent": "dotfiles/state"}, []string{"home/dotfiles/state"}},
		"the list of trust":       {map[string]string{"home/.assent/trust.json": "../dotfiles/trust"}, []string{"home/dotfiles/trust"}},
		"the log":                 {map[string]string{"home/.assent/audit": "../dotfiles/log"}, []string{"home/dotfiles/log"}},
		"a link above":            {map[string]string{"home/up": "dotfiles", "home/.claude": "up/c"}, []string{"home/up/c/settings.json", "home/dotfiles/c/settings.json"}},
		"a link that leads up":    {map[string]string{"home/.claude": "dotfiles/../other"}, []string{"home/other/settings.json"}},
		"a link that goes around": {map[string]string{"home/.claude": ".claude"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{"home/dotfiles", "project"} {
				if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for link, to := range tt.links {
				if err := os.MkdirAll(filepath.Join(top, filepath.Dir(link)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
					t.Fatal(err)
				}
			}
			p, err := locate(Options{Dir: filepath.Join(top, "project"), Home: filepath.Join(top, "home"), ManagedFiles: []string{}})
			if err != nil {
				t.Fatal(err)
			}
			got := p.protected(p.read())
			for _, want := range tt.want {
				path := filepath.Join(top, want)
				if !slices.ContainsFunc(got, func(p permission.Place) bool { return p.Path == path && p.Why != "" }) {
					t.Errorf("%s is missing in %v", want, got)
				}
			}
			if tt.want == nil && len(got) > 0 {
				t.Errorf("%v", got)
			}
		})
	}
}

// A file that somebody names is protected where it is, and so is a state directory with
// a name of its own.
func TestS36_FilesOfOtherNames(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(top, "mine.json")
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(Options{Dir: top, Home: top, StateDir: filepath.Join(top, "kept"), ManagedFiles: []string{filepath.Join(top, "managed.json")}, Flag: file})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mine.json", "managed.json", "kept"} {
		if !slices.ContainsFunc(s.Protected(), func(p permission.Place) bool { return p.Path == filepath.Join(top, want) }) {
			t.Errorf("%s is missing in %v", want, s.Protected())
		}
	}
}
