package clerk

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// Requester is who wanted the call: an account, "user@host", or the name of a person, or several
// with commas between them; empty when nobody knows.
func (m *Matter) Requester() string {
	if m.Ticket != nil && m.Ticket.Requester != "" {
		return m.Ticket.Requester
	}
	return m.requester
}

// parkedTerms are what had to be so before a yes counts when the call was parked, by the record
// of the session as well: the ticket may have been made by somebody who knew nothing of it.
func (m *Matter) parkedTerms() permission.Terms {
	if m.Ticket == nil {
		return m.terms
	}
	return m.Ticket.Terms.And(m.terms)
}

// admits refuses a yes that the terms do not allow, before anybody is asked for more. The
// ticket says so once more, with what others have said since.
func (m *Matter) admits(yes Yes) error {
	t := approval.Ticket{ID: m.Name(), Requester: m.Requester(), Terms: m.parkedTerms()}
	return t.Admits(approval.Answer{Voter: yes.Voter, By: yes.By, Message: yes.Reason, Terms: yes.Terms})
}

// Terms are what has to be so before a yes to a call counts: what its ticket says, and the
// settings of today. Where these cannot be asked the ticket's are all that is known, and mostly
// nothing can be approved.
func (c *Clerk) Terms(m Matter) permission.Terms {
	now, err := c.permitted(m, nil)
	if err != nil {
		return m.parkedTerms()
	}
	return m.parkedTerms().And(now.terms)
}

// Tally is how many people have said yes to the call as it was parked, and to the change of its file that
// the last of them was shown, and how many must.
func (m *Matter) Tally(terms permission.Terms) approval.Tally {
	return m.tally(m.Digest(), m.Places(), approval.LastSeen(m.Votes), terms)
}

// Joined is how many people have said yes to the same as a person, and how many must.
func (m *Matter) Joined(voter string) approval.Tally {
	for _, v := range m.Votes {
		if v.Of(voter) {
			return m.tally(v.Digest, v.Places, v.Change, m.parkedTerms())
		}
	}
	return m.Tally(m.parkedTerms())
}

func (m *Matter) tally(digest string, places []string, change string, terms permission.Terms) approval.Tally {
	all := approval.Tally{Need: terms.Need()}
	for _, v := range m.Votes {
		if v.For(digest, places, change) {
			all.Have++
		}
	}
	return all
}

// Comment writes down what somebody has to say about the call of a ticket, also about one that
// is over.
func (c *Clerk) Comment(ctx context.Context, id, who, text string) error {
	t, err := c.Find(ctx, id)
	if err != nil {
		return err
	}
	if t.Ticket == nil {
		return &Error{Kind: Invalid, Said: fmt.Sprintf("%s is a session, and a comment is about the ticket of one call", t.Session), Way: SeeSession, ID: t.Session}
	}
	return c.tickets.Comment(ctx, t.Ticket.ID, who, text)
}
