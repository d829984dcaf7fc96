package approval

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// damages are what somebody who edits the database can do to a row.
var damages = map[string]string{
	"fence":         "fence = 'soon'",
	"created":       "created = 'yesterday'",
	"expires":       "expires = 'tomorrow'",
	"half a number": "fence = 1.5",
	"no JSON":       "input = '{'",
	"another input": `input = '{"command":"rm"}'`,
	"another tool":  "tool = 'Write'",
	"another place": "cwd = '/'",
	"no digest":     "digest = ''",
	"outcome":       "outcome = 'maybe'",
}

// damage makes a ticket one on which nobody can rely; false means that it cannot be so,
// because PostgreSQL takes nothing else in the place of a number.
func (c *counter) damage(id, how string) bool {
	c.t.Helper()
	column, _, _ := strings.Cut(how, " ")
	if c.db.Kind() == database.PostgreSQL && slices.Contains([]string{"fence", "created", "expires", "at"}, column) {
		return false
	}
	_, err := c.db.Writer().Exec("UPDATE tickets SET "+how+" WHERE id = $1", id)
	must(c.t, err)
	return true
}

// Whatever stands in a row: the others are read, the call is not approved and not run, and
// a no holds from then on.
func TestA2_DamageOfEveryKindCanOnlyBeDenied(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, damage := range damages {
			for _, state := range []State{Pending, Approved, Expired} {
				t.Run(name+", "+string(state), func(t *testing.T) {
					s := newStore(t)
					bad, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time, Lasts: time.Hour})
					must(t, err)
					good := s.park(deploy("s2"))
					s.drive(bad.ID, state)
					if !s.damage(bad.ID, damage) {
						return
					}
					list, err := s.List(t.Context(), Query{})
					var all Damages
					if !errors.As(err, &all) || len(all) != 1 || all[0].Ticket.ID != bad.ID || len(list) != 1 || list[0].ID != good.ID {
						t.Fatalf("%v, %v", list, err)
					}
					shown := all[0].Ticket.Digest // which may be damaged itself
					if _, err := s.Approve(t.Context(), bad.ID, shown, "ann", "", nil); err == nil || !strings.Contains(err.Error(), "damaged") {
						t.Errorf("approved: %v", err)
					}
					if _, err := s.Claim(t.Context(), bad.ID, bad.Call, nil, "me"); err == nil || !strings.Contains(err.Error(), "damaged") {
						t.Errorf("claimed: %v", err)
					}
					if _, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: bad.Created}); err == nil {
						t.Error("it has another ticket")
					}
					if _, err := s.Deny(t.Context(), bad.ID, shown, "ann", "no"); err != nil {
						t.Fatal(err)
					}
					found, err := s.OfCall(t.Context(), "s1", "toolu_1")
					if err != nil || found.ID != bad.ID || found.Bygone(bad.Created) || !found.DeniedByPerson() {
						t.Errorf("%+v, %v", found, err)
					}
				})
			}
		}
	})
}

// A damaged ticket of a process that died is as unknown as any other, and a person can say
// what became of its call. What did not run can only be denied.
func TestA2_ADamagedRunIsFoundOut(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, damage := range damages {
			for ran, want := range map[bool]State{true: Done, false: Denied} {
				s := newStore(t)
				ticket := s.park(deploy("s1"))
				s.drive(ticket.ID, Running)
				if !s.damage(ticket.ID, damage) {
					continue
				}
				for round, lost := range []int{1, 0} {
					if list, err := s.Sweep(t.Context(), func(string) bool { return false }); err != nil || len(list) != lost {
						t.Fatalf("%s, round %d: %+v, %v", name, round, list, err)
					}
				}
				if _, err := s.Resolve(t.Context(), ticket.ID, ran, "ann", "looked"); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !ran {
					seen, _ := s.Find(t.Context(), ticket.ID) // which may still be damaged
					if _, err := s.Deny(t.Context(), ticket.ID, seen.Digest, "ann", "no"); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				if got := s.find(ticket.ID); got.State != want {
					t.Errorf("%s: it is %s, want %s", name, got.State, want)
				}
			}
		}
	})
}

// What is over stays so, whatever else is wrong with it: nobody relies on the rest.
func TestA2_DamageOfWhatIsOver(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, damage := range damages {
			for _, state := range []State{Done, Failed, Refused, Cancelled} {
				s := newStore(t)
				ticket := s.park(deploy("s1"))
				s.drive(ticket.ID, state)
				if !s.damage(ticket.ID, damage) {
					continue
				}
				if got, err := s.OfCall(t.Context(), "s1", "toolu_1"); err != nil || got.State != state {
					t.Errorf("%s of %s: %+v, %v", name, state, got, err)
				}
			}
		}
	})
}

// Rows of history that are damaged in part are shown as far as they can be read.
func TestA2_DamageOfTheHistory(t *testing.T) {
	s := newFileStore(t)
	ticket := s.park(deploy("s1"))
	_, err := s.db.Writer().Exec("UPDATE history SET at = 'once', fence = 'some'")
	must(t, err)
	if list, err := s.History(t.Context(), ticket.ID); err != nil || len(list) != 1 || list[0].Who != "hook" || !list[0].At.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
}

// A moment at which the database keeps nothing is a moment like any other: one ticket, and
// one answer.
func TestS27_ACallThatWasParkedAtTheEpoch(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		epoch := time.Unix(0, 0).UTC()
		s := newStore(t)
		first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: epoch})
		must(t, err)
		_, err = s.Deny(t.Context(), first.ID, first.Digest, "ann", "no")
		must(t, err)
		again, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: epoch})
		if err != nil || again.ID != first.ID || again.State != Denied || again.Bygone(epoch) {
			t.Errorf("%+v, %v", again, err)
		}
	})
}
