package approval

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Find is a ticket by its name. One whose time is over is expired.
func (s *Store) Find(ctx context.Context, id string) (Ticket, error) {
	t, err := find(ctx, s.reads(), id)
	if err == nil && s.overdue(t) && s.db.Only() == nil {
		t, err = s.expireNow(ctx, id)
	}
	s.asOfNow(&t)
	return t, s.db.Explain(err)
}

// OfCall is the ticket of a call that is parked in a session; nil means that it has none. A
// model may use an id again in a later turn: the one that was made last counts.
func (s *Store) OfCall(ctx context.Context, session, toolUseID string) (*Ticket, error) {
	return s.OfParked(ctx, session, toolUseID, time.Time{})
}

// OfParked is [Store.OfCall] for the call that was parked at a moment. Tickets of other calls with
// the same id are none of it, also those that were made later: a belated one may be for an older call.
func (s *Store) OfParked(ctx context.Context, session, toolUseID string, at time.Time) (*Ticket, error) {
	t, err := foundOfCall(s.reads().QueryRowContext(ctx, byCall, session, toolUseID, "", micros(at)), at)
	if t != nil && s.overdue(*t) && s.db.Only() == nil {
		*t, err = s.expireNow(ctx, t.ID)
	}
	if t != nil {
		s.asOfNow(t)
	}
	return t, s.db.Explain(err)
}

// byCall finds the ticket of a call that is parked, or of one that the guard of an asker holds.
// Neither is ever taken for the other, whatever ids a model or an agent makes up. That of the moment comes
// first, then one whose own moment is damaged, which may be of any; see [Ticket.Bygone]. Without a moment it
// is the one that was made last.
const byCall = "SELECT " + columns + " FROM tickets WHERE session = $1 AND call = $2 AND asker = $3" +
	" ORDER BY CASE WHEN CAST($4 AS BIGINT) = 0 OR created = CAST($4 AS BIGINT) THEN 0 WHEN created > 0 AND created < 9000000000000000000 THEN 2 ELSE 1 END, rowid DESC LIMIT 1"

// ofCallAlone is the ticket of a call for whoever makes one when there is none: until the transaction
// is over nobody else makes one in that session, changes the one that was found, or forgets
// the session.
func ofCallAlone(ctx context.Context, tx *database.Tx, session, toolUseID, asker string, at time.Time) (*Ticket, error) {
	if err := aloneIn(ctx, tx, session); err != nil {
		return nil, err
	}
	return foundOfCall(tx.QueryRowContext(ctx, byCall+tx.ToChange(), session, toolUseID, asker, micros(at)), at)
}

// aloneIn makes others wait who make or forget tickets of the same session.
func aloneIn(ctx context.Context, tx *database.Tx, session string) error {
	return tx.Alone(ctx, "session "+session)
}

func foundOfCall(row scanner, at time.Time) (*Ticket, error) {
	t, err := readTicket(row)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case t.Bygone(at):
		return nil, nil
	}
	return &t, nil
}

// Query says which tickets.
type Query struct {
	// States are those wanted; none means all.
	States []State
	// Session is that of one session; empty means all.
	Session string
	// Prefix is what their names begin with; empty means anything.
	Prefix string
	// Limit is how many; zero means all of them.
	Limit int
}

// List is tickets, the oldest first. Those on which nobody can rely are left out; the error
// is then [Damages], and the list is all the others.
func (s *Store) List(ctx context.Context, q Query) ([]Ticket, error) {
	if err := s.expireDue(ctx); err != nil {
		return nil, err
	}
	return s.list(ctx, q)
}

// OfSession is the tickets of a session, as [Store.List] has them, for somebody to whom it does
// not matter whose time is over.
func (s *Store) OfSession(ctx context.Context, session string) ([]Ticket, error) {
	return s.list(ctx, Query{Session: session})
}

func (s *Store) list(ctx context.Context, q Query) ([]Ticket, error) {
	text, args := q.text()
	list, err := readAll(s.reads().QueryContext(ctx, text, args...))
	for i := range list {
		s.asOfNow(&list[i])
	}
	return list, s.db.Explain(err)
}

// text is the query for the database.
func (q Query) text() (text string, args []any) {
	where, args := q.where()
	text = "SELECT " + columns + " FROM tickets" + where + " ORDER BY created, id"
	if q.Limit > 0 {
		text += " LIMIT " + strconv.Itoa(q.Limit)
	}
	return text, args
}

// Event is one row of a ticket's history.
type Event struct {
	At   time.Time
	From State // empty for the first
	To   State
	Who  string
	Note string
	// Kind is empty for a change of state, and else what has happened to a ticket that has
	// stayed what it was: [KindVote], [KindWithdrawn], [KindComment], [KindSent] or [KindEscalated].
	Kind string
	// Fence is the number of the claim.
	Fence int64
	// Change is what somebody who has said yes was shown that the call does to its file, and Digest what that
	// yes is for; nil for others.
	Change *FileChange
	Digest string
}

// Moves: the ticket is another one since. What people wrote about it meanwhile changes nothing,
// and must not be taken for what has become of it.
func (e Event) Moves() bool { return e.Kind == "" }

// Answers: somebody has said yes or no. A claim that is given back lets an earlier yes hold again,
// and is none.
func (e Event) Answers() bool {
	return e.Moves() && (e.To == Approved && e.From != Running && e.From != Unknown || e.To == Denied)
}

// LastMove is how a ticket came to be what it is; the zero value when nobody knows.
func LastMove(events []Event) Event {
	for _, e := range slices.Backward(events) {
		if e.Moves() {
			return e
		}
	}
	return Event{}
}

// History is what has happened to a ticket, in its order.
func (s *Store) History(ctx context.Context, id string) ([]Event, error) {
	rows, err := s.reads().QueryContext(ctx, "SELECT at, was, became, fence, who, note, kind, shown FROM history WHERE ticket = $1 ORDER BY number", id)
	if err != nil {
		return nil, s.db.Explain(err)
	}
	defer rows.Close()
	var list []Event
	for rows.Next() {
		var e Event
		var at, fence number // one that is none is shown as nothing
		var shown string
		if err := rows.Scan(&at, &e.From, &e.To, &fence, &e.Who, &e.Note, &e.Kind, &shown); err != nil {
			return nil, err
		}
		was := readShown(shown)
		e.Digest, e.Change = was.For, was.Change
		e.At, e.Fence = fromMicros(at.n), fence.n
		list = append(list, e)
	}
	return list, rows.Err()
}
