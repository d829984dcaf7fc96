package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

// options are those of a session in a home and a project of its own, with a model that
// says one word each time.
func options(t *testing.T) Options {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, project, script := filepath.Join(top, "home"), filepath.Join(top, "project"), filepath.Join(top, "script.yaml")
	for _, dir := range []string{home, project} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(script, []byte("turns: []\nafterwards: Well.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Options{
		Settings: settings.Options{Home: home, Dir: project},
		Env:      func(string) string { return "" },
		Model:    "script:" + script,
	}
}

func mustOpen(t *testing.T, o Options) *Session {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustClose(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// A session that cannot be opened holds nothing: the next try finds it free.
func TestOpenThatFailsHoldsNothing(t *testing.T) {
	o := options(t)
	o.ID = session.NewID()
	first := mustOpen(t, o)
	if result := first.Agent.Prompt(t.Context(), agent.TextPrompt("hello")); result.Text != "Well." {
		t.Errorf("%+v", result)
	}
	mustClose(t, first)
	if _, err := Open(o); !errors.Is(err, session.ErrExists) {
		t.Errorf("the same id again: %v", err)
	}
	resumed := o
	resumed.ID, resumed.Resume = "", o.ID
	state := filepath.Join(o.Settings.Home, ".assent", "sessions", o.ID, "state.json")
	if err := os.Rename(state, state+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(resumed); err == nil {
		t.Error("a session goes on without the state that its hooks had")
	}
	if err := os.Rename(state+".away", state); err != nil {
		t.Fatal(err)
	}
	again := mustOpen(t, resumed)
	if again.ID != o.ID || again.Source != "resume" {
		t.Errorf("id %s, source %s", again.ID, again.Source)
	}
	if _, err := Open(resumed); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a session that is open: %v", err)
	}
	mustClose(t, again)
}

func TestASessionThatKeepsNothing(t *testing.T) {
	o := options(t)
	o.Forget = true
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	s := mustOpen(t, o)
	s.Agent.Prompt(t.Context(), agent.TextPrompt("hello"))
	mustClose(t, s)
	for _, dir := range []string{temporary, o.Settings.Home} {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s holds %v, %v", dir, left, err)
		}
	}
}

func TestTheDirectoryOfASessionIsGone(t *testing.T) {
	o := options(t)
	o.ID = session.NewID()
	mustClose(t, mustOpen(t, o))
	if err := os.Remove(o.Settings.Dir); err != nil {
		t.Fatal(err)
	}
	o.Settings.Dir, o.Resume, o.ID = o.Settings.Home, o.ID, ""
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "which does not exist here") {
		t.Errorf("got %v", err)
	}
}

func TestModeToResume(t *testing.T) {
	for _, tt := range []struct {
		saved       string
		given, want permission.Mode
		warns       string
	}{
		{"default", 0, permission.Default, ""},
		{"acceptEdits", 0, permission.AcceptEdits, "which it was in"},
		{"plan", 0, permission.Plan, "which it was in"},
		{"acceptEdits", permission.AcceptEdits, permission.AcceptEdits, ""},
		{"acceptEdits", permission.Plan, permission.Plan, "as the command line says"},
		{"bypassPermissions", 0, 0, "not restored"},
		{"bypassPermissions", permission.BypassPermissions, permission.BypassPermissions, ""},
		{"from the future", 0, 0, ""},
	} {
		var warned []string
		o := Options{Warn: func(text string) { warned = append(warned, text) }}
		o.Settings.Mode = tt.given
		got := modeToResume(tt.saved, &o)
		if said := strings.Join(warned, "\n"); got != tt.want || (tt.warns == "") != (said == "") || !strings.Contains(said, tt.warns) {
			t.Errorf("%s and %v: %v, warned %q", tt.saved, tt.given, got, said)
		}
	}
}

// A session that goes on must ask what it would have asked without the pause.
func TestTheSystemPromptIsTheSameEachTime(t *testing.T) {
	text := systemPrompt(Options{Append: "Be brief."}, "/project")
	if text != systemPrompt(Options{Append: "Be brief."}, "/project") || !strings.Contains(text, "/project") || strings.Contains(text, "{{") || !strings.HasSuffix(text, "\n\nBe brief.") {
		t.Errorf("%q", text)
	}
	if text := systemPrompt(Options{System: "Own.", Append: "More."}, "/project"); text != "Own.\n\nMore." {
		t.Errorf("%q", text)
	}
}

// An agent does not write its own records, wherever they are kept and whatever is
// allowed.
func TestS36_TheStateIsProtectedWhereverItIs(t *testing.T) {
	o := options(t)
	o.Settings.StateDir = filepath.Join(t.TempDir(), "odd [home]")
	o.Settings.Mode, o.Settings.AllowBypass = permission.BypassPermissions, true
	target := filepath.Join(o.Settings.StateDir, "audit", "head.json")
	o.Model = "script:" + writeFile(t, "script.yaml", `turns:
  - calls:
      - Write: {file_path: "`+target+`", content: x}
      - Bash: {command: "echo x > '`+target+`'"}
  - say: done
`)
	s := mustOpen(t, o)
	defer mustClose(t, s)
	if result := s.Agent.Prompt(t.Context(), agent.TextPrompt("go")); len(result.Denials) != 2 {
		t.Errorf("%+v", result)
	}
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
