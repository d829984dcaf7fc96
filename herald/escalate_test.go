package herald

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// Steps that fall due in one look, as after a night without a server, are one message for each
// target: that of the last step that names it. Later ones come in their own time.
func TestT16_StepsThatFallDueTogetherAreOneMessage(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.targets = target("ops") + "," + target("phone", "unknown")
		h := w.herald()
		parked := w.park(func(p *approval.Parking) {
			p.Terms.Escalate = []permission.Escalation{
				{After: time.Minute, Notify: []string{"ops", "gone"}},
				{After: 2 * time.Minute, Notify: []string{"ops", "phone", "gone"}},
				{After: 3 * time.Minute, Notify: []string{"ops"}},
				{After: time.Hour, Notify: []string{"ops", "phone"}},
			}
		})
		later := parked.Created.Add(10 * time.Minute)
		h.now = func() time.Time { return later }
		if o := h.look(t.Context(), alarm.Bell{Kind: look, Ticket: parked.ID}); o != (alarm.Done{}) {
			t.Fatalf("%+v", o)
		}
		w.work(h)
		w.untilTold("ops:reminds ops:waits phone:reminds")
		w.quiet(h, "ops:reminds ops:waits phone:reminds")
		history, err := w.tickets.History(t.Context(), parked.ID)
		must(t, err)
		var notes []string
		for _, e := range history {
			if e.Kind == approval.KindEscalated {
				notes = append(notes, e.Note)
			}
		}
		const second, third = "nobody has answered for 2m0s: told phone; the settings of the server have no notification gone", "nobody has answered for 3m0s: told ops"
		if got := strings.Join(notes, "\n"); got != second+"\n"+third && got != third+"\n"+second {
			t.Errorf("%q", notes)
		}
	})
}
