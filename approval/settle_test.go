package approval

import (
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// settleLater makes the answer to a ticket one that may be taken back for a minute.
func (c *counter) settleLater(id string) {
	c.t.Helper()
	ticket := c.find(id)
	ticket.Answer.Settles = c.time.Add(time.Minute)
	text, err := ticket.Answer.text()
	must(c.t, err)
	_, err = c.db.Writer().Exec("UPDATE tickets SET answer = $1 WHERE id = $2", text, id)
	must(c.t, err)
}

// say gives an answer that may be taken back for so long.
func (c *counter) say(t Ticket, b permission.Behavior, by string, grace time.Duration) Ticket {
	c.t.Helper()
	said, err := c.Say(c.t.Context(), t.ID, t.Digest, Answer{Behavior: b, By: by, Settles: c.time.Add(grace)})
	must(c.t, err)
	return said
}

// Until an answer has settled nobody acts on it, whatever process that is; from then on
// nobody takes it back.
func TestA3_AnAnswerSettles(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		const grace = 5 * time.Second
		var unsettled *Unsettled
		var settled *Settled
		c := newStore(t)
		ticket := c.park(deploy("s"))
		said := c.say(ticket, permission.Allow, "ana", grace)
		until := c.time.Add(grace)
		if found := c.find(ticket.ID); !found.Answer.Settles.Equal(until) || !found.UnsettledUntil(c.time).Equal(until) || !said.Answer.Settles.Equal(until) {
			t.Errorf("%+v", found.Answer)
		}
		claims := map[string]func() error{
			"claim": func() error { _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); return err },
			"claim seen": func() error {
				_, err := c.ClaimSeen(t.Context(), ticket.ID, said.Said(), ticket.Call, nil, "me")
				return err
			},
		}
		for _, at := range []time.Duration{0, grace - time.Microsecond} {
			c.time = until.Add(at - grace)
			for name, claim := range claims {
				if err := claim(); !errors.As(err, &unsettled) || !unsettled.Until.Equal(until) || c.find(ticket.ID).State != Approved {
					t.Errorf("%s after %v: %v", name, at, err)
				}
			}
			if all, err := c.Standings(t.Context(), "s", Approved); err != nil || len(all) != 1 || !all[0].Settles.Equal(until) {
				t.Errorf("%+v, %v", all, err)
			}
		}
		c.time = until
		if _, err := c.Retract(t.Context(), ticket.ID, said.Said(), "ana"); !errors.As(err, &settled) || c.find(ticket.ID).State != Approved {
			t.Errorf("it is taken back too late: %v", err)
		}
		if all, err := c.Standings(t.Context(), "s", Approved); err != nil || len(all) != 1 || !all[0].Settles.IsZero() {
			t.Errorf("%+v, %v", all, err)
		}
		if err := claims["claim seen"](); err != nil {
			t.Error(err)
		}

		plain := c.park(deploy("s2"))
		said = c.say(plain, permission.Allow, "ana", 0)
		if _, err := c.Retract(t.Context(), plain.ID, said.Said(), "ana"); !errors.As(err, &settled) {
			t.Errorf("it was given for good: %v", err)
		}
		if _, err := c.Claim(t.Context(), plain.ID, plain.Call, nil, "me"); err != nil {
			t.Error(err)
		}
	})
}

// The no of a second person is never swallowed by that of a first, who may take it back; and
// a yes does not replace a no.
func TestA3_ASecondNo(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		var wrong *WrongState
		var overtaken *Overtaken
		var settled *Settled
		for _, grace := range []time.Duration{0, time.Minute} {
			c := newStore(t)
			ticket := c.park(deploy("s"))
			first := c.say(ticket, permission.Deny, "ana", 5*time.Second)
			if _, err := c.Approve(t.Context(), ticket.ID, ticket.Digest, "bob", "", nil); !errors.As(err, &wrong) {
				t.Errorf("a yes to what is denied: %v", err)
			}
			c.time = c.time.Add(time.Second)
			second := c.say(ticket, permission.Deny, "bob", grace)
			if _, err := c.Retract(t.Context(), ticket.ID, first.Said(), "ana"); !errors.As(err, &overtaken) {
				t.Errorf("the first is taken back: %v", err)
			}
			if got := c.find(ticket.ID); got.State != Denied || got.Answer.By != "bob" {
				t.Errorf("%s, %+v", got.State, got.Answer)
			}
			if _, err := c.Retract(t.Context(), ticket.ID, second.Said(), "bob"); !errors.As(err, &settled) { // with it the first would be gone
				t.Errorf("the second one, after %v: %v", grace, err)
			}
			if _, err := c.Deny(t.Context(), ticket.ID, ticket.Digest, "carl", "no"); !errors.As(err, &wrong) || wrong.Answer.By != "bob" {
				t.Errorf("a no that holds is said again: %v", err)
			}
		}
	})
}

