package approval

import (
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// A claim that is given back leaves the ticket as it was before: the same yes holds, for one run.
func TestS27_AClaimThatIsGivenBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for name, state := range map[string]State{"approved": Approved, "pending": Pending, "expired": Expired} {
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(name), Lasts: time.Hour, Outcome: permission.Allow, By: "hook"})
			must(t, err)
			c.drive(ticket.ID, state)
			before := c.find(ticket.ID)
			fence, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me")
			must(t, err)
			must(t, c.Release(t.Context(), ticket.ID, fence))
			after := c.find(ticket.ID)
			if after.State != state || after.Said() != before.Said() || after.Holder != "" {
				t.Errorf("%s: %+v, %+v", name, after, after.Answer)
			}
			again, err := c.ClaimSeen(t.Context(), ticket.ID, before.Said(), ticket.Call, nil, "other")
			must(t, err)
			if _, taken := errors.AsType[*Superseded](c.Release(t.Context(), ticket.ID, fence)); !taken || c.find(ticket.ID).State != Running {
				t.Errorf("%s: who has given it back gives back the claim of somebody else: %s", name, c.find(ticket.ID).State)
			}
			must(t, c.Finish(t.Context(), ticket.ID, again, true, ""))
			if _, wrong := errors.AsType[*WrongState](c.Release(t.Context(), ticket.ID, again)); !wrong {
				t.Errorf("%s: what ran is given back", name)
			}
		}
	})
}

// Several people have said yes, to one run: all of them still have when it has not begun, and none of
// them for a second one. One who may not answer any more does not count when it is to begin again.
func TestA4_VotesAreForTheRunThatBegins(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		approvedByTwo := func(session string) (Ticket, int64) {
			ticket := c.parkWith(session, permission.Terms{Approvers: 2})
			_, err := c.yes(ticket, "ana")
			must(t, err)
			_, err = c.yes(ticket, "ben")
			must(t, err)
			fence, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me")
			must(t, err)
			return ticket, fence
		}
		ticket, fence := approvedByTwo("s1")
		must(t, c.Release(t.Context(), ticket.ID, fence))
		if got := c.find(ticket.ID); got.State != Approved || len(got.Answer.Others) != 1 || c.rows(ticket.ID) != 0 {
			t.Fatalf("%s, %+v", got.State, got.Answer)
		}
		fence, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me")
		must(t, err)
		must(t, c.Lose(t.Context(), ticket.ID, fence, ""))
		if got, err := c.Resolve(t.Context(), ticket.ID, false, "ann", ""); err != nil || got.State != Pending || got.Answer != nil {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := c.yes(ticket, "ana"); err != nil || got.State != Pending {
			t.Errorf("one yes lets it run: %s, %v", got.State, err)
		}

		ticket, fence = approvedByTwo("s2")
		must(t, c.Release(t.Context(), ticket.ID, fence))
		c.minding("ana")
		if _, again := errors.AsType[*WaitsAgain](second(c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"))); !again || c.find(ticket.ID).State != Pending || c.voters(ticket.ID) != "ben" {
			t.Errorf("%s, votes: %s", c.find(ticket.ID).State, c.voters(ticket.ID))
		}
	})
}

func second(_ int64, err error) error { return err }

// A person says no to what was given back, and that holds.
func TestA2_ANoToWhatWasGivenBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.park(deploy("s1"))
		c.drive(ticket.ID, Approved)
		approved := c.find(ticket.ID)
		seen := approved.Said()
		fence, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me")
		must(t, err)
		must(t, c.Release(t.Context(), ticket.ID, fence))
		_, err = c.Deny(t.Context(), ticket.ID, ticket.Digest, "ann", "no")
		must(t, err)
		if _, err := c.ClaimSeen(t.Context(), ticket.ID, seen, ticket.Call, nil, "me"); err == nil || c.find(ticket.ID).State != Denied {
			t.Errorf("%v, %s", err, c.find(ticket.ID).State)
		}
	})
}
