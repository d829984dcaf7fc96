package people

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Said is something that was said in the name of a person.
type Said struct {
	// By has said it, for himself or in place of another person; empty means for himself.
	By, InPlaceOf string
	// Moment is that of his sign-in when he said it, and At the time. By the time nobody can tell what
	// came first on two machines, so it counts only where there is no moment: earlier programs have kept
	// none.
	Moment int64
	At     time.Time
}

// MayAnswer refuses an answer of somebody who may not give it now, or who was signed out
// everywhere since he has: nobody knows then whether it was he. It asks the querier and nothing
// else, so that whoever writes the answer can ask in his transaction. The error is a [*NotAllowed]
// when he may not.
func (s *Store) MayAnswer(ctx context.Context, q database.Querier, said Said) error {
	name, inPlaceOf := said.By, said.InPlaceOf
	p, err := find(ctx, q, name, relying(q))
	if _, unknown := errors.AsType[*Unknown](err); unknown {
		return &NotAllowed{clipped(name), "answer: there is nobody of that name", "ask an admin"}
	}
	switch {
	case err != nil:
		return err
	case p.Disabled:
		return &NotAllowed{p.Name, "answer any more, and is disabled", "an admin can enable him"}
	case s.unconfirmed(p):
		return &NotAllowed{p.Name, "answer any more: " + s.inactive(p), "he can sign in by it where the page offers that, or an admin can enable or unlink him"}
	}
	before, err := p.outdates(ctx, q, said)
	switch {
	case err != nil:
		return err
	case before:
		return sayAgain(p.Name, p.Name+" was signed out everywhere since")
	case inPlaceOf != "" && inPlaceOf != p.Name:
		return s.mayLend(ctx, q, said)
	case !p.Role.Answer():
		return &NotAllowed{p.Name, fmt.Sprintf("answer, as a %s", p.Role), "ask an admin for another role"}
	}
	return nil
}

// relying ends a SELECT of what an answer relies on. In a transaction nobody changes that before it is
// over: whoever has disabled somebody must not see a call begin by his yes a moment later.
func relying(q database.Querier) string {
	if tx, ok := q.(*database.Tx); ok {
		return tx.ToRely()
	}
	return ""
}

func sayAgain(name, why string) error {
	return &NotAllowed{name, "answer by what was said before: " + why, "say it again"}
}

// TokenHolds refuses what a program of a person has said by a token that was revoked since: nobody
// knows then whether it was the program. That the time of a token is over says nothing against what
// was said before. It asks as MayAnswer does, and the error is a [*NotAllowed] as well.
func (s *Store) TokenHolds(ctx context.Context, q database.Querier, name string, number int64) error {
	revoked, err := noted(ctx, q, name, TokenRevoked, fmt.Sprint(number))
	if err == nil && revoked != 0 {
		err = sayAgain(name, fmt.Sprintf("token %d of his was revoked", number))
	}
	return err
}

// mayLend refuses an answer of somebody who is not the deputy of a person now, or was not that
// when he gave it. It is the right of the person, so it ends with what ends the person's own.
func (s *Store) mayLend(ctx context.Context, q database.Querier, said Said) error {
	found, err := s.deputies(ctx, q, "d.deputy = $1 AND d.person = $2 AND d.until > $3", said.By, said.InPlaceOf, micros(s.now()))
	if err != nil {
		return err
	}
	person := clipped(said.InPlaceOf)
	refused := func(why string) error {
		return &NotAllowed{said.By, fmt.Sprintf("answer in the place of %s: %s", person, why), "answer for yourself, or ask an admin"}
	}
	err = refused("he is not the deputy")
	for _, d := range found {
		before, failed := d.outdates(ctx, q, said)
		switch {
		case failed != nil:
			return failed
		case d.Dormant != "":
			err = refused(d.Dormant)
		case before:
			err = sayAgain(said.By, fmt.Sprintf("%s was signed out everywhere since, or has made him the deputy anew", person))
		default:
			return nil
		}
	}
	return err
}
