package herald

import (
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/notify"
)

// A worker has looked at a call, and a server that tells people is there only a day later: what
// asks something of them is told all the same, and what asks nothing is not.
func TestA5_AServerThatComesADayLaterTells(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		Ring(w.tickets)
		worker, err := New(t.Context(), Config{Tickets: w.tickets})
		must(t, err)
		parked, answered := w.park(nil), w.park(func(p *approval.Parking) { p.Call.ToolUseID = "toolu_2" })
		w.approve(answered)
		before := time.Now().Add(-givesUp - time.Hour)
		worker.now = func() time.Time { return before }
		for _, id := range []string{parked.ID, answered.ID} {
			if o, again := worker.look(t.Context(), alarm.Bell{Kind: look, Ticket: id}).(alarm.Again); again && o.Why != nil {
				t.Fatal(o.Why)
			}
		}
		w.outcomes = []notify.Outcome{{Verdict: notify.Again, Wait: time.Millisecond, Text: "it answered 500"}} // and is not given up at once
		h := w.herald()
		w.work(h)
		w.untilTold("ops:waits ops:waits")
		w.until("taken up", func() bool { return len(w.takenUp()) > 0 })
		w.quiet(h, "ops:waits ops:waits")
	})
}

// A session that can never go on rings its bell for an hour, and not for ever.
func TestA5_TheBellOfASessionThatCannotGoOnFallsSilent(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.broken = errors.New("there is no such session")
		h := w.herald()
		parked := w.park(nil)
		w.approve(parked)
		bell := alarm.Bell{Kind: look, Ticket: parked.ID}
		if o, again := h.look(t.Context(), bell).(alarm.Again); !again || !errors.Is(o.Why, w.broken) {
			t.Errorf("%+v", o)
		}
		h.now = func() time.Time { return time.Now().Add(triesFor + time.Minute) }
		if o := h.look(t.Context(), bell); o != (alarm.Done{}) {
			t.Errorf("%+v", o)
		}
	})
}
