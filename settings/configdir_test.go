package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// moved is a world whose user has moved the directory of settings.
func moved(t *testing.T) *world {
	w := newWorld(t)
	w.ConfigDir = filepath.Join(w.root, "moved")
	w.write(filepath.Join(w.ConfigDir, "settings.json"), `{"permissions": {"deny": ["Bash(rm:*)"]}}`)
	return w
}

// All that is the user's moves with the directory: rules, what "/x" is about, commands and
// agents, and the vendor's marks. What is in the usual place does not count.
func TestConfigDir_Moves(t *testing.T) {
	w := moved(t)
	w.put(rule.UserSettings, `{"permissions": {"allow": ["Bash"]}}`)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(make)"]}}`)
	w.write(filepath.Join(w.ConfigDir, "commands", "mine.md"), "hello")
	w.write(filepath.Join(w.Home, ".claude", "commands", "other.md"), "hello")
	mark := `{"projects": {"` + w.Dir + `": {"hasTrustDialogAccepted": true}}}`
	w.write(filepath.Join(w.Home, ".claude.json"), mark)
	s := w.load()
	equal(t, "rules", rules(s), []string{"userSettings deny Bash(rm:*)"})
	if c := s.Config(); c.UserRoot != w.ConfigDir || s.TrustState().Status != Untrusted {
		t.Errorf("%q, %v", c.UserRoot, s.TrustState())
	}
	w.write(filepath.Join(w.ConfigDir, ".claude.json"), mark)
	if s = w.load(); s.TrustState().By != filepath.Join(w.ConfigDir, ".claude.json") {
		t.Errorf("%v", s.TrustState())
	}
	all, err := LoadCustom(w.Options, s)
	if err != nil || len(all.Commands) != 1 || all.Commands[0].Name != "mine" {
		t.Errorf("%v, %v", all, err)
	}
}

func TestConfigDir_IsWritten(t *testing.T) {
	w := moved(t)
	always := ruleUpdate(permission.AddRules, rule.Allow, "Bash(make)")
	always.Destination = rule.UserSettings
	w.persist(always)
	if text := w.read(filepath.Join(w.ConfigDir, "settings.json")); !strings.Contains(text, "Bash(make)") || !strings.Contains(text, "Bash(rm:*)") {
		t.Error(text)
	}
	if _, err := os.Stat(filepath.Join(w.Home, ".claude")); !os.IsNotExist(err) {
		t.Errorf("the usual place was written: %v", err)
	}
}

func TestConfigDir_IsWatched(t *testing.T) {
	w := moved(t)
	n := w.watch(w.load())
	w.write(filepath.Join(w.ConfigDir, "settings.json"), `{"permissions": {"deny": ["Bash(mv:*)"]}}`)
	n.until("the new rule", func(got watchNews) bool { return slices.Equal(rules(got.s), []string{"userSettings deny Bash(mv:*)"}) })
}

// The whole directory is protected, under each of its names, and so is the usual one.
func TestS36_ConfigDirIsProtected(t *testing.T) {
	w := moved(t)
	link := filepath.Join(w.root, "link")
	for from, to := range map[string]string{link: w.ConfigDir, filepath.Join(w.Home, ".claude"): filepath.Join(w.root, "usual")} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(w.root, "usual", "settings.json"), "{}")
	real := w.ConfigDir
	w.ConfigDir = link
	got := w.load().Protected()
	for _, want := range []string{link, real, filepath.Join(w.root, "usual", "settings.json")} {
		if !slices.ContainsFunc(got, func(p permission.Place) bool { return p.Path == want }) {
			t.Errorf("%s is missing in %v", want, got)
		}
	}
}

// What cannot be found is no empty file: the session does not start, and one that runs keeps
// what it has.
func TestConfigDir_ThatCannotBeUsed(t *testing.T) {
	for name, dir := range map[string]func(w *world) string{
		"relative":     func(*world) string { return "moved" },
		"a tilde":      func(*world) string { return "~/moved" },
		"missing":      func(w *world) string { return filepath.Join(w.root, "nowhere") },
		"no directory": func(w *world) string { return filepath.Join(w.ConfigDir, "settings.json") },
	} {
		t.Run(name, func(t *testing.T) {
			w := moved(t)
			before := w.load()
			w.ConfigDir = dir(w)
			if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), ConfigDirVariable) {
				t.Errorf("got %v", err)
			}
			s, news := Reload(w.Options, before)
			equal(t, "rules", rules(s), rules(before))
			equal(t, "news", kinds(news), []string{BrokenFile.String()})
		})
	}
	w := moved(t)
	w.ConfigDir, w.Sources = filepath.Join(w.root, "nowhere"), []rule.Source{rule.ProjectSettings}
	w.load() // nothing of it counts
}

// The project's file is the user's where the directory lies in the project, and no longer
// where the project is the home directory.
func TestConfigDir_AndTheProject(t *testing.T) {
	w := moved(t)
	w.ConfigDir = filepath.Join(w.Dir, ".claude")
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(make)"]}}`)
	equal(t, "in the project", rules(w.load()), []string{"userSettings allow Bash(make)"})

	w = moved(t)
	w.put(rule.UserSettings, `{"permissions": {"allow": ["Bash(make)"], "deny": ["Bash(ls)"]}}`)
	w.Dir = w.Home
	equal(t, "at home", rules(w.load()), []string{"projectSettings deny Bash(ls)", "userSettings deny Bash(rm:*)"})
}
