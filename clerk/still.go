package clerk

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// LapsedView is a yes that does not count, and why: whoever has said it may not answer any more,
// or nobody can say whether he may.
type LapsedView struct {
	VoteView
	Why string `json:"why"`
}

// lapsed is why a vote on a call does not count, or not beside others; empty when it does.
func (c *Clerk) lapsed(ctx context.Context, m Matter, terms permission.Terms, vote approval.Vote, beside []approval.Vote) string {
	if c.Still == nil {
		return ""
	}
	barred := ""
	if terms.NotRequester {
		barred = m.Requester()
	}
	err := c.Still(ctx, barred, vote, beside...)
	if err == nil {
		return ""
	}
	if _, lapsed := errors.AsType[*approval.Lapsed](err); lapsed {
		return policy.WellFormed(err.Error())
	}
	c.uncounted = fmt.Errorf("the people cannot be read, so nobody can say whose yes still counts: %w", err)
	return fmt.Sprintf("nobody can say whether %s may still answer", policy.WellFormed(vote.By))
}
