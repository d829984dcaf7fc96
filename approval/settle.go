package approval

import (
	"fmt"
	"time"
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
