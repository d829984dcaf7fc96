package main

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// spoilTicket changes a ticket as somebody would who can write the database.
func (w *counterTest) spoilTicket(name, change string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.state, "state.db"))
	w.check(err)
	_, err = db.Exec("UPDATE tickets SET "+change+" WHERE id = $1", name)
	w.check(err)
	w.check(db.Close())
}

// One damaged ticket hides no other call, is shown with its problem, and can be denied as
// it is told.
func TestD7_OneDamagedTicket(t *testing.T) {
	for _, change := range []string{"state = 'approved'", "state = 'maybe'", "outcome = 'maybe'"} {
		w := newCounter(t)
		first, second := w.bash("a", "deploy"), w.bash("a", "refund")
		w.park(firstID, first)
		w.park(secondID, second)
		bad, good := w.ticket(firstID, first, 0), w.ticket(secondID, second, 0)
		w.spoilTicket(bad, change)
		w.run(0, "sessions", "list")
		w.says(good+"   pending  Bash  refund", bad+"   pending  Bash  deploy", "the ticket "+bad+" is damaged", "!no ticket yet", "!cannot be read")
		w.run(0, "sessions", "show", firstID)
		w.says("assent deny "+bad, "!assent approve")
		w.run(0, "approve", secondID)
		w.run(2, "approve", bad)
		w.says("is damaged")
		w.run(0, "deny", bad, "--reason", "nobody said so")
		if got := w.stateOf(firstID, "a"); got != "denied" {
			t.Errorf("%s: the ticket is %s", change, got)
		}
	}
}
