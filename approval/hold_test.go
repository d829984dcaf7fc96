package approval

import (
	"context"
	"errors"
	"slices"
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
	onBoth(t, func(t *testing.T, newStore storeMaker) {
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
		if err != nil || got.State != Handed || got.Answer.Behavior != permission.Allow {
			t.Fatalf("%+v, %v", got, err)
		}
		if _, err := c.Hand(ctx, first.ID, "guard"); !errors.As(err, &wrong) { // single use
			t.Errorf("handed over twice: %v", err)
		}
		if again := c.hold("s", "codex"); again.ID == first.ID || again.State != Pending {
			t.Errorf("a yes counts twice: %+v", again)
		}
	})
}

func TestA2_HeldCallsAreDeniedAndExpire(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
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
	})
}

// A yes is good for the time of its ticket.
func TestT5_AYesThatNobodyFetches(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
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
	})
}

// What a guard says about edits is kept with the ticket, and what is damaged there is no yes.
func TestA3_ATicketKnowsWhetherItsAgentTakesAnotherInput(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
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
	})
}

// A person may be reading what is held, and any process can say that it is the guard: what is
// told about the call stays as it was, and only its risk can become higher.
func TestT16_WhatAPersonReadsOfAHeldCallStays(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := context.Background()
		c := newStore(t)
		first := Parking{Call: deploy("s"), By: "guard", Why: "a rule asks", Policy: "p1", Kin: "Bash(deploy)", Risk: permission.MediumRisk, Edits: NotTaken, Lasts: time.Hour}
		was, err := c.Hold(ctx, "codex", first)
		if err != nil {
			t.Fatal(err)
		}
		risk := permission.MediumRisk
		for _, p := range []Parking{
			{Call: deploy("s"), By: "guard", Why: "reviewed by security, safe", Policy: "p0", Kin: "Bash(ls)", Risk: permission.LowRisk, Edits: Taken, Lasts: 100 * time.Second},
			{Call: deploy("s"), By: "guard", Why: "all is well", Risk: permission.HighRisk, Lasts: 1000 * time.Hour},
			first,
		} {
			risk = max(risk, p.Risk)
			held, err := c.Hold(ctx, "codex", p)
			if err != nil || held.ID != was.ID {
				t.Fatalf("%+v, %v", held, err)
			}
			found, err := c.Find(ctx, was.ID)
			if err != nil || found.Why != was.Why || found.Kin != was.Kin || found.Policy != was.Policy || found.Edits != was.Edits || !found.Expires.Equal(was.Expires) {
				t.Errorf("%+v, %v", found, err)
			}
			if found.Risk != risk || held.Risk != risk {
				t.Errorf("%s, %s, want %s", found.Risk, held.Risk, risk)
			}
		}
	})
}

// Behind other links it is another call: what was said about the one does not count for the
// other, and still does when the links are as they were.
func TestT7_AHeldCallThatLeadsElsewhereHasATicketOfItsOwn(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		ctx := context.Background()
		c := newStore(t)
		hold := func(places ...string) Ticket {
			t.Helper()
			held, err := c.Hold(ctx, "codex", Parking{Call: deploy("s"), By: "guard", Places: places, Lasts: time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			return held
		}
		first := hold("/project/b", "/project/a")
		approved, err := c.Approve(ctx, first.ID, first.Digest, "ana", "", nil)
		if err != nil || !slices.Equal(approved.Answer.Places, []string{"/project/a", "/project/b"}) {
			t.Fatalf("%+v, %v", approved.Answer, err)
		}
		if other := hold("/project/a", "/home/.profile"); other.ID == first.ID || other.State != Pending {
			t.Errorf("%+v", other)
		}
		if none := hold(); none.ID == first.ID || none.State != Pending {
			t.Errorf("%+v", none)
		}
		if again := hold("/project/a", "/project/b"); again.ID != first.ID || again.State != Approved || !slices.Equal(again.Answer.Places, again.Places) {
			t.Errorf("%+v", again)
		}
	})
}
