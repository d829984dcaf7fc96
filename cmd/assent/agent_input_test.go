package main

import (
	"os"
	"path/filepath"
	"testing"
)

// What nobody can read ends the session, and its last result says what that was.
func TestW5_InputThatBreaksOffTheSession(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.start(p.env(), append(hosted, "--permission-prompt-tool", "stdio", "--model", "script:"+p.write("s.yaml", touching))...)
	c.send(prompt)
	c.expect(`"subtype":"can_use_tool"`)
	c.send(`{"type":"control_response","response":{"subtype":"success","request_id":7,"response":{"behavior":"allow"}}}` + "\n")
	c.expect(`"type":"result"`, `"error_during_execution"`, `stdin line 2: /response/request_id: want a string, got a number`)
	c.stdin.Close()
	if status := c.end(); status != 1 || p.has("ran") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
	}
}

// A prompt that begins with a blank is never a command.
func TestS43_ABlankBeforeACommand(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	file := filepath.Join(p.home, ".claude", "commands", "ship.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("---\nallowed-tools: Bash(touch:*)\n---\nGo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := "script:" + p.write("s.yaml", touching)
	for _, asked := range []string{" /ship it", "/ship it"} {
		c := p.start(p.env(), "-p", "--model", script, asked)
		c.rest()
		if status := c.end(); status != 0 || p.has("ran") != (asked[0] == '/') {
			t.Errorf("%q: exit status %d, ran: %v\n%s", asked, status, p.has("ran"), c.stderr)
		}
	}
}
