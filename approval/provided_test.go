package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// Whoever changes something may do that only under a condition, as that he is signed in. Every change
// asks for it in its own transaction, and makes nothing of what it refuses.
func TestT1_AChangeUnderAConditionThatDoesNotHold(t *testing.T) {
	no := errors.New("nobody is signed in")
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		pending, voted, answered, unknown := c.park(deploy("s1")), c.parkWith("s2", two), c.park(deploy("s3")), c.park(deploy("s4"))
		_, err := c.yes(voted, "ben")
		must(t, err)
		answered = c.say(answered, permission.Allow, "ben", time.Hour)
		c.drive(unknown.ID, Unknown)
		for name, change := range map[string]func(context.Context) error{
			"yes": func(ctx context.Context) error {
				_, err := c.Say(ctx, pending.ID, pending.Digest, Answer{Behavior: permission.Allow, By: "ben"})
				return err
			},
			"no": func(ctx context.Context) error {
				_, err := c.Say(ctx, pending.ID, pending.Digest, Answer{Behavior: permission.Deny, By: "ben", Message: "no"})
				return err
			},
			"vote": func(ctx context.Context) error {
				_, err := c.Say(ctx, voted.ID, voted.Digest, Answer{Behavior: permission.Allow, By: "cleo", Voter: "cleo"})
				return err
			},
			"withdraw": func(ctx context.Context) error { _, err := c.Withdraw(ctx, voted.ID, "ben"); return err },
			"retract": func(ctx context.Context) error {
				_, err := c.Retract(ctx, answered.ID, answered.Said(), "ben")
				return err
			},
			"comment": func(ctx context.Context) error { return c.Comment(ctx, pending.ID, "ben", "hm") },
			"resolve": func(ctx context.Context) error { _, err := c.Resolve(ctx, unknown.ID, true, "ben", ""); return err },
			"cancel":  func(ctx context.Context) error { return c.Cancel(ctx, pending.ID, "ben", "") },
		} {
			asked := 0
			holds := func(answer error) context.Context {
				return Provided(t.Context(), func(ctx context.Context, q database.Querier) error {
					if _, inside := q.(*database.Tx); !inside {
						t.Errorf("%s asks outside of its transaction", name)
					}
					asked++
					return answer
				})
			}
			before := c.allOf(pending, voted, answered, unknown)
			if err := change(holds(no)); !errors.Is(err, no) || asked != 1 {
				t.Errorf("%s: %v, asked %d times", name, err, asked)
			}
			if after := c.allOf(pending, voted, answered, unknown); after != before {
				t.Errorf("%s: %s, was %s", name, after, before)
			}
		}
		asked := false
		under := Provided(t.Context(), func(context.Context, database.Querier) error { asked = true; return nil })
		if err := c.Comment(under, pending.ID, "ben", "hm"); err != nil || !asked || !strings.Contains(c.allOf(pending), "hm") {
			t.Errorf("%v, %v", err, asked)
		}
	})
}

// allOf is all that can be seen of tickets.
func (c *counter) allOf(tickets ...Ticket) string {
	c.t.Helper()
	var all strings.Builder
	for _, ticket := range tickets {
		history, err := c.History(c.t.Context(), ticket.ID)
		must(c.t, err)
		now := c.find(ticket.ID)
		fmt.Fprintf(&all, "%s %v %s\n", now.Said(), history, c.voters(ticket.ID))
	}
	return all.String()
}
