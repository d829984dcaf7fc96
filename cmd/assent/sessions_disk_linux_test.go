package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testdisk"
	"github.com/assent-dev/assent/session"
)

// onDisk is a counter whose state lies on a small disk of its own; ok is as
// [testdisk.New] has it.
func onDisk(t *testing.T) (w *counterTest, ok bool) {
	t.Helper()
	dir, ok := testdisk.New(t)
	if !ok {
		return nil, false
	}
	w = newCounter(t)
	w.state = dir
	t.Setenv("ASSENT_HOME", dir)
	w.sessions = session.NewStore(filepath.Join(dir, "sessions"))
	return w, true
}

// looks tries what only looks, which works, and what answers, which says why it cannot.
func (w *counterTest) looks(approved, hint string) {
	w.t.Helper()
	w.run(0, "sessions", "list")
	w.says(approved, "approved  Bash  deploy", "pending  Bash  refund", "assent: warning: the tickets in ", hint)
	w.run(0, "sessions", "list", "--json")
	w.says(`"tickets_problem": "the tickets in `, `"state": "approved"`)
	w.run(0, "sessions", "show", firstID)
	w.says("approved by ", hint)
	w.run(0, "sessions", "show", approved)
	w.says("History", "approved by ")
	file := filepath.Join(w.home, "it.session")
	w.run(0, "sessions", "export", firstID, "-o", file)
	w.run(0, "sessions", "import", "--state", filepath.Join(w.home, "other"), file)
	w.check(os.RemoveAll(filepath.Join(w.home, "other")))
	w.check(os.Remove(file))
	for _, args := range [][]string{{"approve", secondID}, {"deny", secondID, "--reason", "no"}} {
		w.run(2, args...)
		w.says("the tickets in ", hint)
	}
}

// On a full disk what waits can be seen and exported, and old sessions can be removed,
// which makes room.
func TestD7_SessionsOnAFullDisk(t *testing.T) {
	w, ok := onDisk(t)
	if !ok {
		return
	}
	a, b := w.bash("a", "deploy"), w.bash("b", "refund")
	w.park(firstID, a)
	w.park(secondID, b)
	name := w.ticket(firstID, a, 0)
	w.ticket(secondID, b, 0)
	w.run(0, "approve", name)
	w.park(oldID)
	w.ticket(oldID, a, 0) // of a call that the session has gone on without
	w.write(oldID, session.Noted, strings.Repeat("x", 100_000))
	w.age(oldID, 31)
	testdisk.Exhaust(t, w.state)
	w.looks(name, "see that the disk is not full")
	w.run(0, "sessions", "prune")
	w.says("removed "+oldID, "warning: the tickets in ")
	if w.there(oldID) {
		t.Error("it is still there")
	}
	w.run(0, "sessions", "list")
	w.says("!warning", "!"+oldID)
	if w.stateOf(oldID, "a") != "pending" || len(w.sessions.Discarded()) != 1 {
		t.Errorf("the ticket is %s, left over %v: the test is wrong", w.stateOf(oldID, "a"), w.sessions.Discarded())
	}
	w.run(0, "sessions", "prune")
	if w.stateOf(oldID, "a") != "no ticket" || len(w.sessions.Discarded()) != 0 {
		t.Errorf("the ticket is %s, left over %v", w.stateOf(oldID, "a"), w.sessions.Discarded())
	}
}

// On a disk that cannot be written what waits can be seen and exported.
func TestD7_SessionsOnAReadOnlyDisk(t *testing.T) {
	w, ok := onDisk(t)
	if !ok {
		return
	}
	a, b := w.bash("a", "deploy"), w.bash("b", "refund")
	w.park(firstID, a)
	w.park(secondID, b)
	name := w.ticket(firstID, a, 0)
	w.ticket(secondID, b, 0)
	w.run(0, "approve", name)
	dead := w.bash("c", "ship")
	w.park(oldID, dead)
	lost := w.ticket(oldID, dead, 0)
	w.claim(oldID, dead)
	testdisk.ReadOnly(t, w.state)
	w.looks(name, "can be written")
	w.run(0, "sessions", "list")
	w.says(lost+"   unknown  Bash  ship", "!running")
}
