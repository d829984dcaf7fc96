package approval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// WrongState: what somebody wants to do with a ticket does not go with what it is.
type WrongState struct {
	ID    string
	State State
	// Answer is what somebody has said before; nil when nobody has.
	Answer *Answer
}

// WithZone is how a time is written in a sentence: whoever reads it may be elsewhere.
const WithZone = time.DateTime + " -07:00"

func (e *WrongState) Error() string {
	text := fmt.Sprintf("the ticket %s is %s", e.ID, e.State)
	if e.Answer != nil {
		text += fmt.Sprintf(": %s has said %s at %s", e.Answer.By, e.Answer.Behavior, e.Answer.At.Local().Format(WithZone))
		if e.Answer.From != "" {
			text += fmt.Sprintf(" in session %s, which this one is a fork of", e.Answer.From)
		}
	}
	if e.State == Unknown {
		text += fmt.Sprintf("; somebody has to find out whether the call ran (`assent sessions resolve %s --ran` or `--not-run`)", e.ID)
	}
	return text
}

// Superseded: another process has claimed the ticket since.
type Superseded struct{ ID string }

func (e *Superseded) Error() string {
	return fmt.Sprintf("another process has taken the ticket %s over", e.ID)
}

// move is a change with what belongs to it.
type move struct {
	change change
	who    string
	note   string
	// fence is that of the claim which the change ends; zero means that it ends none.
	fence int64
	// check looks at the ticket before it is changed; it may refuse.
	check func(Ticket) error
	// joins adds the change to what others have said, and says whether that is enough for it;
	// nil means that it needs nobody else. Without enough the ticket stays as it is.
	joins func(context.Context, *database.Tx, *Ticket) (quorum, error)
	// instead is the change that is made in place of this one, as things are in the transaction;
	// nil means this one.
	instead func(context.Context, *database.Tx, *Ticket) (*move, error)
	// apply sets what changes besides the state.
	apply func(*Ticket)
	// mends: nobody can rely on the ticket, and the change writes down what can be read of it.
	mends bool
	// hands: the change is made for the guard of another agent, which holds the call.
	hands bool
	// last: nothing else is done in the transaction.
	last bool
}

// do makes a change: the ticket and its row of history, or nothing.
func (s *Store) do(ctx context.Context, id string, m move) (Ticket, error) {
	var t, was Ticket
	m.last = true
	err := s.db.Within(ctx, func(tx *database.Tx) error {
		var err error
		t, err = findToChange(ctx, tx, id)
		if _, bad := errors.AsType[*Damaged](err); bad && m.change.mends() {
			mending := m
			mending.mends, was = true, t
			return s.apply(ctx, tx, &t, mending)
		}
		if err != nil {
			return err
		}
		if m.change != expire { // what is over by now is over, whoever looks first
			if err := s.expireOne(ctx, tx, &t); err != nil {
				return err
			}
		}
		was = t
		return s.apply(ctx, tx, &t, m)
	})
	if errors.Is(err, database.ErrNotOne) {
		err = missed(ctx, s.reads(), was)
	}
	if _, uncertain := errors.AsType[*database.Uncertain](err); uncertain && s.kept(ctx, t, was) {
		err = nil
	}
	return t, err
}

// kept: a ticket is what a change has made of it, which is another thing than it was. What leaves
// no such trace, as a vote that is not enough, cannot be told from what was not kept.
func (s *Store) kept(ctx context.Context, t, was Ticket) bool {
	now, err := find(ctx, s.reads(), t.ID)
	same := func(one, other Ticket) bool {
		return one.Said() == other.Said() && one.Fence == other.Fence && one.Holder == readable(other.Holder)
	}
	return err == nil && same(now, t) && !same(now, was)
}

