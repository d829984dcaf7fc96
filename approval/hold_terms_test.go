package approval

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// Any process of the user can hold a call before the guard of its agent does, and ask for less.
// What the guard asks for counts all the same: while the ticket waits, and after a yes.
func TestA4_AGuardThatComesLaterCanAskForMore(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := t.Context()
		c := newStore(t)
		phone := []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}
		hold := func(session string, terms permission.Terms) Ticket {
			t.Helper()
			ticket, err := c.Hold(ctx, "codex", Parking{Call: deploy(session), By: "guard", Risk: permission.LowRisk, Lasts: time.Hour, Requester: "ann@desk", Terms: terms})
			if err != nil {
				t.Fatal(err)
			}
			return ticket
		}
		reason := permission.Terms{Reason: true}

		first := hold("waits", permission.Terms{Escalate: phone})
		if again := hold("waits", reason); again.ID != first.ID || !again.Terms.Reason {
			t.Errorf("%+v", again)
		}
		if again := hold("waits", permission.Terms{}); !again.Terms.Reason { // and nobody takes it back
			t.Errorf("%+v", again.Terms)
		}
		kept, err := c.Find(ctx, first.ID)
		if err != nil || !kept.Terms.Reason || len(kept.Terms.Escalate) != 1 || kept.Requester != "ann@desk" {
			t.Errorf("%+v, %v", kept, err)
		}

		weak := hold("answered", permission.Terms{})
		if _, err := c.Approve(ctx, weak.ID, weak.Digest, "ana", "", nil); err != nil {
			t.Fatal(err)
		}
		asked := hold("answered", reason)
		if asked.ID == weak.ID || asked.State != Pending || !asked.Terms.Reason {
			t.Errorf("a yes without a reason counts: %+v", asked)
		}
		if old, err := c.Find(ctx, weak.ID); err != nil || old.State != Refused {
			t.Errorf("%v, %v", old.State, err)
		}
		if _, err := c.Approve(ctx, asked.ID, asked.Digest, "ana", "it is Friday", nil); err != nil {
			t.Fatal(err)
		}
		if same := hold("answered", reason); same.ID != asked.ID || same.State != Approved {
			t.Errorf("a yes with a reason does not count: %+v", same)
		}
	})
}
