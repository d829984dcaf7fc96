package inbox

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/depot"
)

// labelled lets sessions that begin from now on wait for a worker that has labels.
func (w *world) labelled(labels ...string) {
	w.t.Helper()
	d, err := depot.On(w.t.Context(), w.Tickets.Database(), "test")
	w.must(err)
	w.Sessions.Depot = d.Sessions(labels)
}

// Whoever answers a call sees where its session goes on: an answer does nothing as long as there
// is no such worker.
func TestACallSaysWhichWorkerItWaitsFor(t *testing.T) {
	w := newWorld(t)
	w.labelled("gpu", "image=ci:7")
	ticket := w.park(bash("npm test"))[0]
	want := []string{"gpu", "image=ci:7"}
	if d := w.look(ticket.ID); !slices.Equal(d.Labels, want) {
		t.Errorf("the call says %q", d.Labels)
	}
	var v sessionView
	if w.get("/api/v1/sessions/"+ticket.Session).into(t, &v); !slices.Equal(v.Labels, want) {
		t.Errorf("the session says %q", v.Labels)
	}
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	if d := w.look(ticket.ID); !slices.Equal(d.Labels, want) {
		t.Errorf("once it is answered the call says %q", d.Labels)
	}
	s := newSchemas(t)
	s.answer("GET", "/api/v1/tickets/{id}", w.get("/api/v1/tickets/"+ticket.ID))
	s.answer("GET", "/api/v1/sessions/{id}", w.get("/api/v1/sessions/"+ticket.Session))
}

func TestASessionThatStaysHereNamesNoWorker(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	if d := w.look(ticket.ID); d.Labels != nil {
		t.Errorf("%q", d.Labels)
	}
}
