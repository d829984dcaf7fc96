package main

import (
	"strings"
	"syscall"
	"testing"
)

// Stdout may close at any time. The process ends when it notices, and nothing is left
// running.
func TestStdoutClosesAtAnyTime(t *testing.T) {
	t.Parallel()
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			c, free := s.reach(p)
			c.stdout.Close()
			// Whoever prints nothing cannot notice: an answer is asked for.
			c.send(`{"type":"control_request","request_id":"r1","request":{"subtype":"reboot"}}` + "\n")
			if status := c.end(); status == 0 {
				t.Error("exit status 0: nobody has seen the result")
			}
			free()
			if p.has("ran") {
				t.Error("it ran")
			}
		})
	}
	t.Run("before the start", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		script := p.write("script.yaml", "turns: [{call: {Bash: {command: touch ran}}}]\nafterwards: Well.\n")
		c := p.start(p.env(), "-p", "--model", "script:"+script, "--output-format", "stream-json", "--verbose", "hello")
		c.stdout.Close()
		if status := c.end(); status == 0 || p.has("ran") {
			t.Errorf("exit status %d, ran: %v", status, p.has("ran"))
		}
	})
}

// flood makes the agent print more than it lets wait for a reader.
func flood(p *place) (c *worker, h *tether) {
	h = p.tether()
	said := strings.Repeat("x", 1<<20)
	script := p.write("script.yaml", "turns:\n"+
		"  - {say: "+said+", call: {Bash: {command: '"+hold+"'}}}\n"+
		"  - {say: "+said+", call: {Bash: {command: 'true'}}, repeat: 20}\n"+
		"afterwards: Well.\n")
	return p.start(p.env(), "-p", "--dangerously-skip-permissions", "--model", "script:"+script, "--output-format", "stream-json", "--verbose", "hello"), h
}

// A reader that takes its time gets everything.
func TestAReaderThatReadsLate(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c, h := flood(p)
	h.held()
	h.loose() // the command has ended, and much has been said that nobody has read
	said := c.rest()
	if status := c.end(); status != 0 || strings.Count(said, "\n") != 66 || !strings.Contains(said, `"result":"Well."`) {
		t.Errorf("exit status %d, %d lines, %d bytes\n%s", status, strings.Count(said, "\n"), len(said), c.stderr)
	}
}

// A host that does not read holds up nobody but itself: the process still ends when it
// is told to.
func TestAReaderThatNeverReads(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c, h := flood(p)
	h.held()
	c.signal(syscall.SIGTERM)
	if status := c.end(); status == 0 {
		t.Error("exit status 0: nobody has seen the result")
	}
	h.loose()
}
