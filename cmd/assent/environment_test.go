//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestT1_TheTokenIsNotHandedToTheAgent: whoever exports the token of the inbox, or names the
// database, and starts an agent does not give it to what the agent starts, nor can that read it
// where the system shows with what the agent itself was started.
func TestT1_TheTokenIsNotHandedToTheAgent(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("hook.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"env > hook.txt"}]}]}}`)
	p.write("server.json", `{"mcpServers":{"noted":{"command":"sh","args":["-c","env > server.txt; echo \"${ASSENT_TOKEN:-}\" >> server.txt"]}}}`)
	c := p.start(p.env(tokenVariable+"=sesame-token", databaseVariable+"=", "SEEN=seen"), "-p", "--allowedTools", "Bash", "--output-format", "json",
		"--settings", filepath.Join(p.dir, "hook.json"), "--mcp-config", filepath.Join(p.dir, "server.json"),
		"--model", p.playing("look.yaml", "turns:\n  - call: {Bash: {command: 'env > bash.txt; cat /proc/$PPID/environ > parent.txt || cp bash.txt parent.txt; env'}}\nafterwards: Done.\n"), "look")
	said := c.rest()
	if status := c.end(); status != 0 {
		t.Fatalf("exit status %d: %s", status, c.stderr)
	}
	for _, name := range []string{"bash.txt", "parent.txt", "hook.txt", "server.txt"} {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil || !strings.Contains(string(text), "SEEN=seen") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
		if strings.Contains(string(text), "sesame") || strings.Contains(string(text), databaseVariable) {
			t.Errorf("%s has it: %s", name, text)
		}
	}
	if strings.Contains(said+tree(t, p.home), "sesame") {
		t.Error("it is in the output or in the state directory")
	}
}
