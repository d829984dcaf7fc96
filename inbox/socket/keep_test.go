package socket

import (
	"context"
	"errors"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/internal/strictjson"
)

// broken are tickets on a disk that is full.
type broken struct{ Tickets }

func (broken) Hold(context.Context, string, approval.Parking) (approval.Ticket, error) {
	return approval.Ticket{}, errors.New("the disk is full")
}

// unhandy are tickets whose answers cannot be handed over.
type unhandy struct{ Tickets }

func (unhandy) Hand(context.Context, string, string) (approval.Ticket, error) {
	return approval.Ticket{}, errors.New("the disk is full")
}

// A single process finds the answers that others give.
func TestA2_DirectlyInTheTickets(t *testing.T) {
	w := newWorld(t)
	got := make(chan line.Reply, 1)
	go func() { got <- Direct(t.Context(), w.store, "ann@desk", deploy()) }()
	w.approve(w.held(1)[0])
	if reply := <-got; reply.State != line.Allowed || reply.By != "ana" {
		t.Errorf("%+v", reply)
	}
	short := deploy()
	short.WaitMS = 1
	if reply := Direct(t.Context(), w.store, "ann@desk", short); reply.State != line.Pending || reply.Ticket == "" {
		t.Errorf("%+v", reply)
	}
}

// A yes that cannot be marked as used is none.
func TestT11_AYesThatCannotBeHandedOver(t *testing.T) {
	w := newWorld(t)
	k := NewKeeper(unhandy{w.store})
	short := deploy()
	short.WaitMS = 0
	k.Keep(t.Context(), short)
	ticket := w.held(1)[0]
	w.approve(ticket)
	if reply := k.Keep(t.Context(), short); reply.Error != "the disk is full" || reply.State != "" {
		t.Errorf("%+v", reply)
	}
}

// Another input that was approved comes with the answer.
func TestA3_AnotherInputComesWithTheYes(t *testing.T) {
	w := newWorld(t)
	short := deploy()
	short.WaitMS, short.Edits = 0, "taken"
	w.keeper.Keep(t.Context(), short)
	ticket := w.held(1)[0]
	if ticket.Edits != approval.Taken {
		t.Errorf("%q", ticket.Edits)
	}
	if _, err := w.store.Approve(t.Context(), ticket.ID, ticket.Digest, "ana", "", strictjson.Raw(`{}`)); err != nil {
		t.Fatal(err)
	}
	reply := w.keeper.Keep(t.Context(), short)
	text, err := line.Answer(reply)
	if err != nil {
		t.Fatal(err)
	}
	read, err := line.ReadReply(text[:len(text)-1])
	if err != nil || read.State != line.Allowed || string(read.Input) != `{}` {
		t.Errorf("%s, %+v, %v", text, read, err)
	}
}
