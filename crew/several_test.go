package crew

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/assent-dev/assent/approval"
)

// idle: the crew has nothing in mind any more.
func idle(c *Crew) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.errands) == 0
}

// quiet: nobody was warned, and no session is noted.
func (s *site) quiet() {
	s.t.Helper()
	s.locked(func() {
		if len(s.warnings) > 0 {
			s.t.Errorf("warned: %q", s.warnings)
		}
	})
	if all := New(s.Config).notes.all(); len(all) > 0 {
		s.t.Errorf("noted: %v", all)
	}
}

// Two crews hear of the same answers, on one machine or on two, which have a notebook each.
// Every session goes on once, and nobody is warned of one that the other has.
func TestA3_TwoCrewsLetEverySessionGoOnOnce(t *testing.T) {
	for _, machines := range []int{1, 2} {
		t.Run(fmt.Sprint(machines, " machines"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			sites := []*site{newSite(t, dir), newSite(t, dir)}
			if machines == 2 {
				sites[1].Dir = t.TempDir()
			}
			var both sync.WaitGroup // no run ends before both have begun one
			both.Add(len(sites))
			for _, s := range sites {
				var first sync.Once
				s.Resume = func(ctx context.Context, id string) error {
					return s.resumeAfter(ctx, id, func() { first.Do(both.Done); both.Wait() })
				}
			}
			var tickets []approval.Ticket
			for range 50 {
				tickets = append(tickets, sites[0].park("make deploy")...)
			}
			for _, ticket := range tickets[:25] { // before anybody is at work
				sites[0].approve(ticket)
			}
			var crews []*Crew
			for _, s := range sites {
				c, _ := s.employ()
				crews = append(crews, c)
			}
			for _, ticket := range tickets[25:] {
				sites[1].approve(ticket)
			}
			for _, ticket := range tickets {
				until(t, ticket.ID, func() bool { return sites[0].state(ticket.ID) == approval.Done })
			}
			for _, c := range crews {
				until(t, "a crew knows that all is done", func() bool { return idle(c) })
			}
			for _, ticket := range tickets {
				if n := sites[0].times(ticket.Session) + sites[1].times(ticket.Session); n != 1 {
					t.Errorf("%s went on %d times", ticket.Session, n)
				}
			}
			for _, s := range sites {
				s.quiet()
				if len(s.wentOn()) == 0 {
					t.Error("a crew had nothing to do")
				}
			}
		})
	}
}

// Each crew lets the sessions go on that can go on there, and leaves the others alone, also
// while nobody else is there for them.
func TestA3_EachCrewServesItsOwnSessions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	labels := map[string]string{}
	var mu sync.Mutex
	serves := func(label string) *site {
		s := newSite(t, dir)
		s.Serves = func(_ context.Context, id string) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			return labels[id] == label, nil
		}
		return s
	}
	x, y := serves("x"), serves("y")
	answer := func(label string) (all []approval.Ticket) {
		for range 5 {
			ticket := y.park("make deploy")[0]
			mu.Lock()
			labels[ticket.Session] = label
			mu.Unlock()
			y.approve(ticket)
			all = append(all, ticket)
		}
		return all
	}
	done := func(tickets []approval.Ticket) func() bool {
		return func() bool {
			return !slices.ContainsFunc(tickets, func(t approval.Ticket) bool { return y.state(t.ID) != approval.Done })
		}
	}
	_, stop := x.employ()
	other, _ := y.employ()
	until(t, "both run their own", done(append(answer("x"), answer("y")...)))
	stop()
	missed := answer("x")
	until(t, "the other still runs its own", done(answer("y")))
	for _, ticket := range missed {
		if state := y.state(ticket.ID); state != approval.Approved || other.Problem(ticket.Session) != "" {
			t.Errorf("nobody serves it, and it is %s: %q", state, other.Problem(ticket.Session))
		}
	}
	again := serves("x")
	again.employ()
	until(t, "what was answered meanwhile", done(missed))
	until(t, "nothing is left to do", func() bool { return idle(other) })
	for label, ran := range map[string][]*site{"x": {x, again}, "y": {y}} {
		for _, s := range ran {
			for id := range s.wentOn() {
				if labels[id] != label {
					t.Errorf("%s serves a session of %s", label, labels[id])
				}
			}
			s.quiet()
		}
	}
}
