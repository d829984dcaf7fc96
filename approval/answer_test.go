package approval

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

const dryRun = `{"command": "deploy --dry-run"}`

// approved is a ticket that a person has approved with another input.
func (c *counter) approved(session string) Ticket {
	c.t.Helper()
	t := c.park(deploy(session))
	_, err := c.Approve(c.t.Context(), t.ID, t.Digest, "ann", "", strictjson.Raw(dryRun))
	must(c.t, err)
	return c.find(t.ID)
}

// Of what a person has approved nothing else can be claimed. What nobody has approved is
// for whoever claims it to answer for.
func TestA2_AClaimIsForWhatWasApproved(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket := s.approved("s1")
		for name, runs := range map[string]strictjson.Raw{"the parked input": nil, "another one": strictjson.Raw(`{"command":"rm"}`), "none": strictjson.Raw(`{`)} {
			_, err := s.Claim(t.Context(), ticket.ID, ticket.Call, runs, "me")
			var other *NotApproved
			if errors.As(err, &other) != (name != "none") || err == nil || s.find(ticket.ID).State != Approved {
				t.Errorf("%s: %v", name, err)
			}
			if name == "another one" && !strings.Contains(err.Error(), `approved for the input {"command":"deploy --dry-run"}, and {"command":"rm"} was to run`) {
				t.Error(err)
			}
		}
		if _, err := s.Claim(t.Context(), ticket.ID, ticket.Call, strictjson.Raw(`{"command":"deploy --dry-run"}`), "me"); err != nil {
			t.Error(err)
		}
		pending := s.park(deploy("s2"))
		if _, err := s.Claim(t.Context(), pending.ID, pending.Call, strictjson.Raw(dryRun), "me"); err != nil {
			t.Error(err)
		}
	})
}

// The digest of an answer is what the person has seen: whoever changes the input that
// stands beside it changes nothing.
func TestA2_AnAnswerThatWasChangedIsNone(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, change := range map[string]string{
			"another input":  `UPDATE tickets SET answer = replace(answer, '--dry-run', '--force')`,
			"another digest": `UPDATE tickets SET answer = replace(answer, 'sha256:', 'sha256:0')`,
		} {
			s := newStore(t)
			ticket := s.approved("s1")
			if _, err := s.db.Writer().Exec(change); err != nil {
				t.Fatal(err)
			}
			changed := s.find(ticket.ID)
			if _, err := changed.Approval(); err == nil || !strings.Contains(err.Error(), "assent deny "+ticket.ID) {
				t.Errorf("%s: %v", name, err)
			}
			for _, runs := range []string{dryRun, `{"command": "deploy --force"}`} {
				if _, err := s.Claim(t.Context(), ticket.ID, ticket.Call, strictjson.Raw(runs), "me"); err == nil {
					t.Errorf("%s: %s was claimed", name, runs)
				}
			}
			if _, err := s.Deny(t.Context(), ticket.ID, ticket.Digest, "ann", "no"); err != nil {
				t.Errorf("%s: it cannot be denied: %v", name, err)
			}
		}
	})
}

// What was approved can be approved with another input, and not twice with the same.
func TestA2_ApprovedWithAnotherInput(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket := s.approved("s1")
		var wrong *WrongState
		if _, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "bob", "", strictjson.Raw(dryRun)); !errors.As(err, &wrong) || wrong.Answer.By != "ann" {
			t.Errorf("the same again: %v", err)
		}
		again, err := s.Approve(t.Context(), ticket.ID, ticket.Digest, "bob", "", nil)
		if err != nil || again.Answer.By != "bob" || again.Answer.Digest != ticket.Digest {
			t.Errorf("%+v, %v", again.Answer, err)
		}
	})
}

// What would run because nobody has answered can be denied until somebody runs it.
func TestS41_WhatWouldRunCanBeDenied(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket, err := s.Park(t.Context(), Parking{Call: deploy("s1"), Lasts: time.Hour, Outcome: permission.Allow})
		must(t, err)
		s.drive(ticket.ID, Expired)
		_, err = s.Deny(t.Context(), ticket.ID, ticket.Digest, "ann", "stop it")
		must(t, err)
		var wrong *WrongState
		if _, err := s.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); !errors.As(err, &wrong) || wrong.State != Denied {
			t.Errorf("%v", err)
		}
	})
}

