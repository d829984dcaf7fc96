package approval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// Parking is what is known about a call when it is parked.
type Parking struct {
	Call   Call
	Policy string
	Why    string
	// At is when it was parked; zero means now. A ticket of another moment is not this
	// call's: a model may use an id again in a later turn.
	At time.Time
	// Lasts is how long somebody may answer; zero means for ever. Outcome holds then.
	Lasts   time.Duration
	Outcome permission.Behavior
	// Waits is for how long the guard that holds the call waits for an answer now.
	Waits time.Duration
	// By says who wanted it parked.
	By string
	// Requester is who wanted the call: a person, or an account as "user@host", or several as
	// account.Join writes them; empty when nobody knows. Terms are what has to be so before a yes
	// counts.
	Requester string
	Terms     permission.Terms
	// Risk and Kin are what people are shown; see [permission.RiskOf] and [permission.Kin].
	Risk permission.Risk
	Kin  string
	// Places are the files that it would read or write; see [Ticket].
	Places []string
	// Edits says whether the call of another agent can run with another input.
	Edits Edits
	// Forks are the sessions that this one is a fork of, the nearest first. What a person
	// has denied there is denied here as well, from the start or when the call is parked
	// once more while it waits, so that no rule or hook runs it. An approval stays where it
	// was given.
	Forks []string

	belated bool // see [Parking.Belated]
	comes   bool // see [Parking.Comes]
}

// Belated is the parking of a call for which a ticket is made only later: that of a fork,
// of an import, or one whose ticket was lost. What people have said about the call before
// is not known here, so an end of its time that would let it run does not count: it waits
// for a person.
func (p Parking) Belated() Parking {
	p.belated = true
	if p.Outcome == permission.Allow {
		p.Lasts, p.Outcome = 0, permission.Deny
	}
	return p
}

// Comes is the belated parking of a call whose session is about to come into this database, and that
// does not come where nobody can say what was said about it before; see [Store.Heed]. Nobody can have
// begun it here, so a no from before also holds against a yes that was given here meanwhile.
func (p Parking) Comes() Parking {
	p = p.Belated()
	p.comes = true
	return p
}

// Park makes a ticket of a call. A call that has one keeps it, whatever has become of it,
// and hears what was denied meanwhile where it comes from; see [Parking.Forks].
func (s *Store) Park(ctx context.Context, p Parking) (Ticket, error) {
	digest, err := p.Call.Digest()
	if err != nil {
		return Ticket{}, err
	}
	var before Before
	if p.belated {
		if before, err = s.Before(ctx, p); err != nil && (p.comes || len(p.Forks) > 0) {
			return Ticket{}, err
		}
	}
	var t Ticket
	var isNew, changed bool
	err = s.db.Within(ctx, func(tx *database.Tx) error {
		isNew, changed = false, false
		found, err := ofCallAlone(ctx, tx, p.Call.Session, p.Call.ToolUseID, "", p.At)
		if err != nil {
			return err
		}
		if found != nil {
			if t = *found; t.Digest != digest {
				return &Changed{Ticket: t, Call: p.Call}
			}
			if t.State != Pending && !(p.comes && t.wouldRun()) { // what was said here itself counts
				return nil
			}
		} else {
			t, isNew = p.ticket(digest, s.now()), true
			if err := s.insert(ctx, tx, t, p.By); err != nil {
				return err
			}
			if err := before.note(ctx, s, tx, &t); err != nil {
				return err
			}
		}
		changed = true
		if t.State == Pending {
			if err := s.inherit(ctx, tx, &t, p); err != nil {
				return err
			}
		}
		return before.hold(ctx, s, tx, &t)
	})
	if err == nil && changed {
		s.heeds.told(before, t, isNew)
	}
	return t, err
}

// inherit denies a call that a person has denied in a session which this one is a fork of.
func (s *Store) inherit(ctx context.Context, tx *database.Tx, t *Ticket, p Parking) error {
	no, err := s.inherited(ctx, tx, t, p)
	if err != nil || no == nil {
		return err
	}
	return s.apply(ctx, tx, t, *no)
}

// inherited is the no to a call in a session which this one is a fork of; nil when there is none. Who
// wants to say one waits until the transaction is over.
func (s *Store) inherited(ctx context.Context, tx *database.Tx, t *Ticket, p Parking) (*move, error) {
	for _, session := range p.Forks {
		err := rely(ctx, tx, session, t.ToolUseID)
		var no *Answer
		if err == nil {
			no, err = s.noIn(ctx, tx, session, t.ToolUseID, p.At)
		}
		if err != nil {
			return nil, fmt.Errorf("nobody can say whether the call was denied in session %s, which this one is a fork of: %w", session, err)
		}
		if no == nil {
			continue
		}
		a := *no
		a.Settles = time.Time{} // whoever said it can take it back there, and not here
		if a.Digest = t.Digest; a.From == "" {
			a.From = session
		}
		note := joined("denied in the session it was forked from, "+a.From, a.Message)
		return &move{change: deny, who: a.By, note: note, apply: func(t *Ticket) { t.Answer = &a }}, nil
	}
	return nil, nil
}

// joined is two texts, of which the second may be empty.
func joined(first, second string) string {
	if second == "" {
		return first
	}
	return first + ": " + second
}

// ticket is the one that a call gets.
func (p Parking) ticket(digest string, now time.Time) Ticket {
	if !p.At.IsZero() {
		now = p.At
	}
	t := Ticket{ID: newID(), Call: p.Call, Digest: digest, Policy: p.Policy, Why: p.Why, State: Pending, Created: now, Outcome: p.Outcome, Risk: p.Risk, Kin: p.Kin, Edits: p.Edits, Places: permission.SortedPlaces(p.Places), Requester: p.Requester, Terms: p.Terms}
	if t.Outcome != permission.Allow || t.Terms.Personal() { // where it matters who says yes, no end of time says it
		t.Outcome = permission.Deny
	}
	if p.Lasts > 0 {
		t.Expires = now.Add(p.Lasts)
	}
	return t
}

// insert makes a ticket that somebody wants.
func (s *Store) insert(ctx context.Context, tx *database.Tx, t Ticket, by string) error {
	places, err := placesText(t.Places)
	if err != nil {
		return err
	}
	terms, err := termsText(t.Terms)
	if err != nil {
		return err
	}
	belonging, err := s.belonging(ctx, tx, t, "", by, "", "")
	if err != nil {
		return err
	}
	row := database.Change{
		Text: "INSERT INTO tickets (" + columns + ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
		Args: []any{
			t.ID, t.Session, t.ToolUseID, t.Tool, string(t.Input), t.Cwd, t.Digest, readable(t.Policy), readable(t.Why), t.State, t.Fence,
			micros(t.Created), micros(t.Expires), t.Outcome.String(), t.Holder, "", t.Asker, t.Risk, readable(t.Kin), t.Edits, places, readable(t.Requester), terms, micros(t.Waits),
		},
	}
	_, err = tx.Make(ctx, append([]database.Change{row}, belonging...)...)
	return err
}

// readable is a text of people or programs as every database can keep it: some keep no
// character that is none.
func readable(text string) string {
	const none = "\uFFFD"
	return strings.ReplaceAll(strings.ToValidUTF8(text, none), "\x00", none)
}
