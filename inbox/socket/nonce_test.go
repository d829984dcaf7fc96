package socket

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/inbox/socket/line"
)

// Somebody who listens in place of the inbox passes the yes to one guard on to another one,
// which asks about the same call. It is no yes for that one.
func TestT1_AYesIsForOneGuard(t *testing.T) {
	w := newWorld(t)
	w.serve()
	began := time.Now()
	one, other := deploy(), deploy()
	if one.Nonce == other.Nonce {
		t.Fatal("two guards have one nonce")
	}
	w.askNow(one)
	ticket := w.held(1)[0]
	w.approve(ticket)
	said := <-w.ask(one)
	if said.State != line.Allowed {
		t.Fatalf("%+v", said)
	}
	if reply, err := Handed(t.Context(), w.store, one, said.Ticket, began); err != nil || reply.State != line.Allowed {
		t.Errorf("%+v, %v", reply, err)
	}
	if err := w.store.Comment(t.Context(), said.Ticket, "ben", "good"); err != nil { // which hands nothing over
		t.Fatal(err)
	}
	if reply, err := Handed(t.Context(), w.store, one, said.Ticket, began); err != nil || reply.State != line.Allowed {
		t.Errorf("%+v, %v", reply, err)
	}
	if _, err := Handed(t.Context(), w.store, one, said.Ticket, time.Now()); err == nil {
		t.Error("a comment makes a yes of before a new one")
	}
	reply, err := Handed(t.Context(), w.store, other, said.Ticket, began)
	if forged := (*Forged)(nil); !errors.As(err, &forged) || !strings.Contains(forged.Why, "handed to another guard") || reply.State == line.Allowed {
		t.Errorf("%+v, %v", reply, err)
	}
}
