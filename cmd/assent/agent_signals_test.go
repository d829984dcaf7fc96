package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
)

// Somebody presses ^C, or ends the process: the result is told, the exit status is 1,
// and nothing is left running.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, s := range states {
			t.Run(sig.String()+" while "+s.name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				c, free := s.reach(p, "--replay-user-messages")
				if !s.working { // it is ready when it answers
					c.send(`{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}` + "\n")
					c.expect(`"request_id":"r1"`)
				}
				c.signal(sig)
				said := c.rest()
				status := c.end()
				free()
				if s.working && (status != 1 || !strings.Contains(said, `"subtype":"error_during_execution","is_error":true`)) {
					t.Errorf("exit status %d, told %.2000s\n%s", status, said, c.stderr)
				}
				if !s.working && (status < 0 || said != "") {
					t.Errorf("exit status %d, told %.2000s\n%s", status, said, c.stderr)
				}
				if p.has("ran") {
					t.Error("it ran")
				}
			})
		}
	}
	t.Run("while the model streams", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		hangs := modeltest.Say("I think about it.")
		hangs.Ending = modeltest.Hang
		server := modeltest.Messages(t, hangs)
		c := p.start(p.env("ANTHROPIC_API_KEY=test", "ANTHROPIC_BASE_URL="+server.URL),
			"-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages", "hello")
		c.expect(`"type":"stream_event"`, "text_delta")
		c.signal(syscall.SIGINT)
		c.expect(`"type":"result"`, `"subtype":"error_during_execution","is_error":true`)
		if status := c.end(); status != 1 {
			t.Errorf("exit status %d\n%s", status, c.stderr)
		}
	})
	t.Run("as a text", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		h := p.tether()
		script := p.write("script.yaml", "turns: [{call: {Bash: {command: '"+holding+"'}}}]\n")
		c := p.start(p.env(), "-p", "--dangerously-skip-permissions", "--model", "script:"+script, "hello")
		h.held()
		c.signal(syscall.SIGINT)
		said, status := c.rest(), c.end()
		h.loose()
		if status != 1 || said != "" || c.stderr.String() != "assent: interrupted\n" {
			t.Errorf("exit status %d, said %q, %q", status, said, c.stderr)
		}
	})
}

// A session that was interrupted can go on, and what was cut off does not run again.
func TestASessionGoesOnAfterASignal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	h := p.tether()
	const id = "11111111-1111-4111-8111-111111111111"
	script := p.write("script.yaml", "turns: [{call: {Bash: {command: '"+holding+"'}}}]\n")
	c := p.start(p.env(), "-p", "--dangerously-skip-permissions", "--session-id", id, "--model", "script:"+script, "remember the milk")
	h.held()
	c.signal(syscall.SIGKILL)
	if status := c.end(); status != -1 {
		t.Errorf("exit status %d", status)
	}
	h.cut() // nobody can tidy up behind a process that is killed
	h.loose()
	server := modeltest.Messages(t, modeltest.Reply{Blocks: []model.Block{model.TextBlock("I remember.")}})
	again := p.start(p.env("ANTHROPIC_API_KEY=test", "ANTHROPIC_BASE_URL="+server.URL), "-p", "--resume", id, "what was it?")
	again.stdin.Close()
	if said, status := again.rest(), again.end(); status != 0 || said != "I remember.\n" {
		t.Errorf("exit status %d, said %q, %s", status, said, again.stderr)
	}
	requests := server.Requests()
	if len(requests) != 1 {
		t.Fatalf("%d requests", len(requests))
	}
	body := string(requests[0].Body)
	for _, want := range []string{"remember the milk", "what was it?", "may have run or not", "tether"} {
		if !strings.Contains(body, want) {
			t.Errorf("the model is not told %q: %s", want, body)
		}
	}
	if p.has("ran") {
		t.Error("it ran")
	}
}

// A session that works is nobody else's.
func TestASessionInUse(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const id = "11111111-1111-4111-8111-111111111111"
	c, _ := states[1].reach(p, "--session-id", id)
	script := p.write("other.yaml", "turns: [{say: Anything.}]\n")
	for _, args := range [][]string{{"--resume", id}, {"--continue"}} {
		other := p.start(p.env(), append(append([]string{"-p", "--model", "script:" + script}, args...), "hello")...)
		said, status := other.rest(), other.end()
		if status != 1 || said != "" || !strings.Contains(other.stderr.String(), "is in use by process") {
			t.Errorf("%q: exit status %d, said %q, %s", args, status, said, other.stderr)
		}
	}
	copied := p.start(p.env(), "-p", "--model", "script:"+script, "--resume", id, "--fork-session", "hello")
	if said, status := copied.rest(), copied.end(); status != 0 || said != "Anything.\n" {
		t.Errorf("exit status %d, said %q, %s", status, said, copied.stderr)
	}
	c.signal(syscall.SIGTERM)
	c.rest()
	c.end()
}
