package settings

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// persist queues updates and waits for them.
func (w *world) persist(updates ...permission.Update) {
	w.t.Helper()
	writer := NewWriter(w.Options)
	for _, u := range updates {
		if err := writer.Queue(u); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := writer.Close(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

var fileDestinations = []rule.Source{rule.LocalSettings, rule.ProjectSettings, rule.UserSettings}

func TestP18_EveryUpdateInEveryFile(t *testing.T) {
	start := `{
  // kept
  "permissions": {
    "allow": ["Bash(a)", "Bash(b)"], // these too
    "deny": ["Bash(d)"],
    "additionalDirectories": ["/one", "/two"],
  },
  "other": {"x": 1},
}
`
	for _, dest := range fileDestinations {
		for _, c := range []struct {
			u    permission.Update
			want string // what replaces "from" in start
			from string
		}{
			{ruleUpdate(permission.AddRules, rule.Allow, "Bash(c)"), `["Bash(a)", "Bash(b)", "Bash(c)"]`, `["Bash(a)", "Bash(b)"]`},
			{ruleUpdate(permission.AddRules, rule.Deny, "Bash(e)"), `["Bash(d)", "Bash(e)"]`, `["Bash(d)"]`},
			{ruleUpdate(permission.ReplaceRules, rule.Allow, "Bash(z)"), `["Bash(z)"]`, `["Bash(a)", "Bash(b)"]`},
			{ruleUpdate(permission.RemoveRules, rule.Allow, "Bash(b)"), `["Bash(a)"]`, `["Bash(a)", "Bash(b)"]`},
			{permission.Update{Type: permission.SetMode, Mode: permission.Plan}, "\"/two\"],\n    \"defaultMode\": \"plan\"\n", "\"/two\"],\n"},
			{dirUpdate(permission.AddDirectories, "/three"), `["/one", "/two", "/three"]`, `["/one", "/two"]`},
			{dirUpdate(permission.RemoveDirectories, "/one/"), `["/two"]`, `["/one", "/two"]`},
		} {
			t.Run(dest.String()+" "+string(c.u.Type), func(t *testing.T) {
				w := newWorld(t)
				w.put(dest, start)
				c.u.Destination = dest
				w.persist(c.u)
				if got, want := w.read(w.path(dest)), strings.Replace(start, c.from, c.want, 1); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				for _, other := range fileDestinations {
					if _, err := os.Stat(w.path(other)); other != dest && err == nil {
						t.Errorf("%v was written as well", other)
					}
				}
			})
		}
	}
}

func TestP13_SessionAndCommandLineNeverReachAFile(t *testing.T) {
	w := newWorld(t)
	for _, s := range rule.Sources {
		if !persists(s) {
			u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
			u.Destination = s
			w.persist(u)
		}
	}
	if entries, err := os.ReadDir(w.Dir); err != nil || len(entries) > 0 {
		t.Errorf("files appeared: %v %v", entries, err)
	}
}

func TestP13_NewFilesArePrivateWhereTheyArePersonal(t *testing.T) {
	w := newWorld(t)
	for dest, want := range map[rule.Source]os.FileMode{rule.LocalSettings: 0o600, rule.UserSettings: 0o600, rule.ProjectSettings: 0o644} {
		u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
		u.Destination = dest
		w.persist(u)
		info, err := os.Stat(w.path(dest))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%v: %v %v", dest, info, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(w.Dir, ".claude")); err != nil || len(entries) != 2 {
		t.Errorf("stray files in the project: %v %v", entries, err)
	}
}

func TestP13_ExistingFileKeepsItsModeAndItsLink(t *testing.T) {
	w := newWorld(t)
	real := filepath.Join(w.Dir, "config", "claude.json")
	w.write(real, "{}")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	path := w.path(rule.LocalSettings)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../config/claude.json", path); err != nil {
		t.Fatal(err)
	}
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
	u.Destination = rule.LocalSettings
	w.persist(u)
	if !strings.Contains(w.read(real), "Bash(a)") {
		t.Error("the file behind the link was not written")
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", info, err)
	}
}

// A workspace could ship links so that what somebody allows in it counts
// elsewhere.
func TestS33_LinksOfAWorkspaceDoNotSteerWrites(t *testing.T) {
	link := func(w *world, to string) {
		path := w.path(rule.LocalSettings)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			w.t.Fatal(err)
		}
	}
	for name, prepare := range map[string]func(w *world) string{
		"user settings": func(w *world) string {
			w.put(rule.UserSettings, "{}")
			link(w, w.path(rule.UserSettings))
			return w.path(rule.UserSettings)
		},
		"user settings, trusted": func(w *world) string {
			w.put(rule.UserSettings, "{}")
			link(w, w.path(rule.UserSettings))
			w.TrustWorkspace = true
			return w.path(rule.UserSettings)
		},
		"user settings through the directory": func(w *world) string {
			w.write(filepath.Join(w.Home, ".claude", "settings.local.json"), "{}")
			if err := os.Symlink(filepath.Join(w.Home, ".claude"), filepath.Join(w.Dir, ".claude")); err != nil {
				w.t.Fatal(err)
			}
			return filepath.Join(w.Home, ".claude", "settings.local.json")
		},
		"managed settings": func(w *world) string {
			w.put(rule.PolicySettings, "{}")
			link(w, w.path(rule.PolicySettings))
			return w.path(rule.PolicySettings)
		},
		"elsewhere": func(w *world) string {
			other := filepath.Join(w.root, "other.json")
			w.write(other, "{}")
			link(w, other)
			return other
		},
		"nowhere": func(w *world) string {
			link(w, filepath.Join(w.root, "gone.json"))
			return filepath.Join(w.root, "gone.json")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			victim := prepare(w)
			writer := NewWriter(w.Options)
			u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
			u.Destination = rule.LocalSettings
			if err := writer.Queue(u); err != nil {
				t.Fatal(err)
			}
			if err := writer.Close(t.Context()); err == nil {
				t.Error("written")
			}
			if data, err := os.ReadFile(victim); err == nil && string(data) != "{}" {
				t.Errorf("%s says %s", victim, data)
			}
		})
	}
}

