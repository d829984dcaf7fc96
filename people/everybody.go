package people

import (
	"context"

	"github.com/assent-dev/assent/internal/database"
)

// Everybody is all people and whose the accounts are. Whoever looks at many calls reads it once.
type Everybody struct {
	People   []Person
	Accounts []Account
}

// Everybody reads all people and all accounts. It asks the querier and nothing else.
func (s *Store) Everybody(ctx context.Context, q database.Querier) (Everybody, error) {
	list, err := everybody(ctx, q)
	if err != nil {
		return Everybody{}, err
	}
	given, err := accounts(ctx, q)
	return Everybody{list, given}, err
}

// Find finds a person by his name; false when nobody has it.
func (e Everybody) Find(name string) (Person, bool) {
	for _, p := range e.People {
		if p.Name == name {
			return p, true
		}
	}
	return Person{}, false
}

// Owners is [Store.Owners] without a database.
func (e Everybody) Owners(requester string) []string { return owners(e.Accounts, requester) }

// Rely reads people once more as those on whom an answer relies: in a transaction nobody changes
// them before it is over. Elsewhere they are what they are. It asks the querier and nothing else.
func (s *Store) Rely(ctx context.Context, q database.Querier, list []Person) ([]Person, error) {
	lock := relying(q)
	if lock == "" {
		return list, nil
	}
	now := make([]Person, 0, len(list))
	for _, p := range list {
		p, err := find(ctx, q, p.Name, lock)
		if err != nil {
			return nil, err
		}
		now = append(now, p)
	}
	return now, nil
}
