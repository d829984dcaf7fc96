package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const chosenID = "11111111-1111-4111-8111-111111111111"

// short runs the agent with a model that says one word.
func (p *place) short(args ...string) (said, complained string, status int) {
	p.t.Helper()
	script := p.write("short.yaml", "turns: []\nafterwards: Well.\n")
	c := p.start(p.env(), append([]string{"-p", "--model", "script:" + script}, args...)...)
	c.stdin.Close()
	said = c.rest()
	status = c.end()
	return said, c.stderr.String(), status
}

// What cannot be done is refused with one sentence, before anything is written.
func TestWhatTheAgentRefusesAtTheStart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args []string
		says string
	}{
		"a prompt that is no text":   {[]string{"a\xffb"}, "the prompt is not valid UTF-8"},
		"a system prompt":            {[]string{"--system-prompt", "\xff", "x"}, "--system-prompt"},
		"an unknown prompt tool":     {[]string{"--permission-prompt-tool", "stdioo", "x"}, `nobody is called "stdioo"`},
		"a prompt tool of MCP":       {[]string{"--permission-prompt-tool", "mcp__s__t", "x"}, "no MCP server offers mcp__s__t"},
		"go on and keep nothing":     {[]string{"--no-session-persistence", "--resume", chosenID, "x"}, "--no-session-persistence is for new sessions"},
		"the last, and keep nothing": {[]string{"--no-session-persistence", "--continue", "x"}, "--no-session-persistence is for new sessions"},
		"a session that is not":      {[]string{"--resume", chosenID, "x"}, "No conversation found with session ID: " + chosenID},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			said, complained, status := p.short(tt.args...)
			if status != 1 || said != "" || strings.Count(complained, "\n") != 1 || !strings.Contains(complained, tt.says) {
				t.Errorf("exit status %d, said %q, %s", status, said, complained)
			}
			if left, err := os.ReadDir(p.home); err != nil || len(left) > 0 {
				t.Errorf("left %v, %v", left, err)
			}
		})
	}
	t.Run("a directory that has no name", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		p.dir = filepath.Join(p.dir, "c\xffwd")
		if err := os.Mkdir(p.dir, 0o755); err != nil {
			t.Skip("the file system has no such names")
		}
		said, complained, status := p.short("x")
		if status != 1 || said != "" || strings.Count(complained, "\n") != 1 || !strings.Contains(complained, "not valid UTF-8") {
			t.Errorf("exit status %d, said %q, %s", status, said, complained)
		}
	})
}

// A session that is damaged is said to be, in every format.
func TestADamagedSession(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.short("--session-id", chosenID, "hello")
	path := filepath.Join(p.home, ".assent", "sessions", chosenID, "transcript.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "hello", "hallo", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	const says = "session " + chosenID + " cannot be used"
	said, complained, status := p.short("--resume", chosenID, "x")
	if status != 1 || said != "" || !strings.Contains(complained, says) || !strings.Contains(complained, "(nothing was changed") {
		t.Errorf("exit status %d, said %q, %s", status, said, complained)
	}
	said, complained, status = p.short("--resume", chosenID, "--output-format", "json", "x")
	if status != 1 || complained != "" || !strings.Contains(said, says) || strings.Contains(said, "No conversation") || !strings.Contains(said, `"session_id":"`+chosenID) {
		t.Errorf("exit status %d, said %q, %s", status, said, complained)
	}
}

// S26: whoever resumes a session learns about its mode, on standard error and in the
// stream; the same goes for what is wrong with settings. Every message names the session.
func TestS26_WarningsAtTheStart(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	stream := []string{"--output-format", "stream-json", "--verbose"}
	p.short("--session-id", chosenID, "--permission-mode", "acceptEdits", "x")
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"--resume", chosenID}, "goes on in permission mode acceptEdits"},
		{[]string{"--resume", chosenID, "--permission-mode", "plan"}, "goes on in plan, as the command line says"},
		{[]string{"--settings", `{"permissions":{"allow":["Bash(("]}}`}, "Bash(("},
	} {
		said, complained, status := p.short(append(append(tt.args, stream...), "--", "x")...)
		first, _, _ := strings.Cut(said, "\n")
		if status != 0 || !strings.Contains(complained, tt.says) {
			t.Errorf("%q: exit status %d, %s", tt.args, status, complained)
		}
		if !strings.Contains(first, `"subtype":"informational","level":"warning"`) || !strings.Contains(first, tt.says) || strings.Contains(said, `"session_id":""`) {
			t.Errorf("%q: told %.500s", tt.args, said)
		}
	}
}

// Who keeps no transcript still keeps a record of what was decided.
func TestDecisionsAreRecordedOfASessionThatKeepsNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.write("script.yaml", "turns: [{call: {Bash: {command: touch ran}}}]\nafterwards: Well.\n")
	c := p.start(p.env(), "-p", "--no-session-persistence", "--dangerously-skip-permissions", "--model", "script:"+script, "hello")
	if said, status := c.rest(), c.end(); status != 0 || said != "Well.\n" || !p.has("ran") {
		t.Errorf("exit status %d, said %q, %s", status, said, c.stderr)
	}
	kept := p.start(p.env(), "audit", "log")
	if said, status := kept.rest(), kept.end(); status != 0 || !strings.Contains(said, "touch ran") {
		t.Errorf("exit status %d, said %q, %s", status, said, kept.stderr)
	}
	if _, err := os.Stat(filepath.Join(p.home, ".assent", "sessions")); err == nil {
		t.Error("a transcript was kept")
	}
}
