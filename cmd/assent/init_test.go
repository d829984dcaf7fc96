package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/settings/foreign"
)

// What init tells people to run in order to see that the guard is live really gets a
// denial, in the words of every agent.
func TestCanaries(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("ASSENT_HOME", "")
	t.Chdir(t.TempDir())
	for _, agent := range foreign.Agents {
		status, out, errOut := inHome(t, home, "init", "--yes", "--agent", agent.String())
		if status != statusOK {
			t.Fatalf("%v: status %d: %s", agent, status, errOut)
		}
		event := canaryOf(t, out)
		var answer, complaint bytes.Buffer
		if status := run([]string{"hook", "--agent", agent.String()}, strings.NewReader(event), &answer, &complaint); status != statusOK {
			t.Errorf("%v: status %d: %s", agent, status, complaint.String())
		}
		if text := answer.String(); !strings.Contains(text, `"deny"`) || !strings.Contains(text, "Read(//**/.env)") {
			t.Errorf("%v answers %s", agent, text)
		}
	}
}

// init and the guard know the same agents by the same names.
func TestInitKnowsTheAgentsOfTheGuard(t *testing.T) {
	var wired, guarded []string
	for _, a := range foreign.Agents {
		wired = append(wired, a.String())
	}
	for _, a := range dialect.Agents {
		guarded = append(guarded, a.String())
	}
	if !slices.Equal(wired, guarded) {
		t.Errorf("init knows %q, the guard %q", wired, guarded)
	}
}

// canaryOf finds the event in the last line that init prints.
func canaryOf(t *testing.T, out string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	_, event, ok := strings.Cut(lines[len(lines)-1], "echo '")
	event, _, more := strings.Cut(event, "' | ")
	if !ok || !more {
		t.Fatalf("no canary in\n%s", out)
	}
	return event
}

// Escape sequences of a file do not reach the terminal through the diff.
func TestInitShowsWhatIsThere(t *testing.T) {
	home := t.TempDir()
	t.Setenv("ASSENT_HOME", "")
	t.Chdir(t.TempDir())
	file := filepath.Join(home, ".codex", "hooks.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{\n\t\"hooks\": {} // \x1b[8mhidden\u202e\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, errOut := inHome(t, home, "init", "--agent", "codex", "--policy", "none", "--print")
	if strings.ContainsAny(out, "\x1b\u202e") || !strings.Contains(out, `// \x1b[8mhidden\u202e`) || !strings.Contains(out, "\t\"hooks\"") {
		t.Errorf("got %q, %s", out, errOut)
	}
}
