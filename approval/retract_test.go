package approval

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

func TestA3_AnAnswerIsTakenBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := context.Background()
		c := newStore(t)
		ticket, err := c.Park(ctx, Parking{Call: deploy("s"), Lasts: time.Hour, By: "hook"})
		if err != nil {
			t.Fatal(err)
		}
		var wrong *WrongState
		if _, err := c.Retract(ctx, ticket.ID, ticket.Said(), "ana"); !errors.As(err, &wrong) {
			t.Errorf("nobody has answered: %v", err)
		}
		var overtaken *Overtaken
		for _, behavior := range []permission.Behavior{permission.Allow, permission.Deny} {
			answered, err := c.answer(ctx, ticket.ID, ticket.Digest, changeTo(behavior), Answer{Behavior: behavior, By: "ana", Settles: c.time.Add(time.Minute)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Retract(ctx, ticket.ID, ticket.Said(), "ana"); !errors.As(err, &overtaken) {
				t.Errorf("another answer is taken back: %v", err)
			}
			back, err := c.Retract(ctx, ticket.ID, answered.Said(), "ana")
			if err != nil || back.State != Pending || back.Answer != nil || !back.Expires.Equal(ticket.Expires) {
				t.Errorf("%+v, %v", back, err)
			}
		}
		now := c.find(ticket.ID)
		seen := now.Said()
		approved, err := c.Approve(ctx, ticket.ID, ticket.Digest, "ana", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.ClaimSeen(ctx, ticket.ID, seen, ticket.Call, nil, "worker"); !errors.As(err, &overtaken) {
			t.Errorf("it is claimed for what was said before: %v", err)
		}
		if _, err := c.ClaimSeen(ctx, ticket.ID, approved.Said(), ticket.Call, nil, "worker"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Retract(ctx, ticket.ID, approved.Said(), "ana"); !errors.As(err, &wrong) || wrong.State != Running {
			t.Errorf("it runs already: %v", err)
		}
	})
}

// Whoever has seen a yes that is taken back before the call is claimed does not run it.
func TestA2_AYesThatIsTakenBackDoesNotRun(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := context.Background()
		c := newStore(t)
		ticket := c.park(deploy("s"))
		approved, err := c.Say(ctx, ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "ana", Settles: c.time.Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Retract(ctx, ticket.ID, approved.Said(), "ana"); err != nil {
			t.Fatal(err)
		}
		var overtaken *Overtaken
		if _, err := c.ClaimSeen(ctx, ticket.ID, approved.Said(), ticket.Call, nil, "worker"); !errors.As(err, &overtaken) {
			t.Errorf("it is claimed: %v", err)
		}
	})
}

func changeTo(b permission.Behavior) change {
	if b == permission.Allow {
		return approve
	}
	return deny
}
