package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/session"
)

func (w *counterTest) fork(from, to string) {
	w.t.Helper()
	fork, err := w.sessions.Fork(from, to, session.Start{Cwd: w.cwd, Model: "m"})
	w.check(err)
	w.check(fork.Close())
}

// A damaged ticket keeps nobody from saying no in a fork of its session, where the problem is
// shown. A yes has to wait until it is known what was said before.
func TestS34_AForkOfASessionWithADamagedTicket(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.fork(firstID, secondID)
	bad := w.ticket(firstID, call, 0)
	w.spoilTicket(bad, "outcome = 'maybe'")
	for _, command := range [][]string{{"sessions", "list"}, {"sessions", "show", secondID}} {
		w.run(0, command...)
		w.says("nobody can say whether it was denied in session " + firstID)
	}
	w.run(2, "approve", secondID)
	w.run(0, "deny", secondID, "--reason", "no")
	if got := w.stateOf(secondID, "a"); got != "denied" {
		t.Errorf("the ticket is %s", got)
	}
}

// Where the tickets cannot be read nobody says that there are none, or that nobody has
// answered.
func TestD7_ShowWhereTicketsCannotBeRead(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	w.ticket(firstID, call, 0)
	w.run(0, "deny", firstID, "--reason", "no")
	for _, suffix := range []string{"-wal", "-shm"} {
		_ = os.Remove(filepath.Join(w.state, "state.db"+suffix))
	}
	w.check(os.WriteFile(filepath.Join(w.state, "state.db"), []byte("this is no database, and never was one"), 0o600))
	w.run(0, "sessions", "show", firstID)
	w.says("cannot be read\n", "pending, as far as the session knows", "!none yet", "!nobody has answered")
	w.run(0, "sessions", "list")
	w.says("ticket unread  pending", "!no ticket yet")
}

// An ID that means nothing keeps nobody from the others, and is said with the command that
// helps.
func TestA3_AMistypedIDAmongSeveral(t *testing.T) {
	w := newCounter(t)
	first, last := w.bash("a", "ls"), w.bash("a", "pwd")
	first.Risk, last.Risk = "low", "medium"
	w.park(firstID, first)
	w.park(secondID, last)
	w.run(1, "approve", firstID, "nothing", secondID)
	w.says(`nothing: there is no session or ticket "nothing"`, "`assent sessions list` shows them", "!(look at the list)")
	if got := w.stateOf(firstID, "a") + ", " + w.stateOf(secondID, "a"); got != "approved, approved" {
		t.Error(got)
	}
}

// What is broken ends it, and those are named about which nothing was said.
func TestA3_WhatIsBrokenAmongSeveral(t *testing.T) {
	w := newCounter(t)
	first, last := w.bash("a", "ls"), w.bash("a", "pwd")
	first.Risk, last.Risk = "low", "medium"
	w.park(firstID, first)
	w.park(secondID, last)
	w.spoilTicket(w.ticket(firstID, first, 0), "outcome = 'maybe'")
	w.run(2, "approve", firstID, secondID)
	w.says(firstID+": ", "nothing was said about "+secondID)
	if got := w.stateOf(secondID, "a"); got != "no ticket" {
		t.Error(got)
	}
}