// The answer to a call that a guard holds is handed over when it has settled. One that was
// given before the time of its ticket was over is not lost to the time in which it could be
// taken back.
func TestA3_AHeldAnswerSettles(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		var unsettled *Unsettled
		for name, test := range map[string]struct {
			behavior permission.Behavior
			at       time.Duration // before the ticket's time is over
			fetched  time.Duration // after the answer has settled
			want     State
		}{
			"yes":                                   {permission.Allow, 30 * time.Minute, 0, Handed},
			"no":                                    {permission.Deny, 30 * time.Minute, 0, Refused},
			"a yes at the last moment":              {permission.Allow, time.Second, 100 * time.Millisecond, Handed},
			"a no at the last moment":               {permission.Deny, time.Second, 100 * time.Millisecond, Refused},
			"a yes that settles as its ticket ends": {permission.Allow, 5 * time.Second, time.Second, Handed},
			"a yes that nobody fetches":             {permission.Allow, time.Second, time.Minute, Refused},
		} {
			c := newStore(t)
			held := c.hold("s", "codex")
			c.time = c.time.Add(time.Hour - test.at)
			c.say(held, test.behavior, "ana", 5*time.Second)
			c.time = c.time.Add(5*time.Second - time.Microsecond)
			if _, err := c.Hand(t.Context(), held.ID, "guard"); !errors.As(err, &unsettled) || c.find(held.ID).State.Over() {
				t.Errorf("%s: it is handed over too early: %v", name, err)
			}
			c.time = c.time.Add(time.Microsecond + test.fetched)
			if got, err := c.Hand(t.Context(), held.ID, "guard"); err != nil || got.State != test.want {
				t.Errorf("%s: %s, %v", name, got.State, err)
			}
		}
	})
}

// Somebody has set the clock back by hours: a call does not wait until they are over.
func TestA3_AClockThatIsSetBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.park(deploy("s"))
		c.say(ticket, permission.Allow, "ana", 5*time.Second)
		c.time = c.time.Add(-3 * time.Hour)
		if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); err != nil {
			t.Error(err)
		}
	})
}

// An answer is taken back for as long as that was promised, also when the time of its call
// ends meanwhile. Such a call is denied, whatever it would have become unanswered.
func TestA3_AnAnswerIsTakenBackWhenTheTimeIsOver(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, outcome := range []permission.Behavior{permission.Allow, permission.Deny} {
			for _, behavior := range []permission.Behavior{permission.Allow, permission.Deny} {
				c := newStore(t)
				ticket, err := c.Park(t.Context(), Parking{Call: deploy("s"), By: "hook", Lasts: 4 * time.Second, Outcome: outcome})
				must(t, err)
				c.time = c.time.Add(2 * time.Second)
				said := c.say(ticket, behavior, "ana", 5*time.Second)
				c.time = c.time.Add(5*time.Second - time.Microsecond)
				back, err := c.Retract(t.Context(), ticket.ID, said.Said(), "ana")
				if err != nil {
					t.Errorf("%v, otherwise %v: %v", behavior, outcome, err)
					continue
				}
				for _, got := range []Ticket{back, c.find(ticket.ID)} {
					if a := got.Answer; got.State != Denied || a == nil || a.Behavior != permission.Deny || a.By != "ana" || a.Message == "" || a.Input != nil || !a.Settles.IsZero() {
						t.Errorf("%v, otherwise %v: %s, %+v", behavior, outcome, got.State, got.Answer)
					}
				}
				var wrong *WrongState
				if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker"); !errors.As(err, &wrong) {
					t.Errorf("%v, otherwise %v: it is claimed: %v", behavior, outcome, err)
				}
				if _, err := c.Approve(t.Context(), ticket.ID, ticket.Digest, "bob", "", nil); !errors.As(err, &wrong) {
					t.Errorf("%v, otherwise %v: it is approved: %v", behavior, outcome, err)
				}
				var overtaken *Overtaken
				if _, err := c.Retract(t.Context(), ticket.ID, said.Said(), "ana"); !errors.As(err, &overtaken) {
					t.Errorf("%v, otherwise %v: it is taken back twice: %v", behavior, outcome, err)
				}
			}
		}
	})
}

// Whoever takes the yes to a held call back after its time tells the guard no.
func TestA3_AHeldYesIsTakenBackWhenTheTimeIsOver(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		held := c.hold("s", "codex")
		c.time = c.time.Add(time.Hour - time.Second)
		said := c.say(held, permission.Allow, "ana", 5*time.Second)
		c.time = c.time.Add(3 * time.Second)
		if _, err := c.Retract(t.Context(), held.ID, said.Said(), "ana"); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Hand(t.Context(), held.ID, "guard"); err != nil || got.State != Refused {
			t.Errorf("%s, %v", got.State, err)
		}
	})
}

// A yes that is taken back a moment before the call would run unanswered does not let it run.
func TestA3_AYesThatIsTakenBackDoesNotLapseIntoARun(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for name, test := range map[string]struct {
			outcome permission.Behavior
			lasts   time.Duration
			want    State
		}{
			"it would run within the time of the answer": {permission.Allow, 4 * time.Second, Denied},
			"it would be denied then":                    {permission.Deny, 4 * time.Second, Pending},
			"it would run much later":                    {permission.Allow, time.Hour, Pending},
		} {
			c := newStore(t)
			ticket, err := c.Park(t.Context(), Parking{Call: deploy("s"), By: "hook", Lasts: test.lasts, Outcome: test.outcome})
			must(t, err)
			said := c.say(ticket, permission.Allow, "ana", 5*time.Second)
			c.time = c.time.Add(3 * time.Second)
			if back, err := c.Retract(t.Context(), ticket.ID, said.Said(), "ana"); err != nil || back.State != test.want {
				t.Errorf("%s: %s, %v", name, back.State, err)
			}
		}
	})
}
