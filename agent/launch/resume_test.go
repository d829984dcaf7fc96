package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/session"
)

// worked is a session that has worked off a prompt; the options go on with it.
func worked(t *testing.T) (o Options, transcript string) {
	t.Helper()
	o = options(t)
	o.ID = session.NewID()
	s := mustOpen(t, o)
	s.Agent.Prompt(t.Context(), agent.TextPrompt("hello"))
	if err := s.state.Merge([]byte(`{"asked":3}`)); err != nil {
		t.Fatal(err)
	}
	transcript = s.transcript.Path()
	mustClose(t, s)
	o.ID, o.Resume = "", o.ID
	return o, transcript
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Who cannot go on leaves the session as it is.
func TestAFailedResumeWritesNothing(t *testing.T) {
	for name, spoil := range map[string]func(o *Options, dir string) error{
		"no state": func(_ *Options, dir string) error { return os.Remove(filepath.Join(dir, stateName)) },
		"broken state": func(_ *Options, dir string) error {
			return os.WriteFile(filepath.Join(dir, stateName), []byte("{"), 0o600)
		},
		"no model":      func(o *Options, _ string) error { o.Model = "script:/does/not/exist"; return nil },
		"no directory":  func(o *Options, _ string) error { return os.Rename(o.Settings.Dir, o.Settings.Dir+"-moved") },
		"bad directory": func(o *Options, _ string) error { o.Settings.Dir += "/\xff"; return nil },
	} {
		for _, fork := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				o, transcript := worked(t)
				o.Fork = fork
				if err := spoil(&o, filepath.Dir(transcript)); err != nil {
					t.Fatal(err)
				}
				before := read(t, transcript)
				if _, err := Open(o); err == nil {
					t.Fatal("it goes on")
				}
				if read(t, transcript) != before {
					t.Error("the transcript was changed")
				}
				sessions := session.NewStore(filepath.Join(o.Settings.Home, ".assent", "sessions"))
				n := 0
				for range sessions.List() {
					n++
				}
				if n != 1 {
					t.Errorf("%d sessions", n)
				}
			})
		}
	}
}

// A session is this process's own before it is read: what another one writes until it
// ends must not be missed.
func TestResumeLocksBeforeItReads(t *testing.T) {
	o, _ := worked(t)
	open := mustOpen(t, o)
	o.Model = "script:/does/not/exist" // nothing else is looked at
	_, err := Open(o)
	if _, ok := errors.AsType[*session.InUse](err); !ok || strings.Contains(err.Error(), "No conversation") {
		t.Errorf("%v", err)
	}
	mustClose(t, open)
}

// The record of the resume is the last thing, and a fork begins with the state of the
// other session.
func TestGoingOn(t *testing.T) {
	o, transcript := worked(t)
	var named []string
	o.Named = func(id string) { named = append(named, id) }
	o.Warn = func(text string) {
		if len(named) == 0 {
			t.Errorf("warned before the session had a name: %s", text)
		}
	}
	o.Settings.Mode = permission.Plan // which is worth a warning
	s := mustOpen(t, o)
	mustClose(t, s)
	lines := strings.Split(strings.TrimSpace(read(t, transcript)), "\n")
	if !strings.Contains(lines[len(lines)-1], `"resume"`) {
		t.Errorf("the last record is %s", lines[len(lines)-1])
	}
	o.Fork = true
	fork := mustOpen(t, o)
	if value, err := fork.state.Get("asked"); err != nil || string(value) != "3" {
		t.Errorf("the fork has the state %s, %v", value, err)
	}
	if len(fork.before.Messages) != 2 {
		t.Errorf("the fork has %d messages", len(fork.before.Messages))
	}
	if !slices.Equal(named, []string{s.ID, fork.ID}) || fork.ID == s.ID {
		t.Errorf("named %q", named)
	}
	mustClose(t, fork)
	resumed := o
	resumed.Fork, resumed.Resume = false, fork.ID
	mustClose(t, mustOpen(t, resumed))
}

func TestNoSession(t *testing.T) {
	o, transcript := worked(t)
	damaged := o
	if err := os.WriteFile(transcript, []byte(strings.Replace(read(t, transcript), "hello", "hallo", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	unknown, malformed := o, o
	unknown.Resume, malformed.Resume = session.NewID(), "../x"
	elsewhere := o
	elsewhere.Resume, elsewhere.Last, elsewhere.Settings.Dir = "", true, t.TempDir()
	for want, o := range map[string]Options{
		"there is no session in this directory":                    elsewhere,
		"No conversation found with session ID: " + unknown.Resume: unknown,
		"No conversation found with session ID: ../x":              malformed,
		"session " + o.Resume + " cannot be used":                  damaged,
	} {
		_, err := Open(o)
		missing, ok := errors.AsType[*NoSessionError](err)
		if !ok || !strings.HasPrefix(missing.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// TestForgetIsForNewSessions: a session that goes on is on record, and its calls have answers
// at the desk that somebody has to ask for.
func TestForgetIsForNewSessions(t *testing.T) {
	for name, by := range map[string]func(*Options){
		"by its id":   func(*Options) {},
		"as the last": func(o *Options) { o.Resume, o.Last = "", true },
		"as a copy":   func(o *Options) { o.Fork = true },
	} {
		t.Run(name, func(t *testing.T) {
			o, transcript := worked(t)
			by(&o)
			o.Forget = true
			before := read(t, transcript)
			if s, err := Open(o); err == nil {
				mustClose(t, s)
				t.Fatal("it goes on")
			}
			if read(t, transcript) != before {
				t.Error("the transcript was changed")
			}
		})
	}
}

// Hooks that use up all the time there is do not keep settings from being written.
func TestSettingsAreWrittenAfterSlowHooks(t *testing.T) {
	o := options(t)
	s := mustOpen(t, o)
	update := permission.Update{Type: permission.AddRules, Destination: rule.LocalSettings, Behavior: rule.Allow, Rules: []string{"Bash(npm test)"}}
	if err := s.writer.Queue(update); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if text := read(t, filepath.Join(o.Settings.Dir, ".claude", "settings.local.json")); !strings.Contains(text, "npm test") {
		t.Errorf("%s", text)
	}
}

// A session is not there before the state of its hooks is: it could never go on.
func TestTheStateComesBeforeTheTranscript(t *testing.T) {
	for _, fork := range []bool{false, true} {
		o, _ := worked(t)
		o.ID, o.Fork = session.NewID(), fork
		if !fork {
			o.Resume = ""
		}
		sessions := filepath.Join(o.Settings.Home, ".assent", "sessions")
		obstacle := filepath.Join(sessions, o.ID, stateName, "in the way")
		if err := os.MkdirAll(obstacle, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(o); err == nil {
			t.Fatal("it has no state")
		}
		if _, err := session.NewStore(sessions).Load(o.ID); !errors.Is(err, session.ErrUnknown) {
			t.Errorf("fork %v: there is a session: %v", fork, err)
		}
		if err := os.RemoveAll(filepath.Dir(obstacle)); err != nil {
			t.Fatal(err)
		}
		mustClose(t, mustOpen(t, o))
	}
}

// What a session has left behind that never began is nobody's.
func TestTheStateOfASessionThatNeverBegan(t *testing.T) {
	o := options(t)
	o.ID = session.NewID()
	dir := filepath.Join(o.Settings.Home, ".assent", "sessions", o.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, stateName), []byte(`{"asked":3}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, o)
	if value, err := s.state.Get("asked"); err != nil || value != nil {
		t.Errorf("%s, %v", value, err)
	}
	mustClose(t, s)
}
