package approval

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// atOnce does something in many goroutines, in turn with one and with another of two stores on
// the same tickets.
func (c *counter) atOnce(t *testing.T, many int, do func(i int, s *Store)) {
	t.Helper()
	stores := []*Store{c.Store, c.other(t)}
	stores[1].now = c.now
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			<-begin
			do(i, stores[i%2])
		})
	}
	close(begin)
	all.Wait()
}

const (
	manyAtOnce = 8
	rounds     = 10
)

// However many park a call at once, it has one ticket.
func TestA5_ACallThatManyParkHasOneTicket(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for way, park := range map[string]func(*Store, Call) (Ticket, error){
			"park": func(s *Store, call Call) (Ticket, error) {
				return s.Park(t.Context(), Parking{Call: call, By: "hook", At: c.time})
			},
			"hold": func(s *Store, call Call) (Ticket, error) {
				return s.Hold(t.Context(), "other-agent", Parking{Call: call, By: "guard"})
			},
		} {
			var ids sync.Map
			c.atOnce(t, manyAtOnce, func(_ int, s *Store) {
				for round := range rounds {
					session := fmt.Sprint(way, round)
					ticket, err := park(s, deploy(session))
					if err != nil {
						t.Error(err)
					} else if before, some := ids.LoadOrStore(session, ticket.ID); some && before != ticket.ID {
						t.Errorf("%s has the tickets %s and %s", session, before, ticket.ID)
					}
				}
			})
		}
		if list, err := c.List(t.Context(), Query{}); err != nil || len(list) != 2*rounds {
			t.Errorf("%d tickets, %v", len(list), err)
		}
	})
}

// A yes is for one run.
func TestA5_OneOfManyClaimsOfOneYes(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		var tickets []Ticket
		for round := range rounds {
			ticket := c.park(deploy(fmt.Sprint(round)))
			c.drive(ticket.ID, Approved)
			tickets = append(tickets, ticket)
		}
		var won [rounds]atomic.Int64
		c.atOnce(t, manyAtOnce, func(i int, s *Store) {
			for round, ticket := range tickets {
				_, err := s.Claim(t.Context(), ticket.ID, ticket.Call, nil, fmt.Sprint(i))
				var wrong *WrongState
				if err == nil {
					won[round].Add(1)
				} else if !errors.As(err, &wrong) || wrong.State != Running {
					t.Error(err)
				}
			}
		})
		for round := range won {
			if n := won[round].Load(); n != 1 {
				t.Errorf("round %d: %d have claimed it", round, n)
			}
		}
	})
}

// Of a yes and a no at the same time what was said last holds, and nobody hears that
// something holds which does not: a no is never followed by a yes.
func TestA5_YesAndNoAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for round := range rounds {
			ticket := c.park(deploy(fmt.Sprint(round)))
			var yes, no atomic.Int64
			c.atOnce(t, manyAtOnce, func(i int, s *Store) {
				var wrong *WrongState
				var err error
				if i%4 < 2 {
					if _, err = s.Approve(t.Context(), ticket.ID, ticket.Digest, fmt.Sprint(i), "", nil); err == nil {
						yes.Add(1)
					}
				} else if _, err = s.Deny(t.Context(), ticket.ID, ticket.Digest, fmt.Sprint(i), ""); err == nil {
					no.Add(1)
				}
				if err != nil && !errors.As(err, &wrong) {
					t.Error(err)
				}
			})
			history, err := c.History(t.Context(), ticket.ID)
			must(t, err)
			got := c.find(ticket.ID)
			if no.Load() != 1 || yes.Load() > 1 || got.State != Denied || int64(len(history)) != 1+yes.Load()+no.Load() || got.Answer.By != history[len(history)-1].Who {
				t.Errorf("%d times yes, %d times no: %s by %s, %+v", yes.Load(), no.Load(), got.State, got.Answer.By, history)
			}
		}
	})
}

// A no that somebody hears was said is kept, however its session ends at that moment.
func TestA5_ANoWhileItsSessionIsForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for round := range 3 * rounds {
			session := fmt.Sprint(round)
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(session), At: c.time})
			must(t, err)
			var said atomic.Bool
			c.atOnce(t, 2, func(i int, s *Store) {
				if i == 1 {
					if err := s.Forget(t.Context(), session); err != nil {
						t.Error(err)
					}
					return
				}
				_, err := s.Deny(t.Context(), ticket.ID, ticket.Digest, "ann", "no")
				var gone *NoTicket
				if said.Store(err == nil); err != nil && !errors.As(err, &gone) {
					t.Error(err)
				}
			})
			no, err := c.NoIn(t.Context(), session, ticket.ToolUseID, c.time)
			if err != nil || (no != nil) != said.Load() || no != nil && no.Behavior != permission.Deny {
				t.Errorf("said: %v; kept: %+v, %v", said.Load(), no, err)
			}
		}
	})
}

// The end of a time and an answer at the same moment: one of them holds.
func TestA5_TimeEndsWhileSomebodyAnswers(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for round := range rounds {
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(fmt.Sprint(round)), Lasts: time.Hour})
			must(t, err)
			c.time = c.time.Add(time.Hour)
			c.atOnce(t, manyAtOnce, func(_ int, s *Store) {
				if got, err := s.Find(t.Context(), ticket.ID); err != nil || got.State != Expired {
					t.Errorf("%s, %v", got.State, err)
				}
				if err := s.Expire(t.Context()); err != nil {
					t.Error(err)
				}
				var wrong *WrongState
				if _, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil); !errors.As(err, &wrong) || wrong.State != Expired {
					t.Error(err)
				}
			})
			if history, err := c.History(t.Context(), ticket.ID); err != nil || len(history) != 2 {
				t.Errorf("%+v, %v", history, err)
			}
		}
	})
}

// Whoever follows is told every change once, whoever makes it, and however many do so.
func TestA5_FollowingMany(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		const each = 250 // changes: that many are made by each of those
		after, err := c.Settled(t.Context())
		must(t, err)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		seen := map[int64]int{}
		tickets := map[string][]State{}
		resume := after
		ended := make(chan error, 1)
		go func() {
			ended <- c.other(t).Follow(ctx, after, nil, func(list []Change) {
				for _, one := range list {
					seen[one.Serial]++
					tickets[one.Ticket] = append(tickets[one.Ticket], one.To)
					if one.Resume < resume || one.Resume > one.Serial && seen[one.Resume] == 0 {
						t.Errorf("%d: resume after %d", one.Serial, one.Resume)
					}
					resume = one.Resume
				}
				if len(seen) >= manyAtOnce*each {
					stop()
				}
			})
		}()
		c.atOnce(t, manyAtOnce, func(i int, s *Store) {
			for n := range each / 2 {
				ticket, err := s.Park(t.Context(), Parking{Call: deploy(fmt.Sprint(i, "-", n))})
				if err == nil {
					err = s.Cancel(t.Context(), ticket.ID, "me", "")
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
		must(t, <-ended)
		for serial, n := range seen {
			if n != 1 {
				t.Errorf("%d was told %d times", serial, n)
			}
		}
		if len(seen) != manyAtOnce*each || len(tickets) != manyAtOnce*each/2 {
			t.Errorf("%d changes of %d tickets", len(seen), len(tickets))
		}
		for id, states := range tickets { // what follows from each other is told so
			if len(states) != 2 || states[0] != Pending || states[1] != Cancelled {
				t.Errorf("%s: %v", id, states)
			}
		}
	})
}
