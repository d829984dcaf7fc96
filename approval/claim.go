package approval

import (
	"cmp"
	"context"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Claim makes a ticket the caller's to run, and returns the fence with which its end has
// to be told. call is the parked call as the caller knows it, and runs the input with
// which it will run; nil means that of the call. Of what a person has approved nothing
// else may run: the error is a [*NotApproved]. An answer that may still be taken back is an
// [*Unsettled], and nothing is changed. A yes that does not count any more is a [*WaitsAgain].
func (s *Store) Claim(ctx context.Context, id string, call Call, runs strictjson.Raw, holder string) (fence int64, err error) {
	return s.claim(ctx, id, Parking{Call: call}, runs, holder, func(Ticket) error { return nil })
}

// ClaimSeen is Claim as long as the ticket says what it said when it was decided to run its
// call; see [Ticket.Said]. If it says something else by now, because an answer was taken
// back or another one was given, the error is an [*Overtaken], and nothing is changed.
func (s *Store) ClaimSeen(ctx context.Context, id, seen string, call Call, runs strictjson.Raw, holder string) (fence int64, err error) {
	return s.ClaimHeeding(ctx, id, seen, Parking{Call: call}, runs, holder)
}

// ClaimHeeding is ClaimSeen of a call that may have been denied in a session which this one is a fork of,
// see [Parking.Forks]. It is denied here as well then, and the error is an [*Overtaken].
func (s *Store) ClaimHeeding(ctx context.Context, id, seen string, p Parking, runs strictjson.Raw, holder string) (fence int64, err error) {
	return s.claim(ctx, id, p, runs, holder, func(t Ticket) error {
		if seen != t.Said() {
			return &Overtaken{t.ID}
		}
		return nil
	})
}

func (s *Store) claim(ctx context.Context, id string, p Parking, runs strictjson.Raw, holder string, may func(Ticket) error) (fence int64, err error) {
	still, err := s.still(ctx)
	if err != nil {
		return 0, err
	}
	var again *WaitsAgain
	var no *move
	t, err := s.do(ctx, id, move{
		change: claim, who: holder,
		check: func(t Ticket) error {
			if t.State == Expired && !t.lapses() {
				return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
			}
			if err := cmp.Or(t.Matches(p.Call), may(t), t.settled(s.now())); err != nil {
				return err
			}
			if runs == nil {
				runs = p.Call.Input
			}
			return t.covers(runs)
		},
		instead: func(ctx context.Context, tx *database.Tx, t *Ticket) (_ *move, err error) {
			if no, err = s.inherited(ctx, tx, t, p); err != nil || no != nil {
				return no, err
			}
			if again, err = t.lapsed(ctx, tx, still); err != nil {
				return nil, err
			}
			return s.reopens(ctx, tx, t, again, holder)
		},
		apply: func(t *Ticket) { t.Fence, t.Holder = t.Fence+1, holder },
	})
	switch {
	case err == nil && no != nil:
		return 0, &Overtaken{t.ID}
	case err == nil && again != nil:
		return 0, again
	}
	return t.Fence, err
}