func TestP13_TrustedLinkOutOfTheWorkspaceIsFollowed(t *testing.T) {
	w := newWorld(t).trusted()
	shared := filepath.Join(w.root, "shared.json")
	w.write(shared, "{}")
	path := w.path(rule.LocalSettings)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, path); err != nil {
		t.Fatal(err)
	}
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
	u.Destination = rule.LocalSettings
	w.persist(u)
	if !strings.Contains(w.read(shared), "Bash(a)") {
		t.Error("not written")
	}
}

func TestP13_BrokenFileKeepsUpdatesPending(t *testing.T) {
	w := newWorld(t)
	w.put(rule.LocalSettings, `{"permissions": `)
	writer := NewWriter(w.Options)
	told := make(chan error, 10)
	writer.OnFailure(func(err error) { told <- err })
	for _, text := range []string{"Bash(a)", "Bash(b)"} {
		u := ruleUpdate(permission.AddRules, rule.Allow, text)
		u.Destination = rule.LocalSettings
		if err := writer.Queue(u); err != nil {
			t.Fatal(err)
		}
	}
	other := ruleUpdate(permission.AddRules, rule.Deny, "Bash(c)")
	other.Destination = rule.ProjectSettings
	if err := writer.Queue(other); err != nil {
		t.Fatal(err)
	}
	err := writer.Flush(t.Context())
	if _, ok := errors.AsType[*BrokenError](err); !ok {
		t.Fatalf("flush says %v", err)
	}
	<-told
	if got := writer.Pending(); len(got) != 2 {
		t.Errorf("pending %v", got)
	}
	if got := w.read(w.path(rule.LocalSettings)); got != `{"permissions": ` {
		t.Errorf("the broken file was overwritten: %s", got)
	}
	if !strings.Contains(w.read(w.path(rule.ProjectSettings)), "Bash(c)") {
		t.Error("another file had to wait")
	}
	w.put(rule.LocalSettings, `{"permissions": {}}`)
	if err := writer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := w.read(w.path(rule.LocalSettings))
	if a, b := strings.Index(got, "Bash(a)"), strings.Index(got, "Bash(b)"); a < 0 || b < a {
		t.Errorf("lost or out of order: %s", got)
	}
	if len(writer.Pending()) > 0 {
		t.Errorf("pending %v", writer.Pending())
	}
}

