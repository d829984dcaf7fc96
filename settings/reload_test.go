package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func TestS35_FileThatBreaksKeepsItsLastGoodContent(t *testing.T) {
	w := newWorld(t)
	path := w.path(rule.ProjectSettings)
	w.put(rule.ProjectSettings, `{"permissions": {"deny": ["Bash(a)"], "disableBypassPermissionsMode": "disable"}}`)
	first := w.load()

	w.put(rule.ProjectSettings, "{\"permissions\":\n {\"deny\": [")
	broken, news := Reload(w.Options, first)
	equal(t, "rules", rules(broken), []string{"projectSettings deny Bash(a)"})
	if !broken.Config().DisableBypass {
		t.Error("a limit was lost")
	}
	equal(t, "news", kinds(news), []string{"broken file"})
	if r := news[0]; r.File != path || r.Line != 2 || r.Hint == "" {
		t.Errorf("report %v", r)
	}

	again, news := Reload(w.Options, broken)
	equal(t, "rules after another look", rules(again), []string{"projectSettings deny Bash(a)"})
	equal(t, "news after another look", kinds(news), nil)
	for _, f := range again.Files {
		if (f.Broken != nil) != (f.Path == path) {
			t.Errorf("%s broken: %v", f.Path, f.Broken)
		}
	}

	w.put(rule.ProjectSettings, `{"permissions": {"deny": ["Bash(b)"]}}`)
	mended, news := Reload(w.Options, again)
	equal(t, "rules when mended", rules(mended), []string{"projectSettings deny Bash(b)"})
	equal(t, "news when mended", kinds(news), []string{"mended file"})

	if _, news = Reload(w.Options, mended); len(news) > 0 {
		t.Errorf("mended twice: %v", news)
	}
}

func TestS35_RemovedFileSaysNothing(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	first := w.load()
	if err := os.Remove(w.path(rule.UserSettings)); err != nil {
		t.Fatal(err)
	}
	s, news := Reload(w.Options, first)
	equal(t, "rules", rules(s), nil)
	equal(t, "news", kinds(news), nil)
	if s.unchanged(first) {
		t.Error("the removal went unnoticed")
	}
}

func TestS35_NewBrokenFileIsReported(t *testing.T) {
	w := newWorld(t)
	first := w.load()
	w.put(rule.LocalSettings, `{`)
	s, news := Reload(w.Options, first)
	// Nothing could start with it, so nothing runs with it either.
	equal(t, "rules", rules(s), []string{"localSettings deny *"})
	equal(t, "news", kinds(news), []string{"broken file"})
	if !strings.Contains(news[0].Text, "every call is denied") {
		t.Errorf("report %v", news[0])
	}
	again, news := Reload(w.Options, s)
	equal(t, "rules after another look", rules(again), []string{"localSettings deny *"})
	equal(t, "news after another look", kinds(news), nil)
	w.put(rule.LocalSettings, `{"permissions": {"ask": ["Bash(a)"]}}`)
	mended, news := Reload(w.Options, again)
	equal(t, "rules when mended", rules(mended), []string{"localSettings ask Bash(a)"})
	equal(t, "news when mended", kinds(news), []string{"mended file"})
}

// What a file last said is remembered while it is gone. If it comes back broken, what
// it restricted holds again; what it granted does not.
func TestS35_LastGoodContentIsRememberedAcrossAGap(t *testing.T) {
	const good = `{"permissions": {"deny": ["Bash(d)"], "ask": ["Bash(q)"], "allow": ["Bash(a)"], "additionalDirectories": ["/"],
		"defaultMode": "acceptEdits", "disableBypassPermissionsMode": "disable"}}`
	limits := []string{"userSettings ask Bash(q)", "userSettings deny Bash(d)"}
	for _, c := range []struct{ name, first string }{{"good, gone, broken", good}, {"good, broken, gone, broken", "{"}} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			path := w.path(rule.UserSettings)
			w.put(rule.UserSettings, good)
			s := w.load()
			w.put(rule.UserSettings, c.first)
			s, _ = Reload(w.Options, s)
			equal(t, "rules in force", rules(s), append([]string{"userSettings allow Bash(a)"}, limits...))
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			s, news := Reload(w.Options, s)
			equal(t, "rules while it is gone", rules(s), nil)
			for _, r := range news {
				if r.Kind != MendedFile || !strings.Contains(r.Text, "gone") {
					t.Errorf("news while it is gone: %v", r)
				}
			}
			if len(news) != strings.Count(c.name, "broken")-1 {
				t.Errorf("news while it is gone: %v", news)
			}
			s, news = Reload(w.Options, s)
			equal(t, "news after another look", kinds(news), nil)
			w.put(rule.UserSettings, "{]")
			for range 2 {
				s, news = Reload(w.Options, s)
				equal(t, "rules when it is back", rules(s), limits)
				equal(t, "directories when it is back", dirs(s), nil)
				if got := s.Config(); got.Mode != permission.Default || !got.DisableBypass {
					t.Errorf("config %+v", got)
				}
				if len(news) > 1 || len(news) == 1 && !strings.Contains(news[0].Text, "what it forbade before it was gone is in force again") {
					t.Errorf("news when it is back: %v", news)
				}
			}
			w.put(rule.UserSettings, good)
			s, _ = Reload(w.Options, s)
			equal(t, "rules when mended", rules(s), append([]string{"userSettings allow Bash(a)"}, limits...))
		})
	}
}

