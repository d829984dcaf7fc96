package voice

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

// Wanted is who wanted a call that he must not approve. It is an account, or several: each is that
// of the people who are called so, and of those to whom an admin has given it. The zero value is
// one of whom nothing is known, or who does not matter.
type Wanted struct {
	accounts string
	all      people.Everybody
	people   []people.Person
	// Strange are those of the accounts that are nobody's here, so whoever approves may be the one.
	Strange []string
}

// WantedBy finds those who wanted a call among everybody.
func WantedBy(accounts string, all people.Everybody) Wanted {
	w := Wanted{accounts: accounts, all: all}
	owners := all.Owners(accounts)
	for _, p := range all.People {
		if approval.Requested(accounts, p.Name) || slices.Contains(owners, p.Name) {
			w.people = append(w.people, p)
		}
	}
	for _, one := range account.Split(accounts) {
		named := func(p people.Person) bool { return approval.Requested(one, p.Name) }
		if len(all.Owners(one)) == 0 && !slices.ContainsFunc(w.people, named) {
			w.Strange = append(w.Strange, one)
		}
	}
	return w
}

// Self is the one of those who wanted a call who a person is, or could be: by says by what then,
// and is empty when it is he himself. Both are empty for somebody else.
func (w Wanted) Self(name string) (self, by string) {
	he := func(p people.Person) bool { return p.Name == name }
	if w.accounts != "" && approval.Requested(w.accounts, name) || slices.ContainsFunc(w.people, he) {
		return name, ""
	}
	if p, known := w.all.Find(name); known {
		for _, other := range w.people {
			if by := p.Alike(other); by != "" {
				return other.Name, by
			}
		}
	}
	return "", ""
}

// reading is how everybody is read.
type reading func(context.Context, database.Querier) (people.Everybody, error)

// notOwn refuses the yes of people who wanted the call themselves, or could be one human with
// somebody who did, as things are at the moment: it may have come out after they have given it.
func notOwn(ctx context.Context, q database.Querier, store *people.Store, everybody reading, accounts string, names ...string) error {
	if accounts == "" {
		return nil
	}
	all, err := everybody(ctx, q)
	if err != nil {
		return err
	}
	wanted := WantedBy(accounts, all)
	if wanted.people, err = store.Rely(ctx, q, wanted.people); err != nil {
		return err
	}
	for _, name := range names {
		self, by := wanted.Self(name)
		what := fmt.Sprintf("approve what %s wanted, which is ", policy.WellFormed(accounts))
		switch {
		case self == "":
			continue
		case by == "":
			what += "his account"
		default:
			what += fmt.Sprintf("an account of %s, who could be the same person by %s", self, by)
		}
		return &people.NotAllowed{Who: name, What: what, Hint: "somebody else has to"}
	}
	return nil
}
