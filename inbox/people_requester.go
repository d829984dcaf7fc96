package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// requester is who wanted a call that he must not approve. It is an account, or several: each is
// that of the people who are called so, and of those to whom an admin has given it. The zero value
// is one of whom nothing is known, or who does not matter.
type requester struct {
	accounts string
	owners   []string
	// strange are those of the accounts that are nobody's here, so whoever approves may be the one.
	strange []string
}

// is: a person may be the one who wanted the call.
func (r requester) is(name string) bool {
	return approval.Requested(r.accounts, name) || slices.Contains(r.owners, name)
}

// whoIsThat is why nobody can approve a call of an account of nobody.
func (r requester) whoIsThat() string {
	if slices.Contains(r.strange, account.Others) {
		return fmt.Sprintf("whoever wanted this call must not approve it, and more than %d accounts have spoken in its session, so not all of them are on record (deny it, and let a new session do the work)", account.Most)
	}
	return fmt.Sprintf("%s wanted this call and must not approve it, and nobody knows which person that is (an admin can say it where the server runs: `assent people account add ACCOUNT NAME`, with nobody as the NAME for a machine; or deny it)", policy.WellFormed(strings.Join(r.strange, ", ")))
}

// barred are the accounts that wanted a call, where they must not approve it.
func barred(t *approval.Ticket, terms permission.Terms) string {
	if !terms.NotRequester {
		return ""
	}
	return t.Requester
}

// requesterOf finds out who wanted a call, if that matters. Where nobody signs in it does not:
// nobody can approve such a call there.
func (s *Server) requesterOf(ctx context.Context, t *approval.Ticket, terms permission.Terms) (requester, error) {
	r := requester{accounts: barred(t, terms)}
	if r.accounts == "" || s.People == nil {
		return r, nil
	}
	all, err := s.People.List(ctx)
	if err != nil {
		return r, err
	}
	for _, one := range account.Split(r.accounts) {
		owners, err := s.People.Owners(ctx, s.Tickets.Database().Reads(), one)
		if err != nil {
			return r, err
		}
		r.owners = append(r.owners, owners...)
		named := func(p people.Person) bool { return approval.Requested(one, p.Name) }
		if len(owners) == 0 && !slices.ContainsFunc(all, named) {
			r.strange = append(r.strange, one)
		}
	}
	return r, nil
}
