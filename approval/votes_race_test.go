package approval

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// Of people who vote at the same moment one is the last: it is approved once, with the others.
func TestA4_VotersAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, need := range []int{2, manyAtOnce} {
			for round := range rounds {
				ticket := c.parkWith(fmt.Sprint(need, "-", round), permission.Terms{Approvers: need})
				var approved atomic.Int64
				c.atOnce(t, need, func(i int, s *Store) {
					got, err := s.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: fmt.Sprint("p", i), Voter: fmt.Sprint("p", i)})
					if err != nil {
						t.Error(err)
					}
					if got.State == Approved {
						approved.Add(1)
					}
				})
				if got := c.find(ticket.ID); got.State != Approved || approved.Load() != 1 || len(got.Answer.Others) != need-1 {
					t.Errorf("%d people: %s, approved by %d", need, got.State, approved.Load())
				}
			}
		}
	})
}

// One person who votes many times at once has one vote.
func TestA4_OneVoterManyTimesAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for round := range rounds {
			ticket := c.parkWith(fmt.Sprint(round), two)
			var kept atomic.Int64
			c.atOnce(t, manyAtOnce, func(i int, s *Store) {
				_, err := s.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, Voter: []string{"ben", "Ben"}[i/4%2]})
				var voted *Voted
				if err == nil {
					kept.Add(1)
				} else if !errors.As(err, &voted) {
					t.Error(err)
				}
			})
			if got := c.find(ticket.ID); got.State != Pending || kept.Load() != 1 || c.rows(ticket.ID) != 1 {
				t.Errorf("%s, %d votes were kept, %d are there", got.State, kept.Load(), c.rows(ticket.ID))
			}
		}
	})
}

// A vote beside something else that happens to the ticket: whatever comes first, the call runs
// only with all votes, or because the other thing lets it, and no vote is left over.
func TestA4_AVoteBesideSomethingElse(t *testing.T) {
	for name, one := range map[string]struct {
		other func(*Store, Ticket) error
		// may are the states that may come out of both.
		may []State
	}{
		"a no": {func(s *Store, t Ticket) error {
			_, err := s.Deny(context.Background(), t.ID, t.Digest, "dan", "no")
			return err
		}, []State{Denied}},
		"a claim by a rule": {func(s *Store, t Ticket) error {
			_, err := s.ClaimSeen(context.Background(), t.ID, t.Said(), t.Call, nil, "me")
			if _, seen := errors.AsType[*Overtaken](err); seen { // by the second yes
				return nil
			}
			return err
		}, []State{Running, Approved}},
		"an end of time": {func(s *Store, t Ticket) error {
			late := *s // whose clock goes an hour ahead
			late.now = func() time.Time { return s.now().Add(time.Hour) }
			return late.Expire(context.Background())
		}, []State{Expired, Approved}},
		"a withdrawal": {func(s *Store, t Ticket) error {
			_, err := s.Withdraw(context.Background(), t.ID, "ben")
			if wrong, late := errors.AsType[*WrongState](err); late && wrong.State == Approved {
				return nil
			}
			return err
		}, []State{Pending, Approved}},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, newStore storeMaker) {
				c := newStore(t)
				for round := range rounds {
					ticket, err := c.Park(t.Context(), Parking{Call: deploy(fmt.Sprint(round)), Terms: two, Lasts: time.Hour})
					must(t, err)
					_, err = c.yes(ticket, "ben")
					must(t, err)
					ticket = c.find(ticket.ID)
					c.atOnce(t, 2, func(i int, s *Store) {
						if i == 1 {
							if err := one.other(s, ticket); err != nil {
								t.Error(err)
							}
							return
						}
						_, err := s.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, Voter: "cleo"})
						if _, wrong := errors.AsType[*WrongState](err); err != nil && !wrong {
							t.Error(err)
						}
					})
					got := c.find(ticket.ID)
					fits := false
					for _, state := range one.may {
						fits = fits || got.State == state
					}
					if !fits || got.State == Approved && len(got.Answer.Others) != 1 || got.State == Running && c.rows(ticket.ID) != 0 {
						t.Errorf("%s, %+v, %d votes", got.State, got.Answer, c.rows(ticket.ID))
					}
				}
			})
		})
	}
}
