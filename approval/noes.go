package approval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// A no holds in forks of the session in which it was said, and outlives that session: a fork
// may wait for its call again at any later time, because nobody knew whether it ran, because
// an answer was taken back, or because it was on another machine meanwhile. So the noes of a
// session are kept when its tickets are forgotten.

// Forget removes the tickets of a session that does not exist any more, and keeps what was
// denied in it for its forks. A call that a guard holds is none of it, whatever its agent
// calls its session.
func (s *Store) Forget(ctx context.Context, session string) error {
	return s.db.Within(ctx, func(tx *database.Tx) error {
		if err := aloneIn(ctx, tx, session); err != nil {
			return err
		}
		tickets, err := ofSession(ctx, tx, session)
		if err != nil {
			return err
		}
		for _, t := range tickets {
			if err := t.keepNo(ctx, tx, s.now()); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM tickets WHERE session = $1 AND asker = ''", session)
		return err
	})
}

// lastTicket is a ticket before it is forgotten.
type lastTicket struct {
	Ticket
	damaged *Damaged // nil when one can rely on it
}

// ofSession are the tickets of a session in the order in which they were made, also those on
// which nobody can rely. Nobody else changes them until the transaction is over: a no that
// was said meanwhile is among them, and there is none after.
func ofSession(ctx context.Context, tx *database.Tx, session string) ([]lastTicket, error) {
	return lastTickets(tx.QueryContext(ctx, "SELECT "+columns+" FROM tickets WHERE session = $1 AND asker = '' ORDER BY rowid"+tx.ToChange(), session))
}

// allOfCall are the tickets of calls with an id in a session, the last one first, also those on
// which nobody can rely.
func allOfCall(ctx context.Context, q database.Querier, session, toolUseID string) ([]lastTicket, error) {
	return lastTickets(q.QueryContext(ctx, "SELECT "+columns+" FROM tickets WHERE session = $1 AND call = $2 AND asker = '' ORDER BY rowid DESC", session, toolUseID))
}

// rely makes whoever wants to say something about a call wait until the transaction is over, also where
// it has no ticket yet.
func rely(ctx context.Context, tx *database.Tx, session, toolUseID string) error {
	if tx.Kind() != database.PostgreSQL { // one writer at a time
		return nil
	}
	if err := aloneIn(ctx, tx, session); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "SELECT 1 FROM tickets WHERE session = $1 AND call = $2 AND asker = ''"+tx.ToRely(), session, toolUseID)
	return err
}

func lastTickets(rows *sql.Rows, err error) ([]lastTicket, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []lastTicket
	for rows.Next() {
		t, err := readTicket(rows)
		bad, damaged := errors.AsType[*Damaged](err)
		if err != nil && !damaged {
			return nil, err
		}
		all = append(all, lastTicket{t, bad})
	}
	return all, rows.Err()
}

// keepNo keeps the no of a ticket. A person's yes to the same call ends one that was kept
// before, when the session had its id for the first time.
func (t *lastTicket) keepNo(ctx context.Context, tx *database.Tx, now time.Time) error {
	no, err := t.no(ctx, tx)
	if err != nil {
		return err
	}
	if no == nil {
		if t.damaged == nil && t.approved(now) {
			_, err = tx.ExecContext(ctx, "DELETE FROM noes WHERE session = $1 AND call = $2 AND at = $3", t.Session, t.ToolUseID, micros(t.Created))
		}
		return err
	}
	last := *no
	last.Settles = time.Time{} // nobody can take it back any more
	text, err := last.text()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO noes (session, call, at, answer) VALUES ($1, $2, $3, $4) ON CONFLICT (session, call, at) DO UPDATE SET answer = excluded.answer", t.Session, t.ToolUseID, micros(t.Created), text)
	return err
}

