package settings

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// watching is a running Watch and what it says.
type watching struct {
	*world
	news chan watchNews
}

type watchNews struct {
	s       *Settings
	reports []Report
}

func (w *world) watch(current *Settings) *watching {
	w.t.Helper()
	n := &watching{world: w, news: make(chan watchNews, 100)}
	before := goleak.IgnoreCurrent()
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Watch(ctx, w.Options, current, func(s *Settings, r []Report) { n.news <- watchNews{s, r} })
	}()
	w.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Errorf("watch ended with %v", err)
		}
		goleak.VerifyNone(w.t, before)
	})
	return n
}

// until waits for settings that satisfy ok. Several events may come on the way.
func (n *watching) until(what string, ok func(watchNews) bool) watchNews {
	n.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		select {
		case got := <-n.news:
			if ok(got) {
				return got
			}
		case <-deadline:
			n.t.Fatalf("nobody noticed: %s", what)
		}
	}
}

func (n *watching) untilRules(what string, want ...string) watchNews {
	n.t.Helper()
	return n.until(what, func(got watchNews) bool { return strings.Join(rules(got.s), "|") == strings.Join(want, "|") })
}

func denyFile(text string) string { return `{"permissions": {"deny": ["` + text + `"]}}` }

func TestWatchNoticesEveryKindOfChange(t *testing.T) {
	w := newWorld(t)
	n := w.watch(w.load())
	path := w.path(rule.ProjectSettings)

	// Neither the file nor its directory exist yet.
	w.put(rule.ProjectSettings, denyFile("Bash(a)"))
	n.untilRules("created", "projectSettings deny Bash(a)")

	w.put(rule.ProjectSettings, denyFile("Bash(b)"))
	n.untilRules("written", "projectSettings deny Bash(b)")

	// Editors write beside it and rename.
	w.write(path+"~", denyFile("Bash(c)"))
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
	n.untilRules("replaced", "projectSettings deny Bash(c)")

	w.put(rule.ProjectSettings, "{")
	got := n.until("broken", func(got watchNews) bool { return len(got.reports) > 0 })
	equal(t, "rules of a broken file", rules(got.s), []string{"projectSettings deny Bash(c)"})
	find(t, got.reports, BrokenFile)

	w.put(rule.ProjectSettings, denyFile("Bash(d)"))
	got = n.untilRules("mended", "projectSettings deny Bash(d)")
	find(t, got.reports, MendedFile)

	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	n.untilRules("removed")

	w.put(rule.LocalSettings, denyFile("Bash(e)"))
	n.untilRules("directory made again", "localSettings deny Bash(e)")

	w.put(rule.PolicySettings, denyFile("Bash(f)"))
	n.untilRules("managed", "localSettings deny Bash(e)", "policySettings deny Bash(f)")
}

func TestWatchNoticesWhatChangedBeforeItStarted(t *testing.T) {
	w := newWorld(t)
	current := w.load()
	w.put(rule.UserSettings, denyFile("Bash(a)"))
	w.watch(current).untilRules("changed before", "userSettings deny Bash(a)")
}

func TestWatchFollowsLinks(t *testing.T) {
	w := newWorld(t)
	real := filepath.Join(w.root, "dotfiles", "settings.json")
	w.write(real, denyFile("Bash(a)"))
	if err := os.MkdirAll(filepath.Join(w.Home, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, w.path(rule.UserSettings)); err != nil {
		t.Fatal(err)
	}
	n := w.watch(w.load())
	w.write(real, denyFile("Bash(b)"))
	n.untilRules("file behind a link", "userSettings deny Bash(b)")
}

func TestWatchNoticesThatALinkLeadsSomewhereAgain(t *testing.T) {
	w := newWorld(t)
	shared := filepath.Join(w.root, "shared")
	w.write(filepath.Join(shared, "settings.json"), denyFile("Bash(a)"))
	w.link(shared, filepath.Join(w.Dir, ".claude"))
	n := w.watch(w.load())
	if err := os.Rename(shared, filepath.Join(w.root, "moved")); err != nil {
		t.Fatal(err)
	}
	n.until("the link leads nowhere", func(got watchNews) bool {
		return slices.Contains(kinds(got.s.Reports), "broken file") && slices.Contains(rules(got.s), "projectSettings deny Bash(a)")
	})
	w.write(filepath.Join(shared, "settings.json"), denyFile("Bash(b)"))
	n.untilRules("mended", "projectSettings deny Bash(b)")
}

func TestWatchNoticesTrust(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	n := w.watch(w.load())
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	n.untilRules("trusted", "projectSettings allow Bash(a)")

	// What assent writes is never seen untrusted, not even for a moment.
	for _, text := range []string{"Bash(b)", "Bash(c)", "Bash(d)"} {
		u := ruleUpdate(permission.AddRules, rule.Allow, text)
		u.Destination = rule.ProjectSettings
		w.persist(u)
	}
	for done := false; !done; {
		got := n.until("own writes", func(watchNews) bool { return true })
		if got.s.TrustState().Status != Trusted {
			t.Fatalf("trust %+v", got.s.TrustState())
		}
		done = len(got.s.Config().Rules) == 4
	}

	if err := Untrust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	n.untilRules("untrusted")
}

// A checkout replaces whole directories, faster than anybody looks.
func TestWatchSurvivesADirectoryThatComesAndGoes(t *testing.T) {
	w := newWorld(t)
	n := w.watch(w.load())
	dir := filepath.Dir(w.path(rule.ProjectSettings))
	for round := range 5 {
		for i := range 20 {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			w.put(rule.ProjectSettings, denyFile(fmt.Sprintf("Bash(%d %d)", round, i)))
		}
		n.untilRules("the last of many", fmt.Sprintf("projectSettings deny Bash(%d 19)", round))
	}
	w.put(rule.ProjectSettings, denyFile("Bash(after)"))
	n.untilRules("a change after all that", "projectSettings deny Bash(after)")
}