// A model may use an id again in a later turn: that is another call, with another ticket.
func TestA2_AnIDThatComesAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, state := range []State{Pending, Approved, Expired, Done, Refused, Cancelled, Unknown} {
			t.Run(string(state), func(t *testing.T) {
				s := newStore(t)
				first, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: s.time, Lasts: time.Hour})
				must(t, err)
				s.drive(first.ID, state)
				s.time = s.time.Add(time.Minute)
				same, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: first.Created})
				if err != nil || same.ID != first.ID || same.State != state {
					t.Errorf("parked again: %+v, %v", same, err)
				}
				other := deploy("s1")
				other.Input = strictjson.Raw(`{"command":"refund"}`)
				later, err := s.Park(t.Context(), Parking{Call: other, At: s.time, Lasts: time.Hour})
				if err != nil || later.ID == first.ID || later.State != Pending || !later.Expires.Equal(s.time.Add(time.Hour)) {
					t.Errorf("of a later turn: %+v, %v", later, err)
				}
				if newest, err := s.OfCall(t.Context(), "s1", "toolu_1"); err != nil || newest.ID != later.ID || newest.Bygone(s.time) || !first.Bygone(s.time) {
					t.Errorf("%+v, %v", newest, err)
				}
			})
		}
	})
}

// A ticket may be made late, for a call that is long over, after one of a newer call with the same id.
// Each call keeps its own: what somebody has denied stays denied.
func TestA2_ALateTicketHidesNoOther(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		at := s.time
		newer, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: at.Add(time.Minute)})
		must(t, err)
		_, err = s.Deny(t.Context(), newer.ID, newer.Digest, "ann", "never")
		must(t, err)
		older, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: at}.Belated())
		must(t, err)
		if older.ID == newer.ID {
			t.Fatal("one ticket for two calls")
		}
		for want, at := range map[string]time.Time{older.ID: at, newer.ID: newer.Created} {
			found, err := s.OfParked(t.Context(), "s1", "toolu_1", at)
			if err != nil || found == nil || found.ID != want {
				t.Errorf("%s: %+v, %v", want, found, err)
			}
			again, err := s.Park(t.Context(), Parking{Call: deploy("s1"), At: at})
			if err != nil || again.ID != want {
				t.Errorf("%s, parked again: %+v, %v", want, again, err)
			}
		}
		if other, err := s.OfParked(t.Context(), "s1", "toolu_1", at.Add(time.Hour)); err != nil || other != nil {
			t.Errorf("%+v, %v", other, err)
		}
		// Nor does one whose moment is damaged.
		for _, created := range []int64{0, -1, 9000000000000000000} {
			_, err := s.db.Writer().Exec("UPDATE tickets SET created = $1 WHERE id = $2", created, older.ID)
			must(t, err)
			if found, err := s.OfParked(t.Context(), "s1", "toolu_1", newer.Created); err != nil || found == nil || found.ID != newer.ID {
				t.Errorf("beside %d: %+v, %v", created, found, err)
			}
		}
	})
}

// Somebody else has changed the row, which the database does not call an error.
func TestA2_AChangeThatChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		s := newStore(t)
		ticket := s.park(deploy("s1"))
		s.obstruct("UPDATE", "tickets", false)
		var wrong *WrongState
		if err := s.Cancel(t.Context(), ticket.ID, "me", ""); !errors.As(err, &wrong) || wrong.State != Pending {
			t.Error(err)
		}
		if history, err := s.History(t.Context(), ticket.ID); err != nil || len(history) != 1 {
			t.Errorf("%+v, %v", history, err)
		}
	})
}

// A ticket that says somebody has answered must say what.
func TestA2_AnAnswerThatIsMissingIsDamage(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for state, answer := range map[State]string{
			Approved: "", Denied: "",
			State("approved "): `{"behavior":"deny","digest":"d","by":"ann","at":1}`, State("denied "): `{"behavior":"allow","digest":"d","by":"ann","at":1}`,
		} {
			s := newStore(t)
			ticket := s.park(deploy("s1"))
			if _, err := s.db.Writer().Exec("UPDATE tickets SET state = $1, answer = $2", strings.TrimSpace(string(state)), answer); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Find(t.Context(), ticket.ID); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s %q: %v", state, answer, err)
			}
		}
	})
}
