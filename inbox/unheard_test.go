package inbox

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/session"
)

// A call of a fork whose origin is gone may have been denied there. Who looks at it is told so, and
// approves it by itself.
func TestS34_ACallThatMayHaveBeenDeniedElsewhere(t *testing.T) {
	w := newWorld(t)
	wanted := bash("ls")
	wanted.Risk = "low"
	origin := w.park(wanted)[0].Session
	fork := session.NewID()
	tr, err := w.Sessions.Fork(origin, fork, session.Start{Cwd: w.cwd})
	w.must(err)
	w.must(tr.Close())
	_, err = w.Sessions.Remove(origin, nil)
	w.must(err)
	w.must(w.Sessions.Discard(origin))
	w.must(w.ask(t.Context(), func(c *clerk.Clerk) error {
		_, err := c.MakeTickets(context.Background())
		return err
	}))
	ticket, err := w.Tickets.OfCall(t.Context(), fork, "toolu_a")
	w.must(err)
	path := "/api/v1/tickets/" + ticket.ID
	newSchemas(t).answer("get", "/api/v1/tickets/{id}", w.get(path))
	if d := w.look(ticket.ID); !strings.Contains(d.Unheard, "it may have been denied in a session of which this one is a fork") || !strings.Contains(d.Why, d.Unheard) {
		t.Errorf("%q, %q", d.Unheard, d.Why)
	}
	batch := w.post("/api/v1/batch", map[string]any{"approve": []any{map[string]any{"id": ticket.ID, "digest": ticket.Digest}}})
	if !strings.Contains(batch.body, "open it first and approve it by itself") || w.state(ticket.ID) != approval.Pending {
		t.Error(batch.body)
	}
	if a := w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}); a.status != 200 {
		t.Error(a.body)
	}
}
