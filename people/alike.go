package people

import (
	"context"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
)

// Alike is by what two people could be one human; empty when by nothing. The e-mail of somebody
// whom another server knows is kept only as long as it is verified there, and any other one an
// admin has written down.
func (p Person) Alike(other Person) string {
	same := func(one, other string) bool {
		one, other = strings.TrimSpace(one), strings.TrimSpace(other)
		return one != "" && strings.EqualFold(one, other)
	}
	switch {
	case account.Alike(p.Name, other.Name):
		return "the name"
	case same(p.Email, other.Email), same(p.Email, other.Name), same(p.Name, other.Email):
		return "the e-mail"
	}
	return ""
}

// Apart refuses that two people say yes to the same who could be one human: with two names he
// would be two, where two have to. An e-mail may come later than the person, so this is asked when
// it counts. It asks the querier and nothing else. The error is a [*NotAllowed] then.
func (s *Store) Apart(ctx context.Context, q database.Querier, name, other string) error {
	p, err := find(ctx, q, name, relying(q))
	if err != nil {
		return err
	}
	beside, err := find(ctx, q, other, relying(q))
	if err != nil {
		return err
	}
	if by := p.Alike(beside); by != "" {
		return &NotAllowed{p.Name, fmt.Sprintf("approve this beside %s, who could be the same person by %s", beside.Name, by), "somebody else has to"}
	}
	return nil
}
