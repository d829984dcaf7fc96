package approval

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Unsettled: the answer to a ticket may still be taken back, so nobody acts on it.
type Unsettled struct {
	ID    string
	Until time.Time
}

func (e *Unsettled) Error() string {
	return fmt.Sprintf("the answer to the ticket %s may be taken back until %s, and nobody acts on it before", e.ID, e.Until.Local().Format(WithZone))
}

// Settled: the answer to a ticket cannot be taken back any more.
type Settled struct {
	ID string
	// Answer is the one that holds.
	Answer *Answer
}

func (e *Settled) Error() string {
	text := fmt.Sprintf("the answer to the ticket %s cannot be taken back: %s has said %s at %s", e.ID, e.Answer.By, e.Answer.Behavior, e.Answer.At.Local().Format(WithZone))
	if !e.Answer.Settles.IsZero() {
		text += fmt.Sprintf(", and the time for that ended at %s", e.Answer.Settles.Local().Format(WithZone))
	}
	return text
}

// arriving is how long an answer may be on its way to a guard that waits for it.
const arriving = time.Second

// UndoUntil is until when an answer that is given now can be taken back, of which somebody wants to be able
// to for a while. Nobody acts on it before, so the while ends early enough for a guard that waits to get the
// answer before it gives up; it is over at once where there is no time for it.
func (t *Ticket) UndoUntil(now time.Time, while time.Duration) time.Time {
	until := now.Add(while)
	if last := t.Waits.Add(-arriving); t.Waits.After(now) && last.Before(until) {
		return last
	}
	return until
}

// SendNow lets an answer hold that could still be taken back, as whoever gave it wants. said is what the
// ticket said with that answer, see [Ticket.Said]; if it says something else by now the error is an
// [*Overtaken]. Where the answer holds already nothing is changed.
func (s *Store) SendNow(ctx context.Context, id, said, by string) (t Ticket, err error) {
	err = s.db.Within(ctx, func(tx *database.Tx) error {
		if t, err = s.current(ctx, tx, id); err != nil {
			return err
		}
		if said != t.Said() || t.Answer == nil {
			return &Overtaken{t.ID}
		}
		if t.UnsettledUntil(s.now()).IsZero() {
			return nil
		}
		a := *t.Answer
		a.Settles = time.Time{}
		t.Answer = &a
		text, err := a.text()
		if err != nil {
			return err
		}
		changes := []database.Change{
			{Text: "UPDATE tickets SET answer = $1 WHERE id = $2 AND " + inState + "$3", Args: []any{text, t.ID, t.State}, One: true},
			s.event(tx, t, t.State, KindSent, by, "", ""),
		}
		for _, also := range s.also { // what follows from the answer follows now
			more, err := also(ctx, tx, t, "")
			if err != nil {
				return err
			}
			changes = append(changes, more...)
		}
		_, err = tx.Make(ctx, changes...)
		return err
	})
	return t, err
}

// clockSlack is how far a clock may be set back before that is noticed.
const clockSlack = time.Minute

// UnsettledUntil is until when the answer to a ticket may be taken back, and nobody acts on
// it; zero means that one may. An answer from the future was given before the clock was set
// back: nobody waits until that future comes.
func (t *Ticket) UnsettledUntil(now time.Time) time.Time {
	a := t.Answer
	if a == nil || t.State != Approved && t.State != Denied || !a.Settles.After(now) || a.At.Sub(now) > clockSlack {
		return time.Time{}
	}
	return a.Settles
}

// late: the time to answer is over.
func (t *Ticket) late(now time.Time) bool { return !t.Expires.IsZero() && !t.Expires.After(now) }

// settled refuses an answer that may still be taken back.
func (t *Ticket) settled(now time.Time) error {
	if until := t.UnsettledUntil(now); !until.IsZero() {
		return &Unsettled{t.ID, until}
	}
	return nil
}

// fetching is how long a yes can be fetched that settles when the time of its ticket is over,
// or almost: whoever waits for it is woken then.
const fetching = 10 * time.Second

// stale: the time in which a yes can be fetched is over. One that was given in time is not
// lost to the time in which it could be taken back.
func (t *Ticket) stale(now time.Time) bool {
	until := t.Expires
	if until.IsZero() {
		return false
	}
	if a := t.Answer; a != nil && !a.Settles.IsZero() && a.Settles.Add(fetching).After(until) {
		until = a.Settles.Add(fetching)
	}
	return !until.After(now)
}
