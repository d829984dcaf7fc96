package people

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/database"
)

// MayAnswer refuses an answer of somebody who may not give it now, for himself or in place of
// another person; empty means for himself. It asks the querier and nothing else, so that whoever
// writes the answer can ask in his transaction. The error is a [*NotAllowed] when he may not.
func (s *Store) MayAnswer(ctx context.Context, q database.Querier, name, inPlaceOf string) error {
	p, err := find(ctx, q, name, "")
	if _, unknown := errors.AsType[*Unknown](err); unknown {
		return &NotAllowed{clipped(name), "answer: there is nobody of that name", "ask an admin"}
	}
	switch {
	case err != nil:
		return err
	case p.Disabled:
		return &NotAllowed{p.Name, "answer any more, and is disabled", "an admin can enable him"}
	case inPlaceOf != "" && inPlaceOf != p.Name:
		return s.mayLend(ctx, q, p.Name, inPlaceOf)
	case !p.Role.Answer():
		return &NotAllowed{p.Name, fmt.Sprintf("answer, as a %s", p.Role), "ask an admin for another role"}
	}
	return nil
}

// mayLend refuses an answer of somebody who is not the deputy of a person now.
func (s *Store) mayLend(ctx context.Context, q database.Querier, name, person string) error {
	found, err := s.deputies(ctx, q, "d.deputy = $1 AND d.person = $2 AND d.until > $3", name, person, micros(s.now()))
	if err != nil {
		return err
	}
	why := "he is not the deputy"
	for _, d := range found {
		if d.Dormant == "" {
			return nil
		}
		why = d.Dormant
	}
	return &NotAllowed{name, fmt.Sprintf("answer in the place of %s: %s", clipped(person), why), "answer for yourself, or ask an admin"}
}
