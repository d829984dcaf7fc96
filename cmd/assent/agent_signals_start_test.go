//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
)

// TestASignalIsHeardWhileServersStart: one that does not answer must not keep anybody
// waiting who wants to stop.
func TestASignalIsHeardWhileServersStart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		flags      []string
		said, told string
	}{
		"as a text":    {nil, "", "assent: interrupted\n"},
		"as a message": {[]string{"--output-format", "json"}, `"subtype":"error_during_execution","is_error":true`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			h := p.tether()
			servers := p.write("servers.json", `{"mcpServers":{"mute":{"command":"sh","args":["-c","`+holding+`"]}}}`)
			script := p.write("script.yaml", "turns: [{say: Anything.}]\n")
			c := p.start(p.env(), append([]string{"-p", "--mcp-config", servers, "--model", "script:" + script, "hello"}, tt.flags...)...)
			h.held()
			c.signal(syscall.SIGTERM)
			said, status := c.rest(), c.end()
			h.loose()
			if status != 1 || !strings.Contains(said, tt.said) || c.stderr.String() != tt.told {
				t.Errorf("exit status %d, said %q, %q", status, said, c.stderr)
			}
		})
	}
}

// TestASecondSignalLeavesNothingBehind: the process ends at once, and with it what it has
// started.
func TestASecondSignalLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	h := p.tether()
	settings := p.write("settings.json", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"`+holding+`"}]}]}}`)
	script := p.write("script.yaml", "turns: [{say: Anything., delay: 1h}]\n")
	c := p.start(p.env(), "-p", "--settings", settings, "--model", "script:"+script, "--output-format", "stream-json", "--verbose", "hello")
	c.expect(`"subtype":"init"`)
	c.signal(syscall.SIGINT)
	h.held()
	c.signal(syscall.SIGTERM)
	c.rest()
	if status := c.end(); status != -1 {
		t.Errorf("exit status %d\n%s", status, c.stderr)
	}
	h.loose()
}

// TestAnInterruptThatIsForOthers: a shell lets what it has put into the background ignore
// ^C, and so do we.
func TestAnInterruptThatIsForOthers(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	h := p.tether()
	open := p.gate("gate")
	script := p.write("script.yaml", "turns: [{call: {Bash: {command: '"+hold+"; read x < gate; true'}}}, {say: Done.}]\n")
	c := p.startWith("sh", p.env(), "-c", `trap "" INT; exec assent "$@"`, "sh", "-p", "--dangerously-skip-permissions", "--model", "script:"+script, "hello")
	h.held()
	c.signal(syscall.SIGINT)
	c.signal(syscall.SIGINT)
	open()
	if said, status := c.rest(), c.end(); status != 0 || said != "Done.\n" {
		t.Errorf("exit status %d, said %q, %s", status, said, c.stderr)
	}
	h.loose()
}
