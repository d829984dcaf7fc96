package approval

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// quorum is whether enough people have said yes. The zero value says that they have not.
type quorum uint8

const (
	tooFew quorum = iota
	enough
)

// join adds a yes to those of others. If that is enough the answer has them, and the ticket is
// to be approved; else it is kept as a vote.
func (s *Store) join(ctx context.Context, tx *database.Tx, t *Ticket, a *Answer, terms permission.Terms) (quorum, error) {
	all, err := votesOn(ctx, tx, t)
	if err != nil {
		return tooFew, err
	}
	own := a.Vote()
	if own.Risk == 0 {
		own.Risk = t.Risk
	}
	var before *kept
	var others []Vote
	for i, one := range all {
		switch {
		case samePerson(one.Voter, a.Voter):
			before = &all[i]
		case one.bad != nil:
			return tooFew, one.bad
		case one.sameVoice(own), slices.ContainsFunc(others, one.sameVoice):
		case one.counts(t, own, terms):
			lapsed, err := a.lapsed(ctx, tx, one.Vote, others...)
			if err != nil {
				return tooFew, err
			}
			if !lapsed {
				others = append(others, one.Vote)
			}
		}
	}
	if err := a.may(ctx, tx, others...); err != nil {
		return tooFew, err
	}
	if len(others)+1 >= terms.Need() {
		if before != nil { // it is replaced, and must not count again if this yes is taken back
			if _, err := dropVote(ctx, tx, t.ID, a.Voter); err != nil {
				return tooFew, err
			}
		}
		a.Others, a.Risk = others, own.Risk
		for _, one := range others { // what all of them were shown
			a.Risk = min(a.Risk, one.Risk)
		}
		return enough, nil
	}
	if before != nil && before.bad == nil && before.counts(t, own, terms) {
		if lapsed, err := a.lapsed(ctx, tx, before.Vote); err != nil || !lapsed {
			return tooFew, cmp.Or(err, error(&Voted{ID: t.ID, Vote: before.Vote, Tally: Tally{len(others) + 1, terms.Need()}}))
		}
	}
	return tooFew, s.keepVote(ctx, tx, t, own, terms, a.shown())
}

// counts: a vote counts together with another one, by the terms that hold now.
func (v *Vote) counts(t *Ticket, with Vote, terms permission.Terms) bool {
	return v.For(with.Digest, with.Places, with.Change) && t.admit(&Answer{Voter: v.Voter, By: v.By, Message: v.Message}, terms) == nil
}

// keepVote writes a vote in the place of the one that the person had, and the terms under which
// it was given: whoever comes next cannot do with less, nor does an end of time.
func (s *Store) keepVote(ctx context.Context, tx *database.Tx, t *Ticket, v Vote, terms permission.Terms, shown string) error {
	if err := writeVote(ctx, tx, t, v); err != nil {
		return err
	}
	t.Terms, t.Outcome = t.stricter(terms), permission.Deny
	text, err := termsText(t.Terms)
	if err != nil {
		return err
	}
	// The row is written in any case: a database that was told to show every transaction one
	// moment only lets nobody count who has not seen this vote.
	changed, err := tx.ExecContext(ctx, "UPDATE tickets SET terms = $1, outcome = $2 WHERE id = $3 AND "+inState+"$4 AND fence = $5", text, t.Outcome.String(), t.ID, t.State, t.Fence)
	if err != nil {
		return err
	}
	if n, err := changed.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, missed(ctx, tx, *t))
	}
	_, err = tx.Make(ctx, s.event(tx, *t, t.State, KindVote, v.By, v.Message, shown))
	return err
}

// writeVote writes a vote in the place of the one that the person had.
func writeVote(ctx context.Context, tx *database.Tx, t *Ticket, v Vote) error {
	if _, err := dropVote(ctx, tx, t.ID, v.Voter); err != nil {
		return err
	}
	places, err := placesText(v.Places)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO votes (ticket, voter, fence, at, digest, places, risk, message, who, moment, shown) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
		t.ID, keyOf(v.Voter), t.Fence, micros(v.At), v.Digest, places, v.Risk, readable(v.Message), readable(v.By), v.Moment, readable(v.Change))
	return err
}

// keyOf is the name of a person in the one spelling in which votes are kept.
func keyOf(voter string) string { return strings.ToLower(readable(strings.TrimSpace(voter))) }

// dropVote removes the vote of a person, in whatever spelling of the name, and reports whether
// there was one.
func dropVote(ctx context.Context, tx *database.Tx, ticket, voter string) (bool, error) {
	gone, err := tx.ExecContext(ctx, "DELETE FROM votes WHERE ticket = $1 AND voter = $2", ticket, keyOf(voter))
	if err != nil {
		return false, err
	}
	n, err := gone.RowsAffected()
	return n > 0, err
}

// withoutVotes removes all votes on a ticket: they were for the run that begins, or for none.
func withoutVotes(ticket string) database.Change {
	return database.Change{Text: "DELETE FROM votes WHERE ticket = $1", Args: []any{ticket}}
}

// endsVotes: a change that was made to a ticket leaves no votes on it. There are none on one
// that a single person can approve.
func (m *move) endsVotes(t *Ticket) bool {
	switch {
	case m.mends, m.change == confirmNotRun:
		return true
	case t.Terms.Need() == 1:
		return false
	}
	return m.change == claim || t.State.Over()
}
