package approval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Approve records a person's yes. With an input that one runs in place of the parked
// one. seen is the digest of what the person was shown. What was approved can be approved
// with another input as long as nobody runs it, and what would run because its time is over
// can be approved as well: it may need a person all the same.
func (s *Store) Approve(ctx context.Context, id, seen, by, message string, input strictjson.Raw) (Ticket, error) {
	return s.answer(ctx, id, seen, approve, Answer{Behavior: permission.Allow, Input: input, Message: message, By: by})
}

// Deny records a person's no. One that may still be taken back is replaced by the no of
// somebody else, which counts by itself then.
func (s *Store) Deny(ctx context.Context, id, seen, by, message string) (Ticket, error) {
	return s.answer(ctx, id, seen, deny, Answer{Behavior: permission.Deny, Message: message, By: by})
}

// Say records an answer as Approve and Deny do, with all that belongs to it; when it was
// given and what it is for are found here. A yes without places is for those of the ticket.
//
// What a yes needs are the terms of the ticket together with those of the answer. It may be an
// [*Unsigned], an [*OwnRequest] or a [*NoReason]. Where several people must say yes each but
// the last is a vote, and the ticket that is returned still waits; see [Store.Votes]. Whoever
// says yes to something else than before has one vote, for the new one. The same once more is a
// [*Voted].
func (s *Store) Say(ctx context.Context, id, seen string, a Answer) (Ticket, error) {
	c := deny
	if a.Behavior == permission.Allow {
		c = approve
	}
	return s.answer(ctx, id, seen, c, a)
}

func (s *Store) answer(ctx context.Context, id, seen string, c change, a Answer) (Ticket, error) {
	a.At, a.Voter = s.now().UTC(), readable(strings.TrimSpace(a.Voter))
	if a.Settles = a.Settles.UTC().Truncate(time.Microsecond); !a.Settles.After(a.At) { // as exactly as it is kept
		a.Settles = time.Time{}
	}
	given := a // it is looked at anew when others were in the way
	var terms permission.Terms
	m := move{
		change: c, who: a.By, note: a.Message,
		check: func(t Ticket) (err error) {
			a, terms = given, t.Terms.And(given.Terms)
			if c == approve && t.State == Expired && !t.lapses() {
				return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
			}
			if c == deny && t.State == Denied && t.Answer != nil {
				if t.UnsettledUntil(s.now()).IsZero() { // that no holds, and needs no mending
					return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
				}
				a.Settles = time.Time{} // two have said no: that neither of them takes back for the other
			}
			if seen != t.Digest {
				return fmt.Errorf("the ticket %s is not what was shown: it has the digest %s, and not %s (look at it again)", t.ID, t.Digest, seen)
			}
			input := t.Input
			if a.Input != nil {
				input = a.Input
			}
			if a.Digest, err = t.digest(input); err != nil && c == deny { // which holds for whatever the call is
				a.Digest, err = t.Digest, nil
			}
			if err != nil {
				return err
			}
			if c == deny {
				return nil
			}
			if t.State == Approved && t.Answer.Digest == a.Digest { // somebody was faster
				return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
			}
			if t.State != Pending && terms.Need() > 1 { // what several people have said one does not change
				return &WrongState{ID: t.ID, State: t.State, Answer: t.Answer}
			}
			if a.Places == nil {
				a.Places = t.Places
			}
			return t.admit(&a, terms)
		},
		joins: func(ctx context.Context, tx *database.Tx, t *Ticket) (quorum, error) {
			if c == approve && terms.Need() > 1 {
				return s.join(ctx, tx, t, &a, terms)
			}
			return enough, a.may(ctx, tx)
		},
		apply: func(t *Ticket) {
			a.Still = nil
			t.Answer = &a
		},
	}
	return s.do(ctx, id, m)
}
