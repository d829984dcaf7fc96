package approval

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// holdIn is a held call of a session whose ticket is in a state.
func (c *counter) holdIn(session string, state State, outcome permission.Behavior) Ticket {
	c.t.Helper()
	ctx := c.t.Context()
	t, err := c.Hold(ctx, "codex", Parking{Call: deploy(session), By: "guard", Lasts: time.Hour, Outcome: outcome})
	must(c.t, err)
	switch state {
	case Approved, Handed:
		_, err = c.Approve(ctx, t.ID, t.Digest, "ann", "", nil)
	case Denied, Refused:
		_, err = c.Deny(ctx, t.ID, t.Digest, "ann", "no")
	case Expired:
		c.time = c.time.Add(2 * time.Hour)
	default:
	}
	must(c.t, err)
	if state == Handed || state == Refused {
		_, err = c.Hand(ctx, t.ID, "guard")
		must(c.t, err)
	}
	if t = c.find(t.ID); t.State != state {
		c.t.Fatalf("it is %s and not %s", t.State, state)
	}
	return t
}

// A held call is its guard's: people answer it, the guard is handed the answer, and no
// session runs, refuses or forgets it. The states are those in which it can be.
func TestA2_TransitionsOfHeldCalls(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		type place struct {
			state   State
			outcome permission.Behavior
		}
		s := newStore(t)
		for at, allowed := range map[place]string{
			{Pending, permission.Deny}:  "approve deny",
			{Approved, permission.Deny}: "deny hand",
			{Denied, permission.Deny}:   "hand",
			{Expired, permission.Deny}:  "deny hand",
			{Expired, permission.Allow}: "approve deny hand",
			{Handed, permission.Deny}:   "",
			{Refused, permission.Deny}:  "",
		} {
			for name, change := range everyChange() {
				t.Run(string(at.state)+" "+at.outcome.String()+" "+name, func(t *testing.T) {
					before := s.holdIn(t.Name(), at.state, at.outcome)
					err := change(s, before)
					after := s.find(before.ID)
					if strings.Contains(" "+allowed+" ", " "+name+" ") {
						if err != nil || after.State == before.State {
							t.Errorf("%v, %s", err, after.State)
						}
						return
					}
					var wrong *WrongState
					var foreign *Foreign
					fits := errors.As(err, &foreign) && foreign.Asker == "codex" && strings.Contains(err.Error(), "the guard of codex")
					switch name {
					case "approve", "deny", "hand":
						fits = errors.As(err, &wrong)
					case "sweep":
						fits = err == nil
					case "cancel-all": // which leaves alone what is over so
						fits = fits || err == nil && at.state == Refused
					}
					if !fits || !reflect.DeepEqual(after, before) {
						t.Errorf("%v; %+v", err, after)
					}
				})
			}
		}
	})
}

// An id that a model makes up leads to no held call: what was answered for a guard runs in
// no session, and a session that is forgotten takes nothing along that a guard holds.
func TestA2_AHeldCallIsNoneOfASession(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		held := s.holdIn("s1", Approved, permission.Deny)
		call := held.Call
		if found, err := s.OfCall(t.Context(), call.Session, call.ToolUseID); err != nil || found != nil {
			t.Errorf("%+v, %v", found, err)
		}
		parked, err := s.Park(t.Context(), Parking{Call: call, At: held.Created})
		if err != nil || parked.ID == held.ID || parked.State != Pending {
			t.Errorf("%+v, %v", parked, err)
		}
		if again, err := s.Hold(t.Context(), "codex", Parking{Call: deploy("s1")}); err != nil || again.ID != held.ID {
			t.Errorf("%+v, %v", again, err)
		}
		must(t, s.Forget(t.Context(), call.Session))
		if got := s.find(held.ID); got.State != Approved {
			t.Errorf("%+v", got)
		}
		if _, err := s.Find(t.Context(), parked.ID); err == nil {
			t.Error("the parked one is still there")
		}
	})
}
