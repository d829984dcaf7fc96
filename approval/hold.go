package approval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
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
// ticket is the one that it had, as long as it is not over. A guard cannot tell two equal
// calls of a session apart, so their tickets are told apart by what would run, and by the
// files that it leads to: behind other links it is another call.
func (s *Store) Hold(ctx context.Context, asker string, p Parking) (Ticket, error) {
	digest, err := p.Call.Digest()
	if err != nil {
		return Ticket{}, err
	}
	p.Call.ToolUseID = "held:" + digest + placesMark(p.Places)
	var t Ticket
	err = s.db.Within(ctx, func(tx *database.Tx) error {
		found, err := ofCallAlone(ctx, tx, p.Call.Session, p.Call.ToolUseID, asker, time.Time{})
		if err != nil {
			return err
		}
		if found != nil {
			t = *found
			if err := s.expireOne(ctx, tx, &t); err != nil {
				return err
			}
			if !t.State.Over() {
				if err := t.waitOn(ctx, tx, s.now().Add(p.Waits)); err != nil {
					return err
				}
			}
			if t.State == Pending {
				return t.renew(ctx, tx, p)
			}
			if t.State == Approved && t.fallsShort(p.Terms) != nil {
				short := move{change: refuse, hands: true, who: p.By, note: "the settings where the agent works ask for more than this yes: somebody is asked again"}
				if err := s.apply(ctx, tx, &t, short); err != nil {
					return err
				}
			}
			if !t.State.Over() {
				return nil
			}
		}
		t = p.ticket(digest, s.now())
		t.Asker, t.Waits = asker, s.now().Add(p.Waits)
		return s.insert(ctx, tx, t, p.By)
	})
	return t, err
}

// placesMark tells files apart; empty for none.
func placesMark(places []string) string {
	if len(places) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(permission.SortedPlaces(places), "\x00")))
	return ":" + hex.EncodeToString(sum[:8])
}

// waitOn keeps until when a guard waits that has come again.
func (t *Ticket) waitOn(ctx context.Context, tx *database.Tx, until time.Time) error {
	t.Waits = until
	_, err := tx.Make(ctx, database.Change{Text: "UPDATE tickets SET waits = $1 WHERE id = $2", Args: []any{micros(until), t.ID}})
	return err
}

// renew is that a guard waits again. A person may be reading the ticket, and nobody can say
// whether who speaks now is that guard, so what is told about the call stays as it was. Only
// its risk can become higher, and its terms stricter: a warning is never taken back, and one
// that comes late counts.
func (t *Ticket) renew(ctx context.Context, tx *database.Tx, p Parking) error {
	risk := max(t.Risk, p.Risk)
	if t.Risk == 0 || p.Risk == 0 { // nobody has thought about it, which counts as the highest
		risk = 0
	}
	terms := t.stricter(t.Terms.And(p.Terms))
	if risk == t.Risk && reflect.DeepEqual(terms, t.Terms) {
		return nil
	}
	text, err := termsText(terms)
	if err != nil {
		return err
	}
	if t.Risk, t.Terms = risk, terms; t.Terms.Personal() { // as it would have been parked
		t.Outcome = permission.Deny
	}
	_, err = tx.Make(ctx, database.Change{
		Text: "UPDATE tickets SET risk = $1, terms = $2, outcome = $3 WHERE id = $4 AND " + inState + "$5",
		Args: []any{t.Risk, text, t.Outcome.String(), t.ID, Pending},
	}, withoutVotes(t.ID)) // whoever has voted was shown another risk, or other terms
	return err
}

// fallsShort is why the yes of a ticket is less than what terms ask for that its guard has
// only now: any process of the user can hold a call before the guard does, and ask for less.
func (t *Ticket) fallsShort(terms permission.Terms) error {
	asked := *t
	asked.Terms = t.Terms.And(terms)
	return asked.fulfilled()
}

// Hand gives the answer of a held call to its guard, once: a yes lets the agent run it, and
// whether it did is not known here. The ticket is over then. It is a [*WrongState] as long
// as nobody has answered, and when the answer was handed over already, and an [*Unsettled]
// as long as the answer may be taken back. A yes is good for the time of its ticket: one
// that is fetched later is refused, unless it settled only then. One that does not count any
// more is a [*WaitsAgain].
func (s *Store) Hand(ctx context.Context, id, to string) (Ticket, error) {
	var t, was Ticket
	still, err := s.still(ctx)
	if err != nil {
		return t, err
	}
	var again *WaitsAgain
	err = s.db.Within(ctx, func(tx *database.Tx) error {
		again = nil // it is looked at anew when others were in the way
		var err error
		if t, err = findToChange(ctx, tx, id); err != nil {
			return err
		}
		if t.Asker == "" {
			return &Foreign{ID: t.ID}
		}
		if err := s.expireOne(ctx, tx, &t); err != nil {
			return err
		}
		was = t
		if err := t.settled(s.now()); err != nil {
			return err
		}
		if t.State == Approved && t.stale(s.now()) {
			return s.apply(ctx, tx, &t, move{change: refuse, hands: true, who: to, note: "the yes was not fetched in time"})
		}
		if t.State == Expired && !t.lapses() || t.State == Denied {
			return s.apply(ctx, tx, &t, move{change: refuse, hands: true, who: to, note: "the agent was told"})
		}
		if t.State != Approved && t.State != Expired {
			return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
		}
		if again, err = t.lapsed(ctx, tx, still); err != nil {
			return err
		}
		if reopened, err := s.reopens(ctx, tx, &t, again, to); err != nil || reopened != nil {
			if err != nil {
				return err
			}
			return s.apply(ctx, tx, &t, *reopened)
		}
		note := fmt.Sprintf("%s may run it; whether it did is not known here", t.Asker)
		return s.apply(ctx, tx, &t, move{change: handOver, hands: true, who: to, note: note, apply: func(t *Ticket) { t.Fence++ }})
	})
	if _, uncertain := errors.AsType[*database.Uncertain](err); uncertain && s.kept(ctx, t, was) && s.movedBy(ctx, id, to) {
		err = nil
	}
	if err == nil && again != nil {
		return t, again
	}
	return t, err
}

// movedBy: it was that guard which made a ticket what it is, and not another one that holds the same
// call: the yes is for one of them.
func (s *Store) movedBy(ctx context.Context, id, who string) bool {
	history, err := s.History(ctx, id)
	return err == nil && LastMove(history).Who == readable(who)
}
