package inbox

import (
	"testing"

	"github.com/assent-dev/assent/approval"
)

// A no counts as long as nobody has begun to run the call, also after a yes that cannot be taken back
// any more; the page offers it by what the server says.
func TestT9_ANoUntilItBegins(t *testing.T) {
	w := newWorld(t)
	yes := func(ticket approval.Ticket) {
		w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	}
	for name, test := range map[string]struct {
		ticket   approval.Ticket
		change   func(approval.Ticket)
		deniable bool
	}{
		"waits":       {w.park(bash("npm run a"))[0], func(approval.Ticket) {}, true},
		"approved":    {w.park(bash("npm run b"))[0], yes, true},
		"held":        {w.heldHere("npm run c"), yes, true},
		"handed over": {w.heldHere("npm run d"), func(ticket approval.Ticket) { yes(ticket); _, _ = w.Tickets.Hand(t.Context(), ticket.ID, "guard") }, false},
		"running": {w.park(bash("npm run e"))[0], func(ticket approval.Ticket) {
			yes(ticket)
			_, err := w.Tickets.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker")
			w.must(err)
		}, false},
	} {
		test.change(test.ticket)
		if d := w.look(test.ticket.ID); d.Deniable != test.deniable {
			t.Errorf("%s: %s, deniable %v", name, d.State, d.Deniable)
		}
		got := w.post("/api/v1/tickets/"+test.ticket.ID+"/deny", map[string]any{"digest": test.ticket.Digest, "reason": "no"})
		if denied := got.status == 200; denied != test.deniable {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
}
