package foreign

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		program Program
		agent   Agent
		want    string
	}{
		{Program{Path: "assent"}, Claude, "assent hook --agent claude || { echo 'assent did not judge this call: is it installed?' >&2; exit 2; }"},
		{Program{Path: "assent"}, Codex, `assent hook --agent codex || echo '{"decision":"block","reason":"assent did not judge this call: is it installed?"}'`},
		{Program{Path: "assent"}, Gemini, `assent hook --agent gemini || echo '{"decision":"block","reason":"assent did not judge this call: is it installed?"}'`},
		{Program{Path: "assent"}, Cursor, "assent hook --agent cursor"},
		{Program{Path: "assent-hook"}, Codex, `assent-hook --agent codex || echo '{"decision":"block","reason":"assent did not judge this call: is it installed?"}'`},
		{Program{Path: "/opt/a b/assent-hook"}, Cursor, "'/opt/a b/assent-hook' --agent cursor"},
		{Program{Path: "/opt/assent"}, Copilot, "/opt/assent hook --agent copilot"},
		{Program{Path: "/my programs/it's/assent"}, Cursor, `'/my programs/it'\''s/assent' hook --agent cursor`},
		{Program{Path: "/$HOME/assent"}, Cursor, `'/$HOME/assent' hook --agent cursor`},
		{Program{Path: `C:\Program Files\assent.exe`, Windows: true}, Claude, `"C:\Program Files\assent.exe" hook --agent claude`},
	} {
		got := c.program.line(c.agent)
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if g, ok := readLine(got); !ok || g.program != c.program.Path || g.told.agent != c.agent.String() || g.unclear != "" || !obeyed(c.agent, c.program, g.otherwise) {
			t.Errorf("%s is read as %+v", got, g)
		}
	}
	if got := (Program{Path: `C:\it's\assent.exe`}).powershell(Copilot); got != `& 'C:\it''s\assent.exe' hook --agent copilot` {
		t.Errorf("got %s", got)
	}
}

// What follows the first command, and where its words stand, is kept apart.
func TestSplitLine(t *testing.T) {
	for line, want := range map[string][]string{
		"":                    nil,
		"a  b\tc":             {"a", "b", "c"},
		`'a b' "c d"e`:        {"a b", "c de"},
		`a\ b`:                {"a b"},
		`'' x`:                {"", "x"},
		`'it'\''s'`:           {"it's"},
		`C:\x\assent.exe y`:   {`C:\x\assent.exe`, "y"},
		"a b || c":            {"a", "b"},
		"a b; c":              {"a", "b"},
		"a 'b || c' & d":      {"a", "b || c"},
		"a #b":                {"a"},
		"a b#c":               {"a", "b#c"},
		`& 'C:\x\assent.exe'`: {"&", `C:\x\assent.exe`},
	} {
		words, end, closed := splitLine(line)
		var got []string
		for _, w := range words {
			got = append(got, w.text)
			if w.start < 0 || w.end > end || w.start > w.end {
				t.Errorf("%q: %q stands at %d to %d of %d", line, w.text, w.start, w.end, end)
			}
		}
		if !slices.Equal(got, want) || !closed {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{"a 'b", `a "b'`, `a \`} {
		if _, _, closed := splitLine(line); closed {
			t.Errorf("%s counts as closed", line)
		}
	}
}

// Three agents let a call run when a hook fails. Whatever happens to the guard, the
// line must come to a "no" that they obey: to Claude Code exit status 2 with a reason,
// to the other two one object and status 0.
func TestM6_FailingGuardBlocks(t *testing.T) {
	shells := 0
	for _, shell := range []string{"sh", "dash", "bash"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		shells++
		for name, script := range map[string]string{
			"gone":    "",
			"fails":   "#!/bin/sh\nexit 1\n",
			"refuses": "#!/bin/sh\nexit 2\n",
			"killed":  "#!/bin/sh\nkill -KILL $$\n",
			"SIGPIPE": "#!/bin/sh\nkill -PIPE $$\n",
		} {
			for _, dir := range []string{"plain", "it's a \"dir\" $HOME"} {
				program := filepath.Join(t.TempDir(), dir, "assent-hook")
				if err := os.Mkdir(filepath.Dir(program), 0o755); err != nil {
					t.Fatal(err)
				}
				if script != "" {
					if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				for _, a := range []Agent{Claude, Codex, Gemini} {
					blocks(t, a, exec.Command(shell, "-c", Program{Path: program}.line(a)), shell+", "+name)
				}
			}
		}
	}
	if shells == 0 {
		t.Skip("there is no POSIX shell")
	}
}

func blocks(t *testing.T, a Agent, cmd *exec.Cmd, what string) {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // what matters is the status
	status := cmd.ProcessState.ExitCode()
	if a == Claude {
		if status != 2 || !strings.Contains(stderr.String(), unjudged) || stdout.Len() > 0 {
			t.Errorf("%v, %s: status %d, %q, %q", a, what, status, stdout.String(), stderr.String())
		}
		return
	}
	answer := struct{ Decision, Reason string }{}
	err := json.Unmarshal([]byte(stdout.String()), &answer) // which takes exactly one object
	if err != nil || status != 0 || answer.Decision != "block" || answer.Reason != unjudged {
		t.Errorf("%v, %s: status %d, %q, %v", a, what, status, stdout.String(), err)
	}
}

// A guard that answers is heard, and nothing is added.
func TestM6_AnswerIsAlone(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no POSIX shell")
	}
	program := filepath.Join(t.TempDir(), "assent-hook")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$2 $(cat)\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, a := range Agents {
		cmd := exec.Command("sh", "-c", Program{Path: program}.line(a))
		cmd.Stdin = strings.NewReader("event")
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != a.String()+" event\n" {
			t.Errorf("%v: %q, %v", a, out, err)
		}
	}
}
