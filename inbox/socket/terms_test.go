package socket

import (
	"reflect"
	"testing"

	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/permission"
)

// The ticket says on whose behalf the guard asks, as whoever holds the call knows it, and what
// the settings of the guard ask for.
func TestA4_TheTicketOfAHeldCall(t *testing.T) {
	w := newWorld(t)
	w.keeper.AskedBy("ann@desk")
	w.serve()
	served, direct := deploy(), deploy()
	served.WaitMS, served.Terms = 1, permission.Terms{Approvers: 2, Reason: true}
	direct.WaitMS, direct.Session = 1, "another"
	reply, err := line.Ask(t.Context(), w.dir, served)
	if err != nil {
		t.Fatal(err)
	}
	alone := Direct(t.Context(), w.store, "ben@laptop", direct)
	for id, want := range map[string]struct {
		requester string
		terms     permission.Terms
	}{reply.Ticket: {"ann@desk", served.Terms}, alone.Ticket: {"ben@laptop", permission.Terms{}}} {
		ticket, err := w.store.Find(t.Context(), id)
		if err != nil || ticket.Requester != want.requester || !reflect.DeepEqual(ticket.Terms, want.terms) {
			t.Errorf("%q, %+v, %v; want %+v", ticket.Requester, ticket.Terms, err, want)
		}
	}
}