// no is what a person has said that holds in forks; nil when nobody has denied the call. Of
// a damaged ticket only its history can say so, and of one that was refused without an answer
// that can be read.
func (t *lastTicket) no(ctx context.Context, q database.Querier) (*Answer, error) {
	switch {
	case t.damaged != nil, t.State == Refused && t.Answer == nil:
		return noOnRecord(ctx, q, t.ID)
	case t.DeniedInForks():
		return t.Answer, nil
	}
	return nil, nil
}

// approved: a person has said yes and cannot take it back, whatever has become of it.
func (t *Ticket) approved(now time.Time) bool {
	return t.Answer != nil && t.Answer.Behavior == permission.Allow && t.UnsettledUntil(now).IsZero()
}

// noOnRecord is the no that holds by the history of a ticket; nil when none does.
func noOnRecord(ctx context.Context, q database.Querier, id string) (*Answer, error) {
	rows, err := q.QueryContext(ctx, "SELECT at, became, who, note FROM history WHERE ticket = $1 AND kind = '' ORDER BY number", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var no *Answer
	for rows.Next() {
		var at number // one that is none is left out
		var became State
		var who, note string
		if err := rows.Scan(&at, &became, &who, &note); err != nil {
			return nil, err
		}
		switch became {
		case Denied:
			no = &Answer{Behavior: permission.Deny, By: who, Message: note, At: fromMicros(at.n), Mends: DeniesAgain}
		case Pending, Approved: // that was taken back
			no = nil
		default:
		}
	}
	return no, rows.Err()
}

// NoIn is what a person has said in a session that holds for a call of its forks, which was
// parked at a moment, also after the session was removed; nil when nobody has denied it. The
// error is a [*Damaged] or a [*LostNo] where nobody can rely on what would say so.
func (s *Store) NoIn(ctx context.Context, session, toolUseID string, at time.Time) (*Answer, error) {
	no, err := s.noIn(ctx, s.reads(), session, toolUseID, at)
	return no, s.db.Explain(err)
}

// noIn asks the tickets of the call first: a model may have used its id again since. The
// session may be back under its id, and the call with another ticket: a yes or a no that a
// person has given there is the last word, and as long as there is none the no of before
// holds.
func (s *Store) noIn(ctx context.Context, q database.Querier, session, toolUseID string, at time.Time) (*Answer, error) {
	tickets, err := allOfCall(ctx, q, session, toolUseID)
	if err != nil {
		return nil, err
	}
	for _, t := range tickets {
		if t.Bygone(at) {
			continue
		}
		if t.damaged != nil {
			return nil, t.damaged
		}
		if no, err := t.no(ctx, q); no != nil || err != nil {
			return no, err
		}
		if t.approved(s.now()) {
			return nil, nil
		}
	}
	return keptNo(ctx, q, session, toolUseID, at)
}

// keptNo is a no that was kept when its ticket was forgotten; nil when there is none. One
// that cannot be read is an error: nothing else is left of it.
func keptNo(ctx context.Context, q database.Querier, session, toolUseID string, at time.Time) (*Answer, error) {
	rows, err := q.QueryContext(ctx, "SELECT at, answer FROM noes WHERE session = $1 AND call = $2 ORDER BY at DESC", session, toolUseID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var created number
		var text string
		if err := rows.Scan(&created, &text); err != nil {
			return nil, err
		}
		if before := (Ticket{Created: fromMicros(created.n)}); created.bad == nil && before.Bygone(at) {
			continue
		}
		no, err := readAnswer(text)
		if err != nil {
			return nil, &LostNo{session, err}
		}
		return no, nil
	}
	return nil, rows.Err()
}

// LostNo: somebody has denied a call in a session that was removed, and what was kept of it
// cannot be read.
type LostNo struct {
	Session string
	Err     error
}

func (e *LostNo) Error() string {
	return fmt.Sprintf("what was kept of the tickets of session %s, which was removed, is damaged: %v (deny the call)", e.Session, e.Err)
}

// Unwrap returns the cause.
func (e *LostNo) Unwrap() error { return e.Err }
