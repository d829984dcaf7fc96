package clerk

import (
	"context"
	"errors"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// What became of a call is said to its session and to its ticket, by somebody who may: to both of them,
// or to none. A sign-in that ends in between ends what is asked afterwards.
func TestA4_AFindingIsSaidToBothOrToNone(t *testing.T) {
	ended := errors.New("the sign-in has ended")
	for name, test := range map[string]struct {
		holds int // how often it does
		said  bool
	}{
		"it has ended before": {0, false},
		"it ends in between":  {1, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := waitingIn(t, "Bash(rm:*)", bash("deploy"))
			p.fork()
			loseFork(p)
			asked := 0
			ctx := approval.Provided(t.Context(), func(context.Context, database.Querier) error {
				if asked++; asked > test.holds {
					return ended
				}
				return nil
			})
			if _, err := p.Resolve(ctx, forkID, Finding{By: "bob", Ran: true, Note: "looked"}); errors.Is(err, ended) == test.said || err != nil && test.said {
				t.Error(err)
			}
			ticket, err := p.tickets.OfCall(t.Context(), forkID, "a")
			p.check(err)
			seen, err := p.Inspect(t.Context(), Target{Session: forkID})
			p.check(err)
			heard := seen.Matters[0].Finding
			if told := ticket.State != approval.Unknown; told != test.said || (heard != nil) != test.said {
				t.Errorf("the ticket is %s, and the session has heard %+v", ticket.State, heard)
			}
		})
	}
}
