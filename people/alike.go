package people

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
)

// Alike is by what two people could be one human; empty when by nothing. An e-mail is one that another
// server has verified, or that an admin has written down, and those that somebody had before count as the
// one that he has. It may also be the name of the other.
func (p Person) Alike(other Person) string {
	his, others := []string{p.Name, p.Email}, []string{other.Name, other.Email}
	switch {
	case account.Alike(p.Name, other.Name):
		return "the name"
	case shares(his, others):
		return "the e-mail"
	case shares(append(his, p.Earlier()...), append(others, other.Earlier()...)):
		return "an earlier e-mail"
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
