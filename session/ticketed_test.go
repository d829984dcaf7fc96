package session

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/model"
)

// ticketOf is the ticket that a call of a transcript gets when it is parked.
func ticketOf(t *testing.T, tr *Transcript, id string) Ticketed {
	t.Helper()
	c, err := tr.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	call := c.Pending.call(id)
	if call == nil {
		t.Fatalf("%s does not wait", id)
	}
	return Ticketed{Parking: Parking{ToolUseID: id, Since: call.Since}, Tool: "Bash", Ticket: "ticket-" + id}
}

func lacks(t *testing.T, s *Store, id string, known ...Ticketed) string {
	t.Helper()
	c, err := s.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	call, _ := c.Lacks(known)
	tr := resume(t, s, id) // who takes it up reads it in another way
	defer tr.Close()
	if c, err = tr.Conversation(); err != nil {
		t.Fatal(err)
	}
	if again, _ := c.Lacks(known); again != call {
		t.Errorf("who looks misses %q, and who takes it up %q", call.ToolUseID, again.ToolUseID)
	}
	return call.ToolUseID
}

// Whoever cuts off the end of a transcript, and removes what says where it ended, is found out by
// the tickets of what is gone.
func TestT17_ATicketWithoutItsRecord(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Parked, waiting("a"))
	first := ticketOf(t, tr, "a")
	put(t, tr, Settled, settled("a"))
	put(t, tr, Said, model.Message{Role: model.User})
	whole := len(slurp(t, tr.Path()))
	put(t, tr, Parked, waiting("b"))
	second := ticketOf(t, tr, "b")
	put(t, tr, Said, model.Message{Role: model.User})
	put(t, tr, Parked, waiting("a")) // the model uses an id again
	again := ticketOf(t, tr, "a")
	_ = tr.Close()
	if got := lacks(t, s, one, first, second, again); got != "" {
		t.Errorf("whole, and it lacks %s", got)
	}
	if err := errors.Join(os.Truncate(tr.Path(), int64(whole)), os.Remove(headPath(tr.Dir()))); err != nil {
		t.Fatal(err)
	}
	if got := lacks(t, s, one, first); got != "" {
		t.Errorf("it lacks %s, which is there", got)
	}
	for _, gone := range []Ticketed{second, again} {
		if got := lacks(t, s, one, first, gone); got != gone.ToolUseID {
			t.Errorf("nobody notices that %s is gone: %q", gone.ToolUseID, got)
		}
	}
}

// What people do with sessions takes no record of a call away.
func TestT17_SessionsThatAreWhole(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Said, said(model.User, "go"))
	put(t, tr, Parked, waiting("a"))
	first := ticketOf(t, tr, "a")
	put(t, tr, Compacted, Compaction{Messages: []model.Message{said(model.User, "so far")}})
	put(t, tr, Parked, waiting("b"))
	second := ticketOf(t, tr, "b")
	fork, err := s.Fork(one, two, begin)
	if err != nil {
		t.Fatal(err)
	}
	forked := ticketOf(t, fork, "b")
	_, _ = tr.Close(), fork.Close()
	if got := lacks(t, s, one, first, second); got != "" {
		t.Errorf("a compaction takes %s away", got)
	}
	if got := lacks(t, s, two, forked); got != "" {
		t.Errorf("a fork lacks its own call %s", got)
	}
	older := Ticketed{Parking: Parking{ToolUseID: "z", Since: time.Now().Add(-time.Hour)}}
	if got := lacks(t, s, one, older); got != "" {
		t.Error("a ticket from before the session began is held against it")
	}
	if got := lacks(t, s, two, older); got != "z" {
		t.Error("a fork waits for calls that are older than itself, and one of them is gone")
	}
}

func TestT17_WhatIsSaidAboutAShortenedSession(t *testing.T) {
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	text := (&Shortened{ID: one, Call: Ticketed{Parking{"c2", since}, "Bash", "abc"}}).Error()
	for _, word := range []string{one + " cannot be used", "call c2 of Bash", "ticket abc since 2026-03-01T12:00:00Z", "cut off", "--fork-session", "nothing was changed"} {
		if !strings.Contains(text, word) {
			t.Errorf("%q is missing: %s", word, text)
		}
	}
}
