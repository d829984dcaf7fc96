package approval

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/permission"
)

// Foreign: a session wants to change the ticket of a call that a guard holds, or a guard
// that of one which is parked in a session.
type Foreign struct {
	ID string
	// Asker is the agent whose guard holds the call; empty for one that is parked.
	Asker string
}

func (e *Foreign) Error() string {
	if e.Asker == "" {
		return fmt.Sprintf("the ticket %s is for a call that is parked in a session: only that session runs it", e.ID)
	}
	return fmt.Sprintf("the ticket %s is for a call that the guard of %s holds: no session runs it", e.ID, e.Asker)
}

// Hold makes a ticket of a call that the guard of another agent holds, while somebody may
// answer. The agent may make the same call again after its guard has given up: then the
// ticket is the one that it had, as long as it is not over, with what is said about it now. A guard cannot tell two equal
// calls of a session apart, so their tickets are told apart by what would run.
func (s *Store) Hold(ctx context.Context, asker string, p Parking) (Ticket, error) {
	digest, err := p.Call.Digest()
	if err != nil {
		return Ticket{}, err
	}
	p.Call.ToolUseID = "held:" + digest
	var t Ticket
	err = s.within(ctx, func(tx *transaction) error {
		found, err := ofCall(ctx, tx, p.Call.Session, p.Call.ToolUseID, asker)
		if err != nil {
			return err
		}
		if found != nil {
			t = *found
			if err := s.expireOne(ctx, tx, &t); err != nil {
				return err
			}
			if t.State == Pending {
				return t.renew(ctx, tx, p, s.now())
			}
			if !t.State.Over() {
				return nil
			}
		}
		t = p.ticket(digest, s.now())
		t.Asker = asker
		if err := insert(ctx, tx, t); err != nil {
			return err
		}
		return s.note(ctx, tx, t, "", p.By, "")
	})
	return t, err
}

// renew makes a ticket say what its guard says now, as long as nobody has answered. Who spoke
// first is not believed more than who speaks now, so the risk is the higher one and the time
// the shorter one of both.
func (t *Ticket) renew(ctx context.Context, tx *transaction, p Parking, now time.Time) error {
	was := *t
	t.Why, t.Policy, t.Kin, t.Edits = p.Why, p.Policy, p.Kin, p.Edits
	if t.Risk != 0 { // nobody has thought about it, which counts as the highest
		t.Risk = max(t.Risk, p.Risk)
	}
	if p.Risk == 0 {
		t.Risk = 0
	}
	if until := now.Add(p.Lasts); p.Lasts > 0 && (t.Expires.IsZero() || until.Before(t.Expires)) {
		t.Expires = until
	}
	if t.Why == was.Why && t.Policy == was.Policy && t.Kin == was.Kin && t.Edits == was.Edits && t.Risk == was.Risk && t.Expires.Equal(was.Expires) {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE tickets SET why = $1, policy = $2, kin = $3, edits = $4, risk = $5, expires = $6 WHERE id = $7 AND state = $8",
		t.Why, t.Policy, t.Kin, t.Edits, t.Risk, micros(t.Expires), t.ID, Pending)
	return err
}

// Hand gives the answer of a held call to its guard, once: a yes lets the agent run it, and
// whether it did is not known here. The ticket is over then. It is a [*WrongState] as long
// as nobody has answered, and when the answer was handed over already. A yes is good for the
// time of its ticket: one that is fetched later is refused.
func (s *Store) Hand(ctx context.Context, id, to string) (Ticket, error) {
	var t Ticket
	err := s.within(ctx, func(tx *transaction) error {
		var err error
		if t, err = find(ctx, tx, id); err != nil {
			return err
		}
		if t.Asker == "" {
			return &Foreign{ID: t.ID}
		}
		if err := s.expireOne(ctx, tx, &t); err != nil {
			return err
		}
		if t.State == Approved && !t.Expires.IsZero() && !t.Expires.After(s.now()) {
			return s.apply(ctx, tx, &t, move{change: refuse, hands: true, who: to, note: "the yes was not fetched in time"})
		}
		if t.State == Expired && t.Outcome != permission.Allow || t.State == Denied {
			return s.apply(ctx, tx, &t, move{change: refuse, hands: true, who: to, note: "the agent was told"})
		}
		if t.State != Approved && t.State != Expired {
			return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
		}
		claimed := move{change: claim, hands: true, who: to, apply: func(t *Ticket) { t.Fence++ }}
		if err := s.apply(ctx, tx, &t, claimed); err != nil {
			return err
		}
		return s.apply(ctx, tx, &t, move{change: finish, hands: true, fence: t.Fence, who: to, note: fmt.Sprintf("the yes was handed to %s, which runs it", t.Asker)})
	})
	return t, err
}