func TestP13_AnEditorIsNotOverwritten(t *testing.T) {
	w := newWorld(t)
	w.put(rule.LocalSettings, `{"permissions": {"allow": ["Bash(a)"]}}`)
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	p, err := locate(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	path := w.path(rule.LocalSettings)
	read := []byte(w.read(path))
	edited := `{"permissions": {"deny": ["Bash(edited)"]}}`
	w.write(path, edited)
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(b)")
	done, err := p.commitOver(read, rule.LocalSettings, path, path, []permission.Update{u})
	if done || err != nil {
		t.Errorf("done %v, %v", done, err)
	}
	if got := w.read(path); got != edited {
		t.Errorf("the editor's text is gone: %s", got)
	}
	if store := w.read(filepath.Join(w.StateDir, "trust.json")); strings.Contains(store, "Bash(b)") {
		t.Errorf("what was not written is trusted:\n%s", store)
	}
}

func TestCloseEndsEverythingEvenWhenItFails(t *testing.T) {
	w := newWorld(t)
	w.put(rule.LocalSettings, `{`)
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
	u.Destination = rule.LocalSettings
	for range 100 { // the order of events differs
		writer := NewWriter(w.Options)
		if err := writer.Queue(u); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(t.Context()); err == nil {
			t.Fatal("closed without a word about what is lost")
		}
		select {
		case <-writer.stopped:
		default:
			t.Fatal("the writer still runs")
		}
		if len(writer.Pending()) != 1 {
			t.Fatalf("pending %v", writer.Pending())
		}
	}
}

func TestQueueRefusesWhatMakesNoSense(t *testing.T) {
	w := newWorld(t)
	writer := NewWriter(w.Options)
	for name, u := range map[string]permission.Update{
		"type":      {Type: "addEverything"},
		"behavior":  {Type: permission.AddRules, Rules: []string{"Bash"}},
		"rule":      ruleUpdate(permission.AddRules, rule.Allow, "Bash(x"),
		"mode":      {Type: permission.SetMode},
		"bubble":    {Type: permission.SetMode, Mode: permission.Bubble},
		"directory": dirUpdate(permission.AddDirectories, " "),
	} {
		u.Destination = rule.LocalSettings
		if err := writer.Queue(u); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := writer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	good := ruleUpdate(permission.AddRules, rule.Allow, "Bash(x)")
	good.Destination = rule.LocalSettings
	if err := writer.Queue(good); !errors.Is(err, ErrClosed) {
		t.Errorf("queue after close: %v", err)
	}
	if err := writer.Flush(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("flush after close: %v", err)
	}
	if err := writer.Close(t.Context()); err != nil {
		t.Errorf("second close: %v", err)
	}
}

func TestP13_MalformedDenialIsWritten(t *testing.T) {
	w := newWorld(t)
	u := ruleUpdate(permission.AddRules, rule.Deny, "Bash(x", "Bash(y)")
	u.Destination = rule.LocalSettings
	w.persist(u)
	equal(t, "rules", rules(w.load()), []string{"localSettings ask Bash(x", "localSettings deny Bash(y)"})
	u.Type, u.Rules = permission.RemoveRules, []string{" Bash(x"}
	w.persist(u)
	equal(t, "rules", rules(w.load()), []string{"localSettings deny Bash(y)"})
}

func TestFlushGivesUpWithItsContext(t *testing.T) {
	w := newWorld(t)
	p, err := locate(w.Options)
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := p.lock(p.realDir)
	if err != nil {
		t.Fatal(err)
	}
	writer := NewWriter(w.Options)
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(x)")
	u.Destination = rule.LocalSettings
	if err := writer.Queue(u); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := writer.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flush: %v", err)
	}
	unlock()
	if err := writer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(w.read(w.path(rule.LocalSettings)), "Bash(x)") {
		t.Error("lost")
	}
}
