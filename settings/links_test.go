package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func (w *world) link(to, at string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) mkdir(path string) string {
	w.t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func TestS35_LinkToNowhereOnTheWayStopsTheStart(t *testing.T) {
	gone := func(w *world) string { return filepath.Join(w.root, "gone") }
	for name, prepare := range map[string]func(w *world) (link string, file rule.Source){
		"the project's .claude": func(w *world) (string, rule.Source) {
			w.link(gone(w), w.Dir+"/.claude")
			return w.Dir + "/.claude", rule.LocalSettings
		},
		"the user's .claude": func(w *world) (string, rule.Source) {
			w.link("gone", w.Home+"/.claude")
			return w.Home + "/.claude", rule.UserSettings
		},
		"the administrator's directory": func(w *world) (string, rule.Source) {
			w.link(gone(w), w.root+"/etc")
			return w.root + "/etc", rule.PolicySettings
		},
		"further up": func(w *world) (string, rule.Source) {
			w.link(gone(w), w.root+"/conf")
			w.ManagedFiles = []string{w.root + "/conf/a/b/managed.json"}
			return w.root + "/conf", rule.PolicySettings
		},
		"behind another link": func(w *world) (string, rule.Source) {
			w.link(gone(w), w.root+"/second")
			w.link(w.root+"/second", w.Dir+"/.claude")
			return w.Dir + "/.claude", rule.LocalSettings
		},
		"below a file": func(w *world) (string, rule.Source) {
			w.write(w.root+"/file", "x")
			w.link(w.root+"/file/sub", w.Dir+"/.claude")
			return w.Dir + "/.claude", rule.LocalSettings
		},
		"the file itself": func(w *world) (string, rule.Source) {
			w.link(gone(w), w.path(rule.ProjectSettings))
			return w.path(rule.ProjectSettings), rule.ProjectSettings
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			link, file := prepare(w)
			_, err := Load(w.Options)
			broken, ok := errors.AsType[*BrokenError](err)
			if !ok || broken.File != w.path(file) {
				t.Fatalf("got %v, want %s to be broken", err, w.path(file))
			}
			if !strings.Contains(broken.Problem, link+" is a link") || !strings.Contains(broken.Hint, "remove the link") {
				t.Errorf("it does not say which link: %v", broken)
			}
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the cause is lost: %v", err)
			}
		})
	}
}

func TestLinksThatLeadSomewhereHideNothing(t *testing.T) {
	w := newWorld(t)
	w.link(w.mkdir(w.root+"/empty"), w.Dir+"/.claude")
	if _, err := Load(w.Options); err != nil {
		t.Errorf("an empty directory behind a link: %v", err)
	}
	w.write(w.root+"/empty/settings.json", denyFile("Bash(x)"))
	equal(t, "rules", rules(w.load()), []string{"projectSettings deny Bash(x)"})
}

func TestS35_LinkThatBreaksWhileRunningKeepsTheRules(t *testing.T) {
	w := newWorld(t)
	shared := w.root + "/shared"
	w.write(shared+"/settings.json", denyFile("Bash(x)"))
	w.link(shared, w.Dir+"/.claude")
	s := w.load()
	if err := os.Rename(shared, w.root+"/moved"); err != nil {
		t.Fatal(err)
	}
	next, reports := Reload(w.Options, s)
	equal(t, "rules", rules(next), rules(s))
	find(t, reports, BrokenFile)
}

func TestS33_NothingIsWrittenThroughALinkToNowhere(t *testing.T) {
	w := newWorld(t)
	w.link(w.root+"/gone", w.Dir+"/.claude")
	writer := NewWriter(w.Options)
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
	u.Destination = rule.LocalSettings
	if err := writer.Queue(u); err != nil {
		t.Fatal(err)
	}
	err := writer.Close(t.Context())
	if _, ok := errors.AsType[*BrokenError](err); !ok || !strings.Contains(err.Error(), "remove the link") {
		t.Errorf("close says %v", err)
	}
	if _, err := os.Stat(w.root + "/gone"); err == nil {
		t.Error("the target was made")
	}
}

func TestFollowAgreesWithTheKernel(t *testing.T) {
	w := newWorld(t)
	w.mkdir(w.root + "/a/b/c")
	w.link("a/b", w.root+"/rel")
	w.link(w.root+"/rel/../b/c", w.root+"/abs") // ".." is a's, not the root's
	w.link("../../../abs", w.root+"/a/b/c/up")
	for _, path := range []string{"/", "/a", "/rel", "/rel/c", "/abs", "/a/b/c/up", "/rel/c/up"} {
		path = filepath.Join(w.root, path)
		want, err := filepath.EvalSymlinks(path)
		if err != nil {
			t.Fatal(err)
		}
		if end, _ := follow(path); end != want {
			t.Errorf("%s ends at %s, want %s", path, end, want)
		}
	}
	if end, links := follow(w.root + "/abs/later"); end != w.root+"/a/b/c/later" || !slices.Equal(links, []string{w.root + "/abs", w.root + "/rel"}) {
		t.Errorf("ends at %s by %v", end, links)
	}
	w.link("circle", w.root+"/circle")
	if end, _ := follow(w.root + "/circle/x"); end != w.root+"/circle/x" {
		t.Errorf("a circle ends at %s", end)
	}
}
