package crew

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// killedVariable is the state directory of the crew that is killed in its test, which is this
// test in a process of its own.
const killedVariable = "ASSENT_TEST_CREW_KILLED"

// A crew is killed while it runs a call. Nobody knows whether that ran, and the other crew
// says so; when a person has found out and answered again, it goes on with the session.
func TestA3_ACrewThatIsKilledInACallLeavesItToTheOther(t *testing.T) {
	if dir := os.Getenv(killedVariable); dir != "" {
		dieInACall(newSite(t, dir))
	}
	for _, machines := range []int{1, 2} {
		dir := t.TempDir()
		s := newSite(t, dir)
		if machines == 2 {
			s.Dir = t.TempDir()
		}
		ticket := s.park("make deploy")[0]
		s.approve(ticket)
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), killedVariable+"="+dir)
		out, err := child.StdoutPipe()
		s.must(err)
		s.must(child.Start())
		ended := sync.OnceFunc(func() { _ = child.Process.Kill(); _ = child.Wait() })
		t.Cleanup(ended)
		if line, _ := bufio.NewReader(out).ReadString('\n'); line != "began\n" {
			t.Fatalf("%q", line)
		}
		c, stop := s.employ()
		second := s.park("make test")[0]
		s.approve(second)
		until(t, "the other session goes on", func() bool { return s.state(second.ID) == approval.Done })
		c.sweepAll(t.Context())
		if state := s.state(ticket.ID); state != approval.Running {
			t.Errorf("it runs, and is %s", state)
		}
		ended()
		until(t, "the call is unknown", func() bool { return s.state(ticket.ID) == approval.Unknown })
		if s.times(ticket.Session) != 0 {
			t.Error("it went on although nobody knows whether the call ran")
		}
		_, err = s.Tickets.Resolve(t.Context(), ticket.ID, false, "ann", "")
		s.must(err)
		s.approve(ticket)
		until(t, "the session goes on", func() bool { return s.state(ticket.ID) == approval.Done })
		until(t, "nothing is left to do", func() bool { return idle(c) })
		stop()
		if n := s.times(ticket.Session); n != 1 {
			t.Errorf("it went on %d times", n)
		}
		s.quiet()
	}
}

// dieInACall lets a session go on until its call has begun, and waits for its end.
func dieInACall(s *site) {
	s.Most = 1
	s.Resume = func(ctx context.Context, id string) error {
		tr, err := s.Sessions.Resume(id)
		s.must(err)
		tickets, err := s.Tickets.List(ctx, approval.Query{Session: id})
		s.must(err)
		_, err = s.Tickets.Claim(ctx, tickets[0].ID, tickets[0].Call, nil, "the one that dies")
		s.must(err)
		s.must(tr.Append(session.Began, session.Beginning{ToolUseID: tickets[0].ToolUseID}))
		_, err = os.Stdout.WriteString("began\n")
		s.must(err)
		select {}
	}
	s.employ()
	select {}
}
