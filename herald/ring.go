package herald

import (
	"context"
	"sync/atomic"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// The kinds of bells.
const (
	// look: something may be to be done about a ticket.
	look alarm.Kind = "look"
	// news: something has happened that people may want to hear; the argument says what.
	news alarm.Kind = "news"
	// tell: one target is to be told; the argument says what, and whom.
	tell alarm.Kind = "tell"
)

// Ring sets a bell with every change of a ticket that is made in a store and has consequences:
// one bell, because whoever answers waits for it. Where nobody has ever heard bells, or not for a
// week, none are set: they would wait in vain, for ever. Whoever begins to hear them looks through
// all tickets.
func Ring(store *approval.Store) {
	r := &ringer{db: store.Database()}
	store.Also(r.ring)
}

type ringer struct {
	db *database.DB
	// alarm is nil as long as nobody hears bells.
	alarm atomic.Pointer[alarm.Alarm]
}

func (r *ringer) ring(ctx context.Context, tx *database.Tx, t approval.Ticket, was approval.State) ([]database.Change, error) {
	if t.State == was || !consequential(t.State) {
		return nil, nil
	}
	a := r.alarm.Load()
	if a == nil {
		var err error
		if a, err = alarm.Ready(ctx, r.db, tx); err != nil || a == nil {
			return nil, err
		}
		if nobody, err := deaf(ctx, tx); err != nil || nobody {
			return nil, err
		}
		r.alarm.Store(a)
	}
	b := alarm.Bell{Kind: look, Ticket: t.ID}
	if t.Answer != nil && (t.State == approval.Approved || t.State == approval.Denied) {
		b.At = t.Answer.Settles // nobody acts on it before
	}
	return a.Changes(b)
}

// consequential: something is to be done about a ticket that has come into a state. What a
// session does with its call it does itself.
func consequential(s approval.State) bool {
	switch s {
	case approval.Pending, approval.Approved, approval.Denied, approval.Expired, approval.Unknown:
		return true
	case approval.Running, approval.Done, approval.Failed, approval.Handed, approval.Refused, approval.Cancelled:
	}
	return false
}