func (s *Store) apply(ctx context.Context, tx *database.Tx, t *Ticket, m move) error {
	was := *t
	if m.change.ofSession() && m.hands != (was.Asker != "") {
		return &Foreign{ID: t.ID, Asker: was.Asker}
	}
	if m.fence != 0 && m.fence != was.Fence {
		return &Superseded{t.ID}
	}
	next, ok := was.State.after(m.change)
	if m.mends && m.change == deny { // whatever it is, unless somebody has begun to run it
		next, ok = Denied, !was.State.Over() && was.State != Running && was.State != Unknown
	}
	if !ok {
		return &WrongState{ID: t.ID, State: was.State, Answer: was.Answer}
	}
	if m.check != nil {
		if err := m.check(was); err != nil {
			return err
		}
	}
	if m.instead != nil {
		if other, err := m.instead(ctx, tx, t); err != nil || other != nil {
			if err != nil {
				return err
			}
			other.last = m.last
			return s.apply(ctx, tx, t, *other)
		}
	}
	if m.joins != nil {
		if all, err := m.joins(ctx, tx, t); err != nil || all != enough {
			return err
		}
	}
	t.State = next
	if m.apply != nil {
		m.apply(t)
	}
	if m.mends && m.change == deny {
		t.Answer.Settles = time.Time{} // nobody knows what it would say without this no
		if err := t.mend(ctx, tx); err != nil {
			return err
		}
	}
	answer, err := t.Answer.text()
	if err != nil {
		return err
	}
	text, args := "UPDATE tickets SET state = $1, fence = $2, holder = $3, answer = $4, expires = $5, outcome = $6", []any{t.State, t.Fence, readable(t.Holder), answer, micros(t.Expires), t.Outcome.String()}
	if m.mends {
		text, args = text+", created = $7 WHERE id = $8", append(args, micros(t.Created), t.ID)
	} else {
		text, args = text+" WHERE id = $7 AND "+inState+"$8 AND fence = $9", append(args, t.ID, was.State, was.Fence)
	}
	changes := []database.Change{{Text: text, Args: args, One: true}}
	if m.endsVotes(t) {
		changes = append(changes, withoutVotes(t.ID))
	}
	shown := ""
	if m.change == approve {
		shown = t.Answer.shown()
	}
	belonging, err := s.belonging(ctx, tx, *t, was.State, m.who, m.note, shown)
	if err != nil {
		return err
	}
	if changes = append(changes, belonging...); m.last {
		tx.Last(changes...)
		return nil
	}
	rows, err := tx.Make(ctx, changes...)
	if err == nil && rows[0] != 1 {
		err = missed(ctx, tx, was)
	}
	return err
}

// inState is the condition that a ticket, found by its id, is in a state. It goes by no index: as long
// as PostgreSQL knows little about the table it would take that of the states, and look through all
// that wait.
const inState = "state || '' = "

// missed is the error for a ticket that somebody else has changed meanwhile: what it is now.
func missed(ctx context.Context, q database.Querier, was Ticket) error {
	now, err := find(ctx, q, was.ID)
	if err != nil {
		return err
	}
	if now.Fence != was.Fence {
		return &Superseded{was.ID}
	}
	return &WrongState{ID: was.ID, State: now.State, Answer: now.Answer}
}

// belonging is what belongs to a change of a ticket: a row of history, and what else is made
// with every change.
func (s *Store) belonging(ctx context.Context, tx *database.Tx, t Ticket, was State, who, note, shown string) ([]database.Change, error) {
	all := []database.Change{s.event(tx, t, was, "", who, note, shown)}
	for _, also := range s.also {
		more, err := also(ctx, tx, t, was)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// event is a row of history, with what whoever has said yes was shown. Others are let know that there is one.
func (s *Store) event(tx *database.Tx, t Ticket, was State, kind, who, note, shown string) database.Change {
	tx.News()
	return database.Change{
		Text: `INSERT INTO history (ticket, number, at, was, became, fence, who, note, kind, shown)
			VALUES ($1, (SELECT COUNT(*) + 1 FROM history WHERE ticket = $1), $2, $3, $4, $5, $6, $7, $8, $9)`,
		Args: []any{t.ID, micros(s.now()), was, t.State, t.Fence, readable(who), readable(note), kind, readable(shown)},
	}
}

// Also is what else is changed in the transaction of every change of a ticket, the first one
// included, which comes from no state: it is made together with the change, or neither is. It
// may be asked for several times before it holds, and may read, and must not have effects of its
// own. Whoever uses the store has said so before.
func (s *Store) Also(changes func(ctx context.Context, tx *database.Tx, t Ticket, was State) ([]database.Change, error)) {
	s.also = append(s.also, changes)
}
