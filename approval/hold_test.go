package approval

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

func (c *counter) hold(session, asker string) Ticket {
	c.t.Helper()
	t, err := c.Hold(context.Background(), asker, Parking{Call: deploy(session), By: "guard", Why: "a rule asks", Lasts: time.Hour})
	if err != nil {
		c.t.Fatal(err)
	}
	return t
}

// The agent makes the same call again: it has the same ticket until that is over.
func TestA2_HeldCallsKeepTheirTicket(t *testing.T) {
	ctx := context.Background()
	c := newStore(t)
	first := c.hold("s", "codex")
	if again := c.hold("s", "codex"); again.ID != first.ID {
		t.Errorf("the same call got another ticket: %s, %s", first.ID, again.ID)
	}
	if other := c.hold("s2", "codex"); other.ID == first.ID {
		t.Error("another session has the ticket as well")
	}
	var wrong *WrongState
	if _, err := c.Hand(ctx, first.ID, "guard"); !errors.As(err, &wrong) {
		t.Errorf("nobody has answered: %v", err)
	}
	if _, err := c.Approve(ctx, first.ID, first.Digest, "ana", "", nil); err != nil {
		t.Fatal(err)
	}
	if again := c.hold("s", "codex"); again.ID != first.ID || again.State != Approved {
		t.Errorf("%+v", again)
	}
	got, err := c.Hand(ctx, first.ID, "guard")
	if err != nil || got.State != Done || got.Answer.Behavior != permission.Allow {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := c.Hand(ctx, first.ID, "guard"); !errors.As(err, &wrong) { // single use
		t.Errorf("handed over twice: %v", err)
	}
	if again := c.hold("s", "codex"); again.ID == first.ID || again.State != Pending {
		t.Errorf("a yes counts twice: %+v", again)
	}
}

func TestA2_HeldCallsAreDeniedAndExpire(t *testing.T) {
	ctx := context.Background()
	c := newStore(t)
	denied := c.hold("s", "codex")
	if _, err := c.Deny(ctx, denied.ID, denied.Digest, "ana", "no"); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Hand(ctx, denied.ID, "guard"); err != nil || got.State != Refused || got.Answer.Message != "no" {
		t.Errorf("%+v, %v", got, err)
	}
	late := c.hold("s2", "codex")
	c.time = c.time.Add(2 * time.Hour)
	if got, err := c.Hand(ctx, late.ID, "guard"); err != nil || got.State != Refused {
		t.Errorf("%+v, %v", got, err)
	}
	if again := c.hold("s2", "codex"); again.ID == late.ID || again.State != Pending {
		t.Errorf("%+v", again)
	}
}

// A yes is good for the time of its ticket.
func TestT5_AYesThatNobodyFetches(t *testing.T) {
	ctx := context.Background()
	c := newStore(t)
	held := c.hold("s", "codex")
	if _, err := c.Approve(ctx, held.ID, held.Digest, "ana", "", nil); err != nil {
		t.Fatal(err)
	}
	c.time = c.time.Add(2 * time.Hour)
	if got, err := c.Hand(ctx, held.ID, "guard"); err != nil || got.State != Refused {
		t.Errorf("%s, %v", got.State, err)
	}
	if again := c.hold("s", "codex"); again.ID == held.ID || again.State != Pending {
		t.Errorf("%+v", again)
	}
}

// What a guard says about edits is kept with the ticket, and what is damaged there is no yes.
func TestA3_ATicketKnowsWhetherItsAgentTakesAnotherInput(t *testing.T) {
	ctx := context.Background()
	c := newStore(t)
	for i, edits := range []Edits{Unsaid, Taken, NotTaken, OtherWords} {
		held, err := c.Hold(ctx, "codex", Parking{Call: deploy("s" + string(rune('0'+i))), By: "guard", Edits: edits})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Find(ctx, held.ID); err != nil || got.Edits != edits || held.Edits != edits {
			t.Errorf("%q: %q, %q, %v", edits, held.Edits, got.Edits, err)
		}
	}
}

// Whoever speaks first about a call that is held is not believed more than its guard, which
// speaks later.
func TestT1_TheFirstWordAboutAHeldCallDoesNotStay(t *testing.T) {
	ctx := context.Background()
	c := newStore(t)
	forged := Parking{Call: deploy("s"), By: "guard", Why: "reviewed, safe", Policy: "p0", Kin: "Bash(ls)", Risk: permission.LowRisk, Edits: Taken, Lasts: 10 * 365 * 24 * time.Hour}
	first, err := c.Hold(ctx, "codex", forged)
	if err != nil {
		t.Fatal(err)
	}
	honest := Parking{Call: deploy("s"), By: "guard", Why: "a rule asks", Policy: "p1", Kin: "Bash(deploy)", Risk: permission.HighRisk, Edits: NotTaken, Lasts: time.Hour}
	for _, p := range []Parking{honest, forged} { // the forger may come again
		held, err := c.Hold(ctx, "codex", p)
		if err != nil || held.ID != first.ID {
			t.Fatalf("%+v, %v", held, err)
		}
		found, err := c.Find(ctx, first.ID)
		if err != nil || found.Why != p.Why || found.Kin != p.Kin || found.Policy != p.Policy || found.Edits != p.Edits {
			t.Errorf("%+v, %v", found, err)
		}
		if found.Risk != permission.HighRisk || found.Expires.Sub(found.Created) > 2*time.Hour || found.Risk != held.Risk {
			t.Errorf("%s until %s", found.Risk, found.Expires)
		}
	}
	if _, err := c.Approve(ctx, first.ID, first.Digest, "ana", "", nil); err != nil {
		t.Fatal(err)
	}
	if held, err := c.Hold(ctx, "codex", honest); err != nil || held.Why != forged.Why {
		t.Errorf("what was answered has changed: %+v, %v", held, err)
	}
}
