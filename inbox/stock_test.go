package inbox

import (
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// Also a server that lets no session go on shows the calls that have no ticket, as those of
// an import.
func TestA3_ACallWithoutATicketIsSeenWhereNobodyIsEmployed(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("make deploy"))[0]
	w.must(w.Tickets.Forget(t.Context(), ticket.Session))
	w.run()
	var list []approval.Ticket
	for deadline := time.Now().Add(10 * time.Second); len(list) == 0 && time.Now().Before(deadline); {
		var err error
		list, err = w.Tickets.List(t.Context(), approval.Query{Session: ticket.Session})
		w.must(err)
	}
	if len(list) != 1 || list[0].State != approval.Pending {
		t.Errorf("%+v", list)
	}
}
