package clerk

import (
	"context"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// TermsView is what has to be so before a yes counts.
type TermsView struct {
	// Approvers is how many people must say yes.
	Approvers int `json:"approvers"`
	// Reason: each has to say why. NotRequester: whoever wanted the call cannot say yes.
	Reason       bool `json:"reason,omitempty"`
	NotRequester bool `json:"not_requester,omitempty"`
}

// ViewTerms is terms as programs get them; nil when one yes of anybody is enough.
func ViewTerms(t permission.Terms) *TermsView {
	if t.Need() == 1 && !t.Reason && !t.NotRequester {
		return nil
	}
	return &TermsView{t.Need(), t.Reason, t.NotRequester}
}

// VoteView is the yes of one of several people.
type VoteView struct {
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	Digest string    `json:"digest"`
	Reason string    `json:"reason,omitempty"`
	// Same: it is for what is shown, and not for another input, other files or another change of one.
	Same bool `json:"same"`
}

// ViewVote is a vote as programs get it.
func ViewVote(v approval.Vote, same bool) VoteView {
	return VoteView{policy.WellFormed(v.By), v.At, v.Digest, policy.WellFormed(v.Message), same}
}

// termsAndVotes shows what has to be so before a yes to a call counts, by the settings of
// today, and who has said yes.
func (c *Clerk) termsAndVotes(ctx context.Context, m Matter, v *CallView) {
	terms := m.parkedTerms()
	if m.Waits {
		terms = c.Terms(m)
	}
	v.Terms = ViewTerms(terms)
	c.addVotes(ctx, m, terms, v)
}

// ViewWithVotes is [View], with those who have said yes where several people must.
func (c *Clerk) ViewWithVotes(ctx context.Context, m Matter) CallView {
	v := View(m)
	c.addVotes(ctx, m, m.parkedTerms(), &v)
	return v
}

// addVotes shows who has said yes to a call that waits for several, and whose yes does not count
// any more.
func (c *Clerk) addVotes(ctx context.Context, m Matter, terms permission.Terms, v *CallView) {
	if m.Standing != Pending || m.parkedTerms().Need() == 1 || m.Ticket == nil || c.tickets == nil { // nobody has voted
		return
	}
	votes, err := c.tickets.Votes(ctx, m.Ticket.ID)
	var counted []approval.Vote
	change := ""
	if len(votes) > 0 {
		change = c.ChangeNow(m).Seen()
	}
	for _, one := range votes {
		vote := ViewVote(one, one.For(m.Digest(), m.Places(), change))
		if why := c.lapsed(ctx, m, terms, one, one.With(counted)); why != "" {
			v.Lapsed = append(v.Lapsed, LapsedView{vote, why})
			continue
		}
		v.Votes, counted = append(v.Votes, vote), append(counted, one)
	}
	if err != nil && v.Problem == "" {
		v.Problem = err.Error()
	}
}
