package clerk

import (
	"context"
	"time"

	"github.com/assent-dev/assent/approval"
)

// Retire removes a session in which nobody needs anything and that was not used for so long, as
// [Clerk.Remove] does. What has a ticket that is not over is kept before anything of the session is
// fetched. The error is a [Kept] when it stays.
func (c *Clerk) Retire(ctx context.Context, id string, unused time.Duration) error {
	open, err := c.list(ctx, approval.Query{Session: id, States: live()})
	if err != nil {
		return err
	}
	if len(open) > 0 {
		return &Kept{Why: "a call of it is not over", Way: SeeCall, ID: open[0].ID}
	}
	age, err := c.Unused(id)
	switch {
	case err != nil:
		return err
	case age < unused:
		return &Kept{Why: "it was used meanwhile"}
	}
	_, err = c.Remove(ctx, id, Careful)
	return err
}
