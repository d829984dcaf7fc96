package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/session"
)

// How long it may take at most to be refused, and to take over from a process that died.
const (
	mostRefusal  = time.Second
	mostTakeover = 15 * time.Second
)

// playing writes what a model does, and names the model.
func (p *place) playing(name, text string) string { return "script:" + p.write(name, text) }

// Whoever takes up a session that another process works with is refused at once, and told
// who that is. The other one does not notice.
func TestD8_TheSecondResumerIsRefusedAndToldWhoHoldsIt(t *testing.T) {
	p, id := newPlace(t), session.NewID()
	open := p.gate("gate")
	busy := p.playing("busy.yaml", "turns:\n  - call: {Bash: {command: 'exec 9>tether; echo $$ >&9; read x < gate; echo ran >> effects'}}\nafterwards: Done.\n")
	tether := p.tether()
	first := p.start(p.env(), "-p", "--session-id", id, "--model", busy, "--dangerously-skip-permissions", "go")
	tether.held()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	told := fmt.Sprintf("session %s is in use by process %d on %s", id, first.cmd.Process.Pid, host)
	fastest := time.Hour // the start of a process on a busy machine is not what is tried here
	end := p.playing("end.yaml", "turns: []\nafterwards: Done.\n")
	for _, args := range [][]string{
		{"-p", "--resume", id, "--model", end},
		{"-p", "--resume", id, "--model", end, "go on"},
		{"-p", "--continue", "--model", end, "go on"},
	} {
		began := time.Now()
		second := p.start(p.env(), args...)
		out := second.rest()
		status, took := second.end(), time.Since(began)
		if text := out + second.stderr.String(); status == 0 || !strings.Contains(text, told) || !strings.Contains(text, "--fork-session") {
			t.Errorf("%v: status %d, it does not say %q: %s", args[1:], status, told, text)
		}
		fastest = min(fastest, took)
	}
	if t.Logf("refused after %v", fastest); fastest > mostRefusal {
		t.Error("that is too late")
	}
	open()
	if out := first.rest(); first.end() != 0 || !strings.Contains(out, "Done.") {
		t.Errorf("the first one was disturbed: %s%s", out, first.stderr)
	}
	if text, err := os.ReadFile(p.dir + "/effects"); err != nil || string(text) != "ran\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// A process that was killed holds nothing, not even when a command that it has started
// lives on in a session of its own: the next one takes over at once.
func TestD8_ADeadHolderIsTakenOver(t *testing.T) {
	const detached = "setsid sh -c 'exec 9>tether; echo $$ >&9; sleep 1000' & wait"
	for name, command := range map[string]string{
		"a command of the process": hold + "; sleep 1000",
		"a command that left it":   strings.ReplaceAll(detached, "'", "''"),
	} {
		t.Run(name, func(t *testing.T) {
			p, id := newPlace(t), session.NewID()
			busy := p.playing("busy.yaml", "turns:\n  - call: {Bash: {command: '"+command+"'}}\nafterwards: Done.\n")
			tether := p.tether()
			first := p.start(p.env(), "-p", "--session-id", id, "--model", busy, "--dangerously-skip-permissions", "go")
			tether.held()
			began := time.Now()
			first.signal(syscall.SIGKILL)
			if status := first.end(); status != -1 {
				t.Fatalf("it was not killed: %d", status)
			}
			if err := kill(tether.group, 0); err != nil {
				t.Fatalf("the command has ended, too: %v", err)
			}
			second := p.start(p.env(), "-p", "--resume", id, "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n"), "go on")
			out := second.rest()
			status, took := second.end(), time.Since(began)
			if status != 0 || !strings.Contains(out, "Done.") {
				t.Fatalf("status %d: %s%s", status, out, second.stderr)
			}
			if t.Logf("taken over after %v", took); took > mostTakeover {
				t.Error("that is too late")
			}
		})
	}
}
