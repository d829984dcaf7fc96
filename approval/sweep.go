package approval

import (
	"context"
	"errors"

	"github.com/assent-dev/assent/internal/database"
)

// expireDue ends the time of all tickets whose time is over.
func (s *Store) expireDue(ctx context.Context) error {
	if s.db.Only() != nil { // each is shown as it is now; see asOfNow
		return nil
	}
	due := func(q database.Querier, ending string) ([]Ticket, error) {
		list, err := readAll(q.QueryContext(ctx, "SELECT "+columns+" FROM tickets WHERE state = 'pending' AND expires > 0 AND expires <= $1"+ending, micros(s.now())))
		return list, heedless(err)
	}
	if list, err := due(s.reads(), ""); err != nil || len(list) == 0 { // mostly; looking changes nothing
		return s.db.Explain(err)
	}
	return s.db.Within(ctx, func(tx *database.Tx) error {
		list, err := due(tx, tx.ToChangeFree()) // whoever changes one of the others ends its time as well
		for i := range list {
			err = errors.Join(err, s.expireOne(ctx, tx, &list[i]))
		}
		return err
	})
}

// Expire ends the time of all tickets whose time is over, for whoever serves others: it ends
// also while nobody looks.
func (s *Store) Expire(ctx context.Context) error { return s.expireDue(ctx) }

// expireNow ends the time of one ticket, and is what has become of it.
func (s *Store) expireNow(ctx context.Context, id string) (t Ticket, err error) {
	err = s.db.Within(ctx, func(tx *database.Tx) error {
		if t, err = findToChange(ctx, tx, id); err != nil {
			return err
		}
		return s.expireOne(ctx, tx, &t)
	})
	return t, err
}

// overdue: a ticket's time is over, and nobody has written that down yet.
func (s *Store) overdue(t Ticket) bool {
	return t.State == Pending && !t.Expires.IsZero() && !t.Expires.After(s.now())
}

// expireOne ends a ticket's time, if it is over.
func (s *Store) expireOne(ctx context.Context, tx *database.Tx, t *Ticket) error {
	if !s.overdue(*t) {
		return nil
	}
	return s.apply(ctx, tx, t, move{change: expire, who: "assent", note: "nobody answered in time: " + t.Outcome.String()})
}

// Sweep marks the calls whose process has died: their outcome is unknown. alive says of a
// session whether a process holds it. The result is what was marked.
func (s *Store) Sweep(ctx context.Context, alive func(session string) bool) ([]Ticket, error) {
	running, err := s.List(ctx, Query{States: []State{Running}})
	if heedless(err) != nil {
		return nil, err
	}
	damaged, _ := errors.AsType[Damages](err)
	for _, d := range damaged { // whatever is wrong with it, somebody has begun to run it
		running = append(running, d.Ticket)
	}
	var lost []Ticket
	for _, t := range running {
		if t.Asker != "" || alive(t.Session) {
			continue
		}
		var moved *WrongState
		var taken *Superseded
		var gone *NoTicket
		err := s.Lose(ctx, t.ID, t.Fence, t.Holder+" was not heard of any more, and has not said how the call did")
		switch {
		case errors.As(err, &moved), errors.As(err, &taken), errors.As(err, &gone): // it has ended after all
		case err != nil:
			return lost, err
		default:
			t.State = Unknown
			lost = append(lost, t)
		}
	}
	return lost, nil
}
