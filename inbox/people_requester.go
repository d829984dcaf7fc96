package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// requester is who wanted a call that he must not approve.
type requester struct{ voice.Wanted }

// is says how a person is the one who wanted the call, or could be; empty for somebody else.
func (r requester) is(name string) string {
	self, by := r.Self(name)
	if by != "" {
		return fmt.Sprintf("%s, who could be the same person as %s by %s, wanted this call", self, name, by)
	}
	if self != "" {
		return self + " wanted this call"
	}
	return ""
}

// whoIsThat is why nobody can approve a call of an account of nobody.
func (r requester) whoIsThat() string {
	if slices.Contains(r.Strange, account.Others) {
		return fmt.Sprintf("whoever wanted this call must not approve it, and more than %d accounts have spoken in its session, so not all of them are on record (deny it, and let a new session do the work)", account.Most)
	}
	return fmt.Sprintf("%s wanted this call and must not approve it, and nobody knows which person that is (an admin can say it where the server runs: `assent people account add ACCOUNT NAME`, with nobody as the NAME for a machine; or deny it)", policy.WellFormed(strings.Join(r.Strange, ", ")))
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
	accounts := barred(t, terms)
	if accounts == "" || s.People == nil {
		return requester{}, nil
	}
	all, err := s.People.Everybody(ctx, s.Tickets.Database().Reads())
	if err != nil {
		return requester{}, s.Tickets.Database().Explain(err)
	}
	return requester{voice.WantedBy(accounts, all)}, nil
}
