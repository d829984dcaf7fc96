package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// The user's own file is no file of a workspace, whatever way leads there, and it need not exist.
func TestS33_AFileOfTheWorkspaceThatIsTheUsers(t *testing.T) {
	for name, prepare := range map[string]func(w *world) rule.Source{
		"at home": func(w *world) rule.Source { w.Dir = w.Home; return rule.ProjectSettings },
		"by a link": func(w *world) rule.Source {
			w.link(w.Home, w.root+"/at")
			w.Dir = w.root + "/at"
			return rule.ProjectSettings
		},
		"the directory": func(w *world) rule.Source {
			w.link(w.mkdir(w.Home+"/.claude"), w.Dir+"/.claude")
			return rule.ProjectSettings
		},
		"a file": func(w *world) rule.Source {
			w.put(rule.UserSettings, "{}")
			w.link(w.path(rule.UserSettings), w.path(rule.LocalSettings))
			return rule.LocalSettings
		},
		"the user's is the link": func(w *world) rule.Source {
			w.put(rule.ProjectSettings, "{}")
			w.link(w.path(rule.ProjectSettings), w.path(rule.UserSettings))
			return rule.ProjectSettings
		},
		"moved": func(w *world) rule.Source {
			w.ConfigDir = w.mkdir(w.Dir + "/.claude")
			return rule.ProjectSettings
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			source := prepare(w)
			found, err := w.Place(source)
			user, userErr := w.Place(rule.UserSettings)
			if err != nil || userErr != nil || found.Source != rule.UserSettings || found != user {
				t.Fatalf("%+v (%v), the user's is %+v (%v)", found, err, user, userErr)
			}
			before, _ := os.ReadFile(found.File)
			writer := NewWriter(w.Options)
			u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
			u.Destination = source
			if err := writer.Queue(u); err != nil {
				t.Fatal(err)
			}
			if err := writer.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "count everywhere") {
				t.Errorf("close says %v", err)
			}
			if after, _ := os.ReadFile(found.File); string(after) != string(before) {
				t.Errorf("it was written: %s", after)
			}
		})
	}
}

// What is no file yet is one with its own name only.
func TestPlacesThatAreTheirOwn(t *testing.T) {
	w := newWorld(t)
	for source, want := range map[rule.Source]string{rule.LocalSettings: w.path(rule.LocalSettings), rule.ProjectSettings: w.path(rule.ProjectSettings), rule.UserSettings: w.path(rule.UserSettings), rule.Session: ""} {
		if found, err := w.Place(source); err != nil || found != (Place{want, source}) {
			t.Errorf("%v: %+v, %v", source, found, err)
		}
	}
	other := filepath.Join(w.Dir, "other.json")
	w.write(other, "{}")
	w.link(other, w.path(rule.ProjectSettings))
	if found, err := w.Place(rule.ProjectSettings); err != nil || found != (Place{other, rule.ProjectSettings}) {
		t.Errorf("%+v, %v", found, err)
	}
}
