//go:build unix

package hook

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/rule"
)

// A main process that has ended has said what it says by its exit status, also when its
// time runs out while others hold its output.
func TestH11_TheExitStatusCountsAtTheDeadline(t *testing.T) {
	for line, want := range map[string]int{
		`sleep 60 & echo "no deploys on Friday" >&2; exit 2`: 2,
		`sleep 60 & exit 3`: 3,
		`sleep 60 & exit 0`: 0,
	} {
		noLeaks(t)
		p, err := start(exec.Command("/bin/sh", "-c", line), []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		<-p.exited
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		reply := p.answer(ctx)
		if reply.Failure != nil || reply.Exit == nil || *reply.Exit != want || !reply.HeldOpen {
			t.Errorf("%s: %s", line, show(reply))
		}
		if want == 2 && !strings.Contains(string(reply.Stderr), "Friday") {
			t.Errorf("%s: the reason is lost: %q", line, reply.Stderr)
		}
	}
}

// Such an objection counts where failures are open, and nothing else of it does.
func TestH11_AnObjectionAtTheDeadlineIsHeard(t *testing.T) {
	two, zero := 2, 0
	synctest.Test(t, func(t *testing.T) {
		refuse := late{Reply{Exit: &two, Stderr: []byte("no deploys on Friday"), HeldOpen: true}}
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, OnFailure: FailOpen, Handler: refuse}}}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("make deploy"), denied, "no deploys on Friday")
		if v := newSession(t, Config{Entries: entriesAt(UserPromptSubmit, refuse)}).run(UserPromptSubmitInput{Prompt: "x"}); !v.Block {
			t.Errorf("%+v", v)
		}
		s = newSession(t, Config{Entries: before(late{Reply{Exit: &zero, HeldOpen: true}})}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("make deploy"), denied, "hook broken: late")
	})
}

// Too much output hides no exit status 2; with any other status the hook is broken.
func TestH11_TooMuchOutputAndExitTwo(t *testing.T) {
	env := noLeaks(t)
	dir := t.TempDir()
	const flood = `head -c 2000000 /dev/zero | tr '\0' x`
	for _, line := range []string{flood + " >&2; exit 2", flood + "; echo no >&2; exit 2"} {
		s := newSession(t, Config{Dir: dir, Env: env, Entries: []Entry{{Event: PreToolUse, OnFailure: FailOpen, Handler: shell(t, line)}}}, textRule(t, rule.Allow, "Bash"))
		j := s.bash("make")
		wantDecision(t, j, denied)
		if run := j.Verdict.Runs[0]; run.Outcome != Blocked || len(run.Stdout) > MaxOutput || len(run.Stderr) > MaxOutput {
			t.Errorf("%s: %v, %d and %d bytes", line, run.Outcome, len(run.Stdout), len(run.Stderr))
		}
		if v := newSession(t, Config{Dir: dir, Env: env, Entries: entriesAt(Stop, shell(t, line))}).run(StopInput{}); !v.Block {
			t.Errorf("%s: %.200q", line, v.Messages)
		}
	}
	for _, status := range []string{"0", "1", "126"} {
		s := newSession(t, Config{Dir: dir, Env: env, Entries: before(shell(t, flood+"; exit "+status))}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("make"), denied, "hook broken", "it printed more than 1048576 bytes")
	}
}

// One that has said too much and does not end is out of time, and a note says the rest.
func TestH11_TooMuchOutputWithoutAnEnd(t *testing.T) {
	noLeaks(t)
	p, err := start(exec.Command("/bin/sh", "-c", `head -c 2000000 /dev/zero; exec sleep 60`), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	<-p.stdout.over
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	reply := p.answer(ctx)
	wantFailure(t, reply, Cancelled, "")
	if len(reply.Notes) != 1 || !strings.Contains(reply.Notes[0], "more than 1048576 bytes") {
		t.Errorf("%q", reply.Notes)
	}
}
