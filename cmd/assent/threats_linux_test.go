package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// fields are the input of a call.
type fields map[string]string

// swapped is a project with a directory beside it that holds what nobody has approved.
type swapped struct {
	*place
	outside string
	tickets *approval.Store
}

func newSwapped(t *testing.T) *swapped {
	t.Helper()
	s := &swapped{place: newPlace(t)}
	s.outside = filepath.Join(filepath.Dir(s.dir), "outside")
	for _, dir := range []string{s.outside, filepath.Join(s.dir, "docs")} {
		s.must(os.Mkdir(dir, 0o755))
	}
	s.write("end.yaml", "turns: []\nafterwards: Done.\n")
	var err error
	s.tickets, err = approval.Open(filepath.Join(s.home, ".assent"))
	s.must(err)
	t.Cleanup(func() { s.tickets.Close() })
	return s
}

func (s *swapped) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// untouched: nothing was made outside, and nothing changed.
func (s *swapped) untouched(want string) {
	s.t.Helper()
	if got := tree(s.t, s.outside); got != want {
		s.t.Errorf("something was done outside: %s", got)
	}
}

// Between the yes and the run somebody puts a link into the path of the file: what was
// approved does not happen at another place, and the person can read why.
func TestT7_AYesDoesNotFollowANewLink(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]struct {
		tool  string
		input fields
		swap  func(*swapped) error
		runs  bool
	}{
		"nothing": {"Write", fields{"file_path": "docs/new.txt", "content": "x"}, func(*swapped) error { return nil }, true},
		"the directory is a link": {"Write", fields{"file_path": "docs/new.txt", "content": "x"}, func(s *swapped) error {
			s.must(os.Rename(filepath.Join(s.dir, "docs"), filepath.Join(s.dir, "docs2")))
			return os.Symlink(s.outside, filepath.Join(s.dir, "docs"))
		}, false},
		"the file is a link": {"Write", fields{"file_path": "docs/new.txt", "content": "x"}, func(s *swapped) error {
			return os.Symlink(filepath.Join(s.outside, "made.txt"), filepath.Join(s.dir, "docs", "new.txt"))
		}, false},
		"a part of the path comes into being as a link": {"Write", fields{"file_path": "docs/a/b/new.txt", "content": "x"}, func(s *swapped) error {
			return os.Symlink(s.outside, filepath.Join(s.dir, "docs", "a"))
		}, false},
		"what is read is a link": {"Read", fields{"file_path": "docs/shown.txt"}, func(s *swapped) error {
			s.must(os.Remove(filepath.Join(s.dir, "docs", "shown.txt")))
			return os.Symlink(filepath.Join(s.outside, "secret.txt"), filepath.Join(s.dir, "docs", "shown.txt"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSwapped(t)
			s.write("docs/shown.txt", "shown\n")
			s.must(os.WriteFile(filepath.Join(s.outside, "secret.txt"), []byte("canary-of-the-outside\n"), 0o600))
			before := tree(t, s.outside)
			ticket := s.lay(s.tickets, session.NewID(), attack.tool, attack.input)
			if said, complained, status := s.say("approve", ticket.ID); status != 0 {
				t.Fatal(said, complained)
			}
			s.must(attack.swap(s))
			said, complained, _ := s.say("-p", "--resume", ticket.Session, "--model", "script:"+filepath.Join(s.dir, "end.yaml"))
			s.untouched(before)
			if transcript := tree(t, filepath.Join(s.home, ".assent", "sessions")); strings.Contains(transcript, "canary-of-the-outside") {
				t.Error("the model has read what is outside")
			}
			got, err := s.tickets.Find(t.Context(), ticket.ID)
			s.must(err)
			switch {
			case attack.runs && got.State != approval.Done:
				t.Errorf("%s: %s%s", got.State, said, complained)
			case !attack.runs && (got.State != approval.Refused || !strings.Contains(complained, "it was approved for the file "+filepath.Join(s.dir, "docs"))):
				t.Errorf("%s: %s%s", got.State, said, complained)
			}
		})
	}
}

// Between the look of a person and the yes somebody puts a link into the path of the file: the
// yes was to the file that was there when the call was parked. Who names the new one means it.
func TestT7_ALinkThatComesBeforeTheYes(t *testing.T) {
	t.Parallel()
	s := newSwapped(t)
	ticket := s.lay(s.tickets, session.NewID(), "Write", fields{"file_path": "docs/new.txt", "content": "x"})
	was, is := filepath.Join(s.dir, "docs", "new.txt"), filepath.Join(s.outside, "new.txt")
	if said, complained, status := s.say("sessions", "show", ticket.ID); status != 0 || !strings.Contains(said, was+", when it was parked") {
		t.Error(said, complained)
	}
	s.must(os.Remove(filepath.Join(s.dir, "docs")))
	s.must(os.Symlink(s.outside, filepath.Join(s.dir, "docs")))
	refused := func(args ...string) {
		t.Helper()
		said, complained, status := s.say(args...)
		if status != 1 || !strings.Contains(said+complained, "leads to "+is+" now; it led to "+was+" when it was parked") {
			t.Errorf("%v: %d: %s%s", args, status, said, complained)
		}
	}
	_, link := s.serving("--no-resume", "--", "--model", "script:"+filepath.Join(s.dir, "end.yaml"))
	address, token, _ := strings.Cut(link, "/#token=")
	s.write("token", token+"\n")
	s.must(os.Chmod(filepath.Join(s.dir, "token"), 0o600))
	refused("approve", ticket.ID)
	refused("approve", ticket.ID, "--server", address, "--token-file", "token")
	if got, err := s.tickets.Find(t.Context(), ticket.ID); err != nil || got.State != approval.Pending {
		t.Errorf("%+v, %v", got, err)
	}
	if said, complained, status := s.say("approve", ticket.ID, "--place", is); status != 0 {
		t.Error(said, complained)
	}
	if got, err := s.tickets.Find(t.Context(), ticket.ID); err != nil || got.State != approval.Approved || len(got.Answer.Places) != 1 || got.Answer.Places[0] != is {
		t.Errorf("%+v, %v", got.Answer, err)
	}
}

// Somebody exchanges a directory and a link to another one all the time while the workers
// of a server run what was approved. Nothing happens outside.
func TestT7_RacingLinksWhileWorkersRun(t *testing.T) {
	t.Parallel()
	s := newSwapped(t)
	docs, link := filepath.Join(s.dir, "docs"), filepath.Join(s.dir, "link")
	approve := []string{"approve"}
	const calls = 24
	for i := range calls {
		ticket := s.lay(s.tickets, session.NewID(), "Write", fields{"file_path": fmt.Sprintf("docs/n%d.txt", i), "content": "x"})
		approve = append(approve, ticket.ID)
	}
	if said, complained, status := s.say(approve...); status != 0 {
		t.Fatal(said, complained)
	}
	s.must(os.Symlink(s.outside, link))
	exchange := func() error {
		return unix.Renameat2(unix.AT_FDCWD, docs, unix.AT_FDCWD, link, unix.RENAME_EXCHANGE)
	}
	if err := exchange(); err != nil {
		t.Skip("this file system cannot exchange names")
	}
	ctx, stop := context.WithCancel(t.Context())
	var attacker sync.WaitGroup
	attacker.Go(func() {
		for ctx.Err() == nil {
			_ = exchange()
		}
	})
	defer attacker.Wait()
	defer stop()
	server, _ := s.serving("--", "--model", "script:"+filepath.Join(s.dir, "end.yaml"))
	count := map[approval.State]int{}
	for deadline := time.After(4 * patienceOfTests); ; {
		clear(count)
		list, err := s.tickets.List(t.Context(), approval.Query{})
		s.must(err)
		over := 0
		for _, ticket := range list {
			if count[ticket.State]++; ticket.State.Over() {
				over++
			}
		}
		if over == calls {
			break
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			t.Fatalf("%v\n%s", count, server.stderr)
		}
	}
	t.Log(count)
	s.untouched(tree(t, t.TempDir()))
	if count[approval.Done] == 0 || count[approval.Done] == calls {
		t.Errorf("%v: the links came at the wrong moments, and nothing was put at risk", count)
	}
}

// The workers of a server and up to seven other processes go on with the same session at
// once, and whoever comes to a moment that matters first is killed there. No call runs
// twice, and none is lost.
func TestT15_AServerAndOthersRunACallOnce(t *testing.T) {
	t.Parallel()
	c := newServeCrash(t, 15)
	c.write("settings.json", `{}`)
	for i, point := range append(resumePoints(), "nowhere") {
		r := c.park(point)
		r.approve(r.ticket())
		env := []string{crashVariable + "=" + point, crashOnceVariable + "=" + r.once()}
		var all sync.WaitGroup
		all.Go(func() { r.together(2+i%6, env) })
		server := c.serve(env...)
		all.Wait()
		c.kill(server)
		switch {
		case r.fell():
			c.fell++
		case point != "nowhere":
			t.Errorf("%s: nobody came to that moment\n%s", point, server.stderr)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var person sync.WaitGroup
	person.Go(func() { c.answerAll(ctx) })
	c.endWhen(func(r *crashRound) bool { return true })
	stop()
	person.Wait()
	for _, r := range c.rounds {
		if !r.finished() { // who has died after the call and before the model was told is started again
			r.resume(nil)
		}
	}
	c.judge()
	t.Log(c)
	if c.twice > 0 || c.lost > 0 {
		t.Error("a call ran twice, or was lost")
	}
	if c.unknown.Load() == 0 || c.fell == 0 {
		t.Error("the kills came at the wrong moments: nothing was put at risk")
	}
}