func TestS35_BrokenGrantStaysTrusted(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	first := w.load()
	w.put(rule.ProjectSettings, `{`)
	s, _ := Reload(w.Options, first)
	equal(t, "rules", rules(s), []string{"projectSettings allow Bash(a)"})
	// What it grants when mended is something else: that needs new trust.
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash"]}}`)
	s, news := Reload(w.Options, s)
	equal(t, "rules", rules(s), nil)
	equal(t, "news", kinds(news), []string{"held back", "mended file", "trust changed"})
}

func TestS33_TrustGivenOrTakenWhileRunningCounts(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	first := w.load()
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	s, _ := Reload(w.Options, first)
	equal(t, "rules", rules(s), []string{"projectSettings allow Bash(a)"})
	if s.unchanged(first) {
		t.Error("trust went unnoticed")
	}
	if err := Untrust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	s, _ = Reload(w.Options, s)
	equal(t, "rules", rules(s), nil)
}

func TestReloadRepeatsNoReportThatOnlyMoved(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"allow": ["Bash(a)"], "deny": ["Bash(x"]}}`)
	first := w.load()
	w.put(rule.ProjectSettings, "\n\n"+`{"permissions": {"allow": ["Bash(a)", "Bash(b)"], "deny": ["Bash(x"]}}`)
	s, news := Reload(w.Options, first)
	if len(news) != 1 || !strings.Contains(news[0].Text, "Bash(b)") {
		t.Errorf("news %v", news)
	}
	if len(s.Reports) != 3 {
		t.Errorf("reports %v", s.Reports)
	}
}

func TestReloadOfAVanishedProjectChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.put(rule.ProjectSettings, `{"permissions": {"deny": ["Bash(a)"]}}`)
	first := w.load()
	if err := os.RemoveAll(w.Dir); err != nil {
		t.Fatal(err)
	}
	s, news := Reload(w.Options, first)
	equal(t, "rules", rules(s), []string{"projectSettings deny Bash(a)"})
	equal(t, "news", kinds(news), []string{"broken file"})
	if _, news = Reload(w.Options, s); len(news) > 0 {
		t.Errorf("reported again: %v", news)
	}
}

// However files break and mend: each one's rules in force are those of its last
// readable text, also when it was gone in between. Without one every call is denied.
func TestS35_LastGoodContentIsInForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "assent")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		o := Options{Dir: root, Home: filepath.Join(root, "home"), ManagedFiles: []string{}, Sources: []rule.Source{rule.ProjectSettings, rule.LocalSettings}}
		path := map[string]string{"project": root + "/.claude/settings.json", "local": root + "/.claude/settings.local.json"}
		if err := os.MkdirAll(root+"/.claude", 0o755); err != nil {
			t.Fatal(err)
		}
		s, err := Load(o)
		if err != nil {
			t.Fatal(err)
		}
		want, known := map[string]string{}, map[string]string{"project": "*", "local": "*"}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			which := rapid.SampledFrom([]string{"project", "local"}).Draw(t, "file")
			name := rapid.SampledFrom([]string{"a", "b", "broken", "gone"}).Draw(t, "content")
			text := `{"permissions": {"deny": ["Bash(` + name + `)"]}}`
			switch name {
			case "gone":
				_ = os.Remove(path[which])
				delete(want, which)
				text = ""
			case "broken":
				text = text[:rapid.IntRange(0, len(text)-1).Draw(t, "cut")]
				want[which] = known[which]
			default:
				want[which], known[which] = "Bash("+name+")", "Bash("+name+")"
			}
			if name != "gone" {
				if err := os.WriteFile(path[which], []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s, _ = Reload(o, s)
			got := map[string]string{}
			for _, r := range s.Config().Rules {
				got[strings.TrimSuffix(r.Origin.Source.String(), "Settings")] = r.Text
			}
			if len(got) != len(want) || got["project"] != want["project"] || got["local"] != want["local"] {
				t.Fatalf("in force %v, want %v", got, want)
			}
		}
	})
}

func TestReloadKeepsTheModeOfABrokenFile(t *testing.T) {
	w := newWorld(t)
	w.put(rule.UserSettings, modeFile("plan"))
	first := w.load()
	w.put(rule.UserSettings, "{")
	if s, _ := Reload(w.Options, first); s.Config().Mode != permission.Plan {
		t.Errorf("mode %v", s.Config().Mode)
	}
}
