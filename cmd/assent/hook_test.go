package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
)

const hookEvent = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`

// A mistake in the flags is status 2 with nothing on standard output where the agent
// is Claude Code or cannot be made out.
func TestT4_HookUsage(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, args := range [][]string{
		{"--agent", "nobody"},
		{"--agent", ""},
		{"--agent"},
		{"--nonsense"},
		{"extra"},
		{"--deadline", "0s"},
		{"--deadline", "-1s"},
		{"--deadline", "soon"},
		{"--settings", ""},
		{"--project", ""},
		{"--setting-sources", "all"},
	} {
		var out, errOut strings.Builder
		status := run(append([]string{"hook"}, args...), strings.NewReader(hookEvent), &out, &errOut)
		if status != statusBroken || out.Len() > 0 || !strings.HasPrefix(errOut.String(), "assent: hook: ") || !strings.Contains(errOut.String(), "assent hook --help") {
			t.Errorf("%q: status %d, %q, %q", args, status, out.String(), errOut.String())
		}
	}
	var out, errOut strings.Builder
	if status := run([]string{"--color", "never", "hook"}, strings.NewReader(hookEvent), &out, &errOut); status != statusBroken || out.Len() > 0 {
		t.Errorf("a flag before the command: status %d, %q, %q", status, out.String(), errOut.String())
	}
}

// Codex and Gemini CLI go by the answer, not by the status, so a mistake in the flags
// is answered in the words of the agent, wherever in the line it is named.
func TestT4_HookUsageIsAnswered(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, agent := range dialect.Agents {
		for _, args := range [][]string{
			{"--agent", agent.String(), "--nonsense"},
			{"--nonsense", "--agent", agent.String()},
			{"--deadline", "soon", "--agent=" + agent.String()},
			{"-agent", agent.String(), "extra"},
			{"--agent", agent.String(), "--settings", ""},
			{"--agent", agent.String(), "--agent"},
			{"--agent", agent.String(), "--agent", "nobody"},
		} {
			var out, errOut strings.Builder
			status := run(append([]string{"hook"}, args...), strings.NewReader(hookEvent), &out, &errOut)
			reply := dialect.Reply{Stdout: []byte(out.String()), Stderr: []byte(errOut.String()), Exit: status}
			if dialecttest.LetsThrough(agent, dialect.ToolCall, reply) || !strings.Contains(out.String()+errOut.String(), "assent hook --help") {
				t.Errorf("%q: %d, %q, %q", args, status, out.String(), errOut.String())
			}
		}
	}
}

// An answer that nobody can read is no permission: the status blocks.
func TestT4_HookAnswerThatCannotBeWritten(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, agent := range []string{"claude", "gemini", "cursor", "copilot"} {
		event := map[string]string{
			"claude": hookEvent, "gemini": strings.ReplaceAll(strings.ReplaceAll(hookEvent, "PreToolUse", "BeforeTool"), "Bash", "run_shell_command"),
			"cursor": strings.ReplaceAll(strings.ReplaceAll(hookEvent, "PreToolUse", "preToolUse"), "Bash", "Shell"), "copilot": hookEvent,
		}[agent]
		var errOut strings.Builder
		if status := run([]string{"hook", "--agent", agent}, strings.NewReader(event), full{}, &errOut); status != statusBroken || errOut.Len() == 0 {
			t.Errorf("%s: status %d, %q", agent, status, errOut.String())
		}
	}
}

// Standard output that is closed is the null device by the time the program runs.
func TestT4_HookAnswerThatGoesNowhere(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, args := range [][]string{{"hook"}, {"hook", "--agent", "codex", "--nonsense"}} {
		var errOut strings.Builder
		if status := run(args, strings.NewReader(hookEvent), null, &errOut); status != statusBroken || !strings.Contains(errOut.String(), "the answer cannot be written") {
			t.Errorf("%q: status %d, %q", args, status, errOut.String())
		}
	}
	// There is nothing to write, so nothing is lost.
	if status := run([]string{"hook", "--agent", "codex"}, strings.NewReader(hookEvent), null, io.Discard); status != statusOK {
		t.Errorf("status %d", status)
	}
}

// The agent's own word for the project counts; another agent's does not.
func TestT4_HookProject(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_PROJECT_DIR", "/nowhere/at/all")
	for agent, want := range map[string]bool{"claude": true, "codex": false, "copilot": false} {
		var out strings.Builder
		run([]string{"hook", "--agent", agent}, strings.NewReader(hookEvent), &out, io.Discard)
		if got := strings.Contains(out.String(), "/nowhere/at/all"); got != want {
			t.Errorf("%s: %s", agent, out.String())
		}
	}
}

func TestT4_HookHelp(t *testing.T) {
	var first string
	for _, args := range [][]string{{"hook", "--help"}, {"hook", "-h"}, {"help", "hook"}} {
		var out strings.Builder
		if status := run(args, strings.NewReader(""), &out, io.Discard); status != statusOK {
			t.Errorf("%q: status %d", args, status)
		}
		if first == "" {
			first = out.String()
		}
		if out.String() != first || !strings.Contains(first, "--agent codex") {
			t.Errorf("%q prints %s", args, out.String())
		}
	}
	if status := run([]string{"hook", "--help"}, strings.NewReader(""), full{}, io.Discard); status != statusBroken {
		t.Errorf("status %d", status)
	}
}
