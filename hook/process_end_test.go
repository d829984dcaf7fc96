//go:build unix

package hook

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Others may hold the output of a hook that has ended, and what they would have said
// may be a denial.
func TestS19_AnAnswerThatOthersHoldIsNotComplete(t *testing.T) {
	deny := `echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"not now"}}'`
	for _, tt := range []struct {
		name, line string
		fail       OnFailure
		want       permission.Behavior
		reason     string
	}{
		{"nothing so far", "sleep 60 & exit 0", AsEvent, denied, "hook broken: command sleep 60 & exit 0: it ended while others held its stdout"},
		{"no opinion so far", "sleep 60 & echo '{}'", AsEvent, denied, "hook broken"},
		{"an allow so far", `sleep 60 & echo '{"decision":"approve"}'`, AsEvent, denied, "hook broken"},
		{"a denial", "sleep 60 & " + deny, AsEvent, denied, "not now"},
		{"exit status 2", "sleep 60 & echo stop >&2; exit 2", AsEvent, denied, "stop"},
		{"they hold stderr only", "sleep 60 >/dev/null & echo '{}'", AsEvent, allowed, ""},
		{"failures do not matter, what was said does", `sleep 60 & echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`, FailOpen, asked, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := noLeaks(t)
			dir := t.TempDir()
			s := newSession(t, Config{
				Dir: dir, Env: env, Entries: []Entry{{Event: PreToolUse, Handler: shell(t, tt.line), OnFailure: tt.fail}},
			}, textRule(t, rule.Allow, "Bash"))
			j := s.bash("ls")
			wantDecision(t, j, tt.want, tt.reason)
			if broken := j.Verdict.Runs[0].Outcome == Broken; broken != strings.HasPrefix(tt.reason, "hook broken") {
				t.Errorf("on record: %+v", j.Verdict.Runs[0])
			}
			if tt.want != allowed || tt.fail == FailOpen {
				wantNote(t, j.Verdict.Runs[0], "one that has left the group (setsid) goes on")
			}
		})
	}
}

// A hook that says that it goes on and ends at once has ended: its exit status counts.
func TestS20_TheExitStatusCountsAfterAnAsyncLine(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		exit       int
		failure    FailureKind
	}{
		{"it blocks", `echo '{"async":true}'; echo no >&2; exit 2`, 2, 0},
		{"it fails", `echo '{"async":true}'; exit 1`, 1, 0},
		{"it leaves a child", `echo '{"async":true}'; sleep 60 & exit 2`, 2, 0},
		{"it leaves a child without its output", `echo '{"async":true}'; sleep 60 >/dev/null 2>&1 & exit 2`, 2, 0},
		{"a signal", `echo '{"async":true}'; kill -KILL $$`, 0, Crashed},
		{"a program that is not there", `echo '{"async":true}'; no-such-program-here`, 127, CannotStart},
		{"it ends well", `echo '{"async":true}'; exit 0`, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command("/bin/sh", "-c", tt.line)
			cmd.Env = append(os.Environ(), noLeaks(t)...)
			p, err := start(cmd, []byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			closesSoon(t, "its first line", p.async)
			closesSoon(t, "its end", p.exited)
			reply := p.answer(t.Context())
			switch {
			case tt.failure != 0:
				wantFailure(t, reply, tt.failure, "")
			case tt.exit == 0:
				wantBackground(t, reply)
				closesSoon(t, "the end of the hook", reply.Background)
			case reply.Failure != nil || reply.Background != nil || reply.Exit == nil || *reply.Exit != tt.exit:
				t.Errorf("got %s", show(reply))
			}
		})
	}
}

// How a command ended that went on is known when it has.
func TestS39_TheEndOfACommandThatWentOn(t *testing.T) {
	status := func(n int) *int { return &n }
	for _, tt := range []struct {
		name, line string
		abandon    bool
		want       Reply
	}{
		{"well", `echo '{"async":true}'; read line < gate; exit 0`, false, Reply{Exit: status(0)}},
		{"with an error", `echo '{"async":true}'; read line < gate; echo disk full >&2; exit 9`, false, Reply{Exit: status(9), Stderr: []byte("disk full\n")}},
		{"with a signal", `echo '{"async":true}'; read line < gate; kill -KILL $$`, false, failed(Crashed, "SIGKILL")},
		{"out of time", `echo '{"async":true,"asyncTimeout":50}'; sleep 60`, false, failed(TimedOut, "within 50ms")},
		{"its child out of time", `echo '{"async":true,"asyncTimeout":50}'; sleep 60 & exit 0`, false, failed(TimedOut, "within 50ms")},
		{"abandoned", `echo '{"async":true}'; sleep 60`, true, failed(Cancelled, "the session is over")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := noLeaks(t)
			dir := t.TempDir()
			open := gate(t, dir)
			reply := shell(t, tt.line).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: dir, Env: env})
			wantBackground(t, reply)
			if strings.Contains(tt.line, "gate") {
				open()
			}
			if tt.abandon {
				reply.Abandon()
			}
			closesSoon(t, "the end of the hook", reply.Background)
			end := reply.Ended()
			if tt.want.Failure != nil {
				wantFailure(t, end, tt.want.Failure.Kind, tt.want.Failure.Text)
			} else if end.Failure != nil || end.Exit == nil || *end.Exit != *tt.want.Exit || string(end.Stderr) != string(tt.want.Stderr) {
				t.Errorf("it ended with %s", show(end))
			}
		})
	}
}

// What others hold and what was too much are told apart: the exit status of a hook that
// printed too much is no answer unless it blocks, whoever holds its output.
func TestH11_TooMuchOutputThatOthersHold(t *testing.T) {
	for status, want := range map[string]FailureKind{"0": TooMuch, "1": TooMuch, "2": 0} {
		env := noLeaks(t)
		cmd := exec.Command("/bin/sh", "-c", "sleep 60 & head -c 2000000 /dev/zero; exit "+status)
		cmd.Env = append(os.Environ(), env...)
		p, err := start(cmd, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		closesSoon(t, "its end", p.exited)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		reply := p.answer(ctx)
		if !reply.HeldOpen {
			t.Errorf("exit status %s: %s", status, show(reply))
		}
		switch {
		case want != 0:
			wantFailure(t, reply, want, "more than 1048576 bytes")
		case reply.Failure != nil || reply.Exit == nil || *reply.Exit != exitBlocks:
			t.Errorf("exit status %s: %s", status, show(reply))
		}
	}
}
