package inbox

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// requester is who wanted a call that he must not approve. It is an account, which is that of the
// people who are called so, and of those to whom an admin has given it. The zero value is one
// of whom nothing is known, or who does not matter.
type requester struct {
	account string
	owners  []string
	// strange: it is the account of nobody here, so whoever approves may be the one.
	strange bool
}

// is: a person may be the one who wanted the call.
func (r requester) is(name string) bool {
	return approval.Requested(r.account, name) || slices.Contains(r.owners, name)
}

// whoIsThat is why nobody can approve a call of an account of nobody.
func (r requester) whoIsThat() string {
	return fmt.Sprintf("%s wanted this call and must not approve it, and nobody knows which person that is (an admin can say it where the server runs: `assent people account add ACCOUNT NAME`, with nobody as the NAME for a machine; or deny it)", policy.WellFormed(r.account))
}

// barred is the account that wanted a call, where it must not approve it.
func barred(t *approval.Ticket, terms permission.Terms) string {
	if !terms.NotRequester {
		return ""
	}
	return t.Requester
}

// requesterOf finds out who wanted a call, if that matters. Where nobody signs in it does not:
// nobody can approve such a call there.
func (s *Server) requesterOf(ctx context.Context, t *approval.Ticket, terms permission.Terms) (requester, error) {
	r := requester{account: barred(t, terms)}
	if r.account == "" || s.People == nil {
		return r, nil
	}
	var err error
	if r.owners, err = s.People.Owners(ctx, s.Tickets.Database().Reads(), r.account); err != nil || len(r.owners) > 0 {
		return r, err
	}
	all, err := s.People.List(ctx)
	r.strange = !slices.ContainsFunc(all, func(p people.Person) bool { return approval.Requested(r.account, p.Name) })
	return r, err
}

// notOwner refuses a yes of somebody whose account wanted the call, as things are in the
// change that writes it down: an admin may have said so after he has voted.
func (s *Server) notOwner(ctx context.Context, q database.Querier, account, name string) error {
	if account == "" {
		return nil
	}
	owners, err := s.People.Owners(ctx, q, account)
	if err == nil && slices.Contains(owners, name) {
		err = &people.NotAllowed{Who: name, What: fmt.Sprintf("approve what %s wanted, which is his account", policy.WellFormed(account)), Hint: "somebody else has to"}
	}
	return err
}
