package approval

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// A ticket that is made only later knows nothing of what people have said before: the end
// of its time refuses the call, and never lets it run.
func TestS41_ATicketThatIsMadeLaterRunsNothingByItself(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for outcome, want := range map[permission.Behavior]State{permission.Allow: Pending, permission.Deny: Expired} {
			s := newStore(t)
			p := Parking{Call: deploy("s1"), At: s.time.Add(-2 * time.Hour), Lasts: time.Hour, Outcome: outcome}
			ticket, err := s.Park(t.Context(), p.Belated())
			must(t, err)
			if got := s.find(ticket.ID); got.State != want || got.Outcome != permission.Deny || got.Expires.IsZero() != (want == Pending) {
				t.Errorf("%s: %+v", outcome, got)
			}
		}
	})
}

// A person who says that a call did not run wants it to wait for a person again: the end of
// its time neither runs nor refuses it.
func TestS27_WhatDidNotRunWaitsForAPerson(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, outcome := range []permission.Behavior{permission.Allow, permission.Deny} {
			s := newStore(t)
			ticket, err := s.Park(t.Context(), Parking{Call: deploy("s1"), Lasts: time.Hour, Outcome: outcome})
			must(t, err)
			s.drive(ticket.ID, Unknown)
			s.time = s.time.Add(2 * time.Hour)
			_, err = s.Resolve(t.Context(), ticket.ID, false, "ann", "")
			must(t, err)
			if got := s.find(ticket.ID); got.State != Pending || !got.Expires.IsZero() {
				t.Errorf("%s: %+v", outcome, got)
			}
			_, err = s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil)
			must(t, err)
		}
	})
}

// A refusal is for what was seen: it uses up no answer that came since.
func TestS27_ARefusalIsForWhatWasSeen(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket := s.park(deploy("s1"))
		seen := ticket.Said()
		approved, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", nil)
		must(t, err)
		var overtaken *Overtaken
		if err := s.RefuseSeen(t.Context(), ticket.ID, seen, "me", "a rule"); !errors.As(err, &overtaken) || s.find(ticket.ID).State != Approved {
			t.Errorf("%v", err)
		}
		s.time = s.time.Add(time.Second)
		_, err = s.Approve(t.Context(), ticket.ID, ticket.Digest, "ann", "", []byte(`{"command":"deploy --dry-run"}`))
		must(t, err)
		if err := s.RefuseSeen(t.Context(), ticket.ID, approved.Said(), "me", "a rule"); !errors.As(err, &overtaken) {
			t.Errorf("approved with another input: %v", err)
		}
		now := s.find(ticket.ID)
		if err := s.RefuseSeen(t.Context(), ticket.ID, now.Said(), "me", "a rule"); err != nil || s.find(ticket.ID).State != Refused {
			t.Errorf("%v", err)
		}
	})
}

// A session goes on without all of its calls, or without none.
func TestS40_AllAreCancelledOrNone(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		first, second, gone := s.park(deploy("s1")), s.park(deploy("s2")), s.park(deploy("s3"))
		must(t, s.Cancel(t.Context(), gone.ID, "me", ""))
		s.drive(second.ID, Approved)
		ids := []string{gone.ID, first.ID, second.ID}
		var moved *WrongState
		if err := s.CancelAll(t.Context(), ids, "me", "a prompt"); !errors.As(err, &moved) || moved.State != Approved {
			t.Errorf("%v", err)
		}
		if got := s.find(first.ID).State; got != Pending {
			t.Errorf("the first is %s", got)
		}
		must(t, s.CancelAll(t.Context(), ids[:2], "me", "a prompt"))
		if got := s.find(first.ID).State; got != Cancelled {
			t.Errorf("the first is %s", got)
		}
		s.drive(second.ID, Done)
		if err := s.CancelAll(t.Context(), ids, "me", "a prompt"); !errors.As(err, &moved) || moved.State != Done {
			t.Errorf("one that ran: %v", err)
		}
	})
}

// The ticket of an earlier call with the same id is that of another call, also when the
// clock was set back in between.
func TestS27_AClockThatWasSetBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time})
		must(t, err)
		s.drive(first.ID, Approved)
		second, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time.Add(-time.Hour)})
		must(t, err)
		if second.ID == first.ID || second.State != Pending {
			t.Errorf("%+v", second)
		}
		again, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time.Add(-time.Hour + time.Nanosecond)})
		if err != nil || again.ID != second.ID {
			t.Errorf("%+v, %v", again, err)
		}
	})
}

// A damaged ticket keeps nobody from the others, and can be denied.
func TestA2_ADamagedTicketIsOneOfMany(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, damage := range map[string]string{
			"no answer": "state = 'approved'", "no such state": "state = 'maybe'", "no such outcome": "outcome = 'maybe'", "an answer that is none": "answer = 'yes'",
			"the opposite": `state = 'denied', answer = '{"behavior":"allow","digest":"d","by":"ann","at":1}'`,
		} {
			t.Run(name, func(t *testing.T) {
				s := newStore(t)
				bad, good := s.park(deploy("s1")), s.park(deploy("s2"))
				if _, err := s.db.Writer().Exec("UPDATE tickets SET "+damage+" WHERE id = $1", bad.ID); err != nil {
					t.Fatal(err)
				}
				list, err := s.List(t.Context(), Query{})
				var damages Damages
				if !errors.As(err, &damages) || len(damages) != 1 || damages[0].Ticket.ID != bad.ID || damages[0].Ticket.Session != "s1" || len(list) != 1 || list[0].ID != good.ID {
					t.Errorf("%v, %v", list, err)
				}
				if _, err := s.Sweep(t.Context(), func(string) bool { return false }); err != nil {
					t.Error(err)
				}
				if _, err := s.Approve(t.Context(), bad.ID, bad.Digest, "ann", "", nil); err == nil || !strings.Contains(err.Error(), "assent deny "+bad.ID) {
					t.Errorf("%v", err)
				}
				if _, err := s.Deny(t.Context(), bad.ID, bad.Digest, "ann", "no"); err != nil {
					t.Fatal(err)
				}
				if got := s.find(bad.ID); got.State != Denied || got.Answer.By != "ann" {
					t.Errorf("%+v", got)
				}
			})
		}
		s := newStore(t)
		running := s.park(deploy("s1"))
		s.drive(running.ID, Running)
		if _, err := s.db.Writer().Exec("UPDATE tickets SET outcome = 'maybe'"); err != nil {
			t.Fatal(err)
		}
		var moved *WrongState
		if _, err := s.Deny(t.Context(), running.ID, running.Digest, "ann", "no"); !errors.As(err, &moved) {
			t.Errorf("one that somebody runs was denied: %v", err)
		}
	})
}

// What tickets from before its run do not know of is recorded as it was.
func TestS27_ARunOfWhichTheTicketsKnowNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for ok, want := range map[bool]State{true: Done, false: Failed} {
			s := newStore(t)
			ticket := s.park(deploy("s1"))
			must(t, s.Record(t.Context(), ticket.ID, ok, "me", "found in the transcript"))
			if got := s.find(ticket.ID).State; got != want {
				t.Errorf("it is %s, want %s", got, want)
			}
		}
	})
}
