package approval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Finish tells how a claimed call ended.
func (s *Store) Finish(ctx context.Context, id string, fence int64, ok bool, note string) error {
	c := fail
	if ok {
		c = finish
	}
	_, err := s.do(ctx, id, move{change: c, fence: fence, who: "assent", note: note, apply: func(t *Ticket) { t.Holder = "" }})
	return err
}

// Release gives a claimed call back that has done nothing: it is what it was before the claim. What
// people have said about it was for one run, and that has not begun.
func (s *Store) Release(ctx context.Context, id string, fence int64) error {
	_, err := s.do(ctx, id, move{change: release, fence: fence, who: "assent", note: "given back: it was interrupted before it had done anything", apply: func(t *Ticket) {
		t.Holder = ""
		if t.Answer == nil { // a hook or a rule has let it run, or time has
			t.State = Pending
		}
	}})
	return err
}

// Overtaken: something was said about a ticket since somebody looked at it.
type Overtaken struct{ ID string }

func (e *Overtaken) Error() string {
	return fmt.Sprintf("something was said about the ticket %s since it was looked at", e.ID)
}

// Refuse tells that a call is not run, and the model is told so.
func (s *Store) Refuse(ctx context.Context, id, by, note string) error {
	_, err := s.do(ctx, id, move{change: refuse, who: by, note: note})
	return err
}

// RefuseSeen is Refuse as long as the ticket says what it said when that was decided; see
// [Ticket.Said]. If it says something else by now the error is an [*Overtaken], and nothing
// is changed.
func (s *Store) RefuseSeen(ctx context.Context, id, seen, by, note string) error {
	_, err := s.do(ctx, id, move{change: refuse, who: by, note: note, check: func(t Ticket) error {
		if seen != t.Said() {
			return &Overtaken{t.ID}
		}
		return nil
	}})
	return err
}

// Cancel tells that the session goes on without the call, which nobody has answered.
func (s *Store) Cancel(ctx context.Context, id, by, note string) error {
	_, err := s.do(ctx, id, move{change: cancel, who: by, note: note})
	return err
}

// CancelAll tells that the session goes on without calls that nobody has answered: without
// all of them, or none. One that is cancelled or refused already stays as it is.
func (s *Store) CancelAll(ctx context.Context, ids []string, by, note string) error {
	return s.db.Within(ctx, func(tx *database.Tx) error {
		for _, id := range slices.Sorted(slices.Values(ids)) { // two who do so wait for each other in one order
			t, err := findToChange(ctx, tx, id)
			if err == nil {
				err = s.expireOne(ctx, tx, &t)
			}
			if err == nil && t.State != Cancelled && t.State != Refused {
				err = s.apply(ctx, tx, &t, move{change: cancel, who: by, note: note})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Record tells that a call ran of whose run these tickets know nothing, and how it ended.
func (s *Store) Record(ctx context.Context, id string, ok bool, by, note string) error {
	c := recordFailure
	if ok {
		c = record
	}
	_, err := s.do(ctx, id, move{change: c, who: by, note: note, apply: func(t *Ticket) { t.Holder = "" }})
	return err
}

// Lose marks a call whose process has died: nobody knows whether it ran.
func (s *Store) Lose(ctx context.Context, id string, fence int64, note string) error {
	_, err := s.do(ctx, id, move{change: lose, fence: fence, who: "assent", note: note})
	return err
}

// Resolve records what a person has found out about a call whose outcome is unknown. One
// that did not run waits again, for a person and for as long as it takes: its approval was
// for one run, and the end of its time says nothing about a second one.
func (s *Store) Resolve(ctx context.Context, id string, ran bool, by, note string) (Ticket, error) {
	c := confirmNotRun
	if ran {
		c = confirmRan
	}
	return s.do(ctx, id, move{change: c, who: by, note: note, apply: func(t *Ticket) {
		t.Holder = ""
		if !ran {
			t.Answer, t.Expires = nil, time.Time{}
		}
	}})
}
