package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Nobody reads the output any more while a command runs: it ends with the agent, what
// was done is recorded, the hooks at the end run, and one sentence says why.
func TestNobodyReadsWhileAToolRuns(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const id = "11111111-1111-4111-8111-111111111111"
	end := p.write("end.json", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"touch ended"}]}]}}`)
	c, free := states[3].reach(p, "--session-id", id, "--settings", end)
	c.stdout.Close()
	c.send(`{"type":"control_request","request_id":"r1","request":{"subtype":"reboot"}}` + "\n") // something to print
	status := c.end()
	free()
	said := c.stderr.String()
	if status != 1 || strings.Count(said, "\n") != 1 || !strings.Contains(said, "broken pipe") || !strings.Contains(said, "--resume "+id) {
		t.Errorf("exit status %d, %s", status, said)
	}
	if !p.has("ended") || p.has("ran") {
		t.Errorf("SessionEnd ran: %v, the command ran on: %v", p.has("ended"), p.has("ran"))
	}
	text, err := os.ReadFile(filepath.Join(p.home, ".assent", "sessions", id, "transcript.jsonl"))
	if err != nil || !strings.Contains(string(text), `"kind":"end"`) {
		t.Errorf("the end is not recorded: %s, %v", text, err)
	}
}

// Commands are told about closed pipes as always: the agent keeps that to itself.
func TestCommandsGetTheSignalOfAClosedPipe(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.write("script.yaml", "turns: [{call: {Bash: {command: 'kill -PIPE $$; touch ran'}}}]\nafterwards: Well.\n")
	c := p.start(p.env(), "-p", "--dangerously-skip-permissions", "--model", "script:"+script, "hello")
	if said, status := c.rest(), c.end(); status != 0 || said != "Well.\n" || p.has("ran") {
		t.Errorf("exit status %d, said %q, ran: %v\n%s", status, said, p.has("ran"), c.stderr)
	}
}

// The terminal is closed: it is the same as ^C.
func TestTheTerminalIsClosed(t *testing.T) {
	t.Parallel()
	// Whoever runs the tests with nohup ignores the signal, and so would the program.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	p := newPlace(t)
	c, free := states[3].reach(p)
	c.signal(syscall.SIGHUP)
	said, status := c.rest(), c.end()
	free()
	if status != 1 || !strings.Contains(said, `"subtype":"error_during_execution","is_error":true`) || p.has("ran") {
		t.Errorf("exit status %d, told %.2000s\n%s", status, said, c.stderr)
	}
}

// A host that reads nothing is heard all the same, and a signal ends the process soon.
func TestAHostThatReadsNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	end := p.write("end.json", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"touch ended"}]}]}}`)
	script := p.write("script.yaml", "turns:\n  - {say: "+strings.Repeat("x", 1<<20)+", call: {Bash: {command: 'true'}}, repeat: 80}\nafterwards: Well.\n")
	c := p.start(p.env(), append(hosted, "--dangerously-skip-permissions", "--settings", end, "--model", "script:"+script)...)
	c.send(prompt)
	// More than a pipe holds: it arrives only if it is read.
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		c.send(strings.Repeat(`{"type":"control_request","request_id":"r1","request":{"subtype":"set_permission_mode","mode":"plan"}}`+"\n", 2000))
	}()
	select {
	case <-heard:
	case <-time.After(patienceOfTests):
		t.Fatal("the host is not heard")
	}
	c.signal(syscall.SIGTERM)
	start := time.Now()
	status := c.end()
	// The bound is far above the grace time, because machines are busy.
	if took := time.Since(start); status != 1 || took > 15*time.Second || !p.has("ended") {
		t.Errorf("exit status %d after %v, SessionEnd ran: %v\n%s", status, took, p.has("ended"), c.stderr)
	}
	if said := c.stderr.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "nobody has read it") {
		t.Errorf("%s", said)
	}
}

// What was not begun when a signal came is not worked off.
func TestPromptsBehindASignal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c, free := states[3].reach(p)
	c.send(strings.Repeat(prompt, 4) + `{"type":"control_request","request_id":"r1","request":{"subtype":"reboot"}}` + "\n")
	c.expect(`"request_id":"r1"`) // all prompts have arrived
	c.signal(syscall.SIGTERM)
	said, status := c.rest(), c.end()
	free()
	if n := strings.Count(said, `"type":"result"`); status != 1 || n != 1 {
		t.Errorf("exit status %d, %d results", status, n)
	}
	if got := c.stderr.String(); got != "assent: warning: prompts that were not worked off: 4\n" {
		t.Errorf("%q", got)
	}
}

// A session that cannot be recorded ends, whatever its host would like.
func TestAHostOfASessionThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if err := os.MkdirAll(filepath.Join(p.home, ".assent"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.home, ".assent", "audit"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ := states[0].reach(p)
	c.send(prompt)
	c.expect(`"type":"result"`, `"subtype":"error_during_execution"`, "cannot be recorded")
	if status := c.end(); status != 1 || p.has("ran") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
	}
}
