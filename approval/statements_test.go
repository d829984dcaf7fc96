package approval

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// prepared is how many texts are, and how many are known.
func (c *counter) prepared() (n, known int) {
	return len(c.statements.kept) - len(c.statements.unprepared()), len(c.statements.kept)
}

// What is run again is prepared, and who changes one ticket prepares nothing.
func TestTextsArePreparedWhenTheyComeAgain(t *testing.T) {
	s := newStore(t)
	if n, known := s.prepared(); n != 0 || known != 0 {
		t.Errorf("opening: %d of %d", n, known)
	}
	first := s.park(deploy("s1"))
	if n, known := s.prepared(); n != 0 || known == 0 {
		t.Errorf("the first ticket: %d of %d", n, known)
	}
	s.park(deploy("s2"))
	if n, known := s.prepared(); n == 0 || n != known {
		t.Errorf("the second ticket: %d of %d", n, known)
	}
	for i := range 3 { // directly, prepared, and as what others have left prepared
		call := deploy(fmt.Sprint("more", i))
		ticket := s.park(call)
		if _, err := s.Approve(context.Background(), ticket.ID, ticket.Digest, "ann", "go ahead", nil); err != nil {
			t.Fatal(err)
		}
		if got := s.find(ticket.ID); got.State != Approved || got.Session != call.Session || got.Answer.By != "ann" {
			t.Errorf("%+v", got)
		}
	}
	if got := s.find(first.ID); got.State != Pending {
		t.Errorf("another ticket has changed: %+v", got)
	}
}

// Preparing needs the connection that a transaction of somebody else holds.
func TestManyChangesOfOneStore(t *testing.T) {
	s := newStore(t)
	const each, many = 5, 8
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			for j := range each {
				ticket, err := s.Park(context.Background(), Parking{Call: deploy(fmt.Sprint(i, "-", j)), By: "hook"})
				if err == nil {
					_, err = s.Approve(context.Background(), ticket.ID, ticket.Digest, "ann", "", nil)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if list, err := s.List(context.Background(), Query{States: []State{Approved}}); err != nil || len(list) != each*many {
		t.Errorf("%d tickets, %v", len(list), err)
	}
}

// A transaction that was given up leaves what was prepared usable.
func TestARefusedChangeLeavesTheStoreUsable(t *testing.T) {
	s := newStore(t)
	for i := range 4 {
		ticket := s.park(deploy(fmt.Sprint("s", i)))
		if _, err := s.Approve(context.Background(), ticket.ID, "another digest", "ann", "", nil); err == nil {
			t.Fatal("approved what was not shown")
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := s.Approve(ended, ticket.ID, ticket.Digest, "ann", "", nil); err == nil {
			t.Fatal("approved after the end")
		}
		if _, err := s.Approve(context.Background(), ticket.ID, ticket.Digest, "ann", "", nil); err != nil {
			t.Fatal(err)
		}
	}
}
