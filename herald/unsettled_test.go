package herald

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/permission"
)

// denyFor denies a call by an answer that may be taken back for some time.
func (w *world) denyFor(t approval.Ticket, d time.Duration) approval.Ticket {
	w.t.Helper()
	said, err := w.tickets.Say(w.t.Context(), t.ID, t.Digest, approval.Answer{Behavior: permission.Deny, By: "abe", Settles: time.Now().Add(d)})
	must(w.t, err)
	return said
}

func (w *world) takeBack(t approval.Ticket) {
	w.t.Helper()
	_, err := w.tickets.Retract(w.t.Context(), t.ID, t.Said(), "abe")
	must(w.t, err)
}

// Somebody answers before anybody was told, and takes it back: people are told all the same.
func TestT16_AnAnswerThatIsTakenBackKeepsNobodyFromHearing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		h := w.herald()
		Ring(w.tickets)
		said := w.denyFor(w.park(nil), time.Minute)
		if o := h.look(t.Context(), alarm.Bell{Kind: look, Ticket: said.ID}); o != (alarm.Done{}) { // while it stands
			t.Errorf("%+v", o)
		}
		w.takeBack(said)
		w.work(h)
		w.untilTold("ops:waits")
		w.quiet(h, "ops:waits")
	})
}

// The receiver is away for a moment, and somebody answers meanwhile: the bell waits until that
// cannot be taken back any more. Who answers and takes it back for ever is not waited for.
func TestT16_ABellWaitsForAnAnswerToHold(t *testing.T) {
	for _, kind := range []notify.Kind{notify.Waits, notify.Reminds} {
		t.Run(string(kind), func(t *testing.T) {
			onBoth(t, func(t *testing.T, w *world) {
				h := w.herald()
				parked := w.park(func(p *approval.Parking) {
					p.Terms.Escalate = []permission.Escalation{{After: time.Hour, Notify: []string{"ops"}}}
				})
				said := w.denyFor(parked, 20*time.Second)
				found := time.Now()
				one := tiding{kind: kind, at: found, found: found}
				ring := func() (spread, told alarm.Outcome) {
					return h.spread(t.Context(), alarm.Bell{Kind: news, Ticket: parked.ID, Arg: one.arg()}),
						h.tell(t.Context(), alarm.Bell{Kind: tell, Ticket: parked.ID, Arg: one.argFor("ops")})
				}
				spread, told := ring()
				for _, o := range []alarm.Outcome{spread, told} {
					if again, is := o.(alarm.Again); !is || again.Why != nil || again.After <= 10*time.Second || again.After > 20*time.Second {
						t.Errorf("while it may be taken back: %+v", o)
					}
				}
				if bellsOf(t, h) != 0 || w.told() != "" {
					t.Errorf("%d bells, told %q", bellsOf(t, h), w.told())
				}
				w.takeBack(said)
				said = w.denyFor(parked, putOff+time.Minute)
				for name, now := range map[string]time.Time{"again and again": found.Add(putOff + time.Second), "it holds": said.Answer.Settles} {
					h.now = func() time.Time { return now }
					if spread, told := ring(); spread != (alarm.Done{}) || told != (alarm.Done{}) {
						t.Errorf("%s: %+v, %+v", name, spread, told)
					}
				}
				if bellsOf(t, h) != 1 || w.told() != "ops:"+string(kind) { // once in spite of the answer, and not when it holds
					t.Errorf("%d bells, told %q", bellsOf(t, h), w.told())
				}
			})
		})
	}
}
