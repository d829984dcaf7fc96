package herald

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/permission"
)

// Whoever was to tell others that nobody answers dies in the middle of it. The next one tells them,
// and that they were told is on record once; when the call waits for the second time it is once more.
func TestD8_AnEscalationIsOnRecordOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		h := w.herald()
		ticket := w.park(func(p *approval.Parking) {
			p.Terms.Escalate = []permission.Escalation{{After: time.Hour, Notify: []string{"ops"}}}
		})
		found := time.Now()
		spread := func() {
			t.Helper()
			one := tiding{kind: notify.Reminds, at: found, found: found}
			if o := h.spread(t.Context(), alarm.Bell{Kind: news, Ticket: ticket.ID, Arg: one.arg()}); o != (alarm.Done{}) {
				t.Errorf("%+v", o)
			}
		}
		rows := func(want int) {
			t.Helper()
			history, err := w.tickets.History(t.Context(), ticket.ID)
			must(t, err)
			n := 0
			for _, e := range history {
				if e.Kind == approval.KindEscalated {
					n++
				}
			}
			if n != want {
				t.Errorf("it is on record %d times, want %d: %+v", n, want, history)
			}
		}
		bells := func() (n int) {
			t.Helper()
			must(t, w.tickets.Database().Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM river_job WHERE queue = 'tell'").Scan(&n))
			return n
		}
		must(t, w.tickets.Escalated(t.Context(), ticket.ID, "nobody has answered for 1h0m0s: told ops")) // and then it died
		spread()
		rows(1)
		if bells() != 1 {
			t.Error("nobody is told")
		}
		spread()
		rows(1)
		found = found.Add(time.Hour)
		spread()
		rows(2)
	})
}
