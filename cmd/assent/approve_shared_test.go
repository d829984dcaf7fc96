package main

import (
	"strings"
	"testing"
)

// Where several machines share the sessions it is a worker that goes on, with the labels that the
// session needs. Whoever answers is not told to do that himself as if nobody else did.
func TestAWorkerGoesOnWhereSeveralMachinesShareSessions(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.parks(chosenID, "touch deployed")
	if said, complained, status := m.says("sessions", "show", chosenID); status != 0 || !strings.Contains(said, "and then a worker goes on with it, or you here: assent -p --resume "+chosenID) {
		t.Errorf("show: exit status %d, %s%s", status, said, complained)
	}
	if said, complained, status := m.says("sessions", "show", "zzzz"); status == 0 || !strings.Contains(complained, "in the database postgres://") || strings.Contains(complained, ".assent") {
		t.Errorf("what is not there: exit status %d, %s%s", status, said, complained)
	}
	const next = "a worker goes on with it (or you here: assent -p --resume " + chosenID + ")"
	for _, answer := range [][]string{{"approve"}, {"deny", "--reason", "not today"}} {
		said, complained, status := m.says(append(answer, chosenID)...)
		if status != 0 || !strings.Contains(said, next) || strings.Contains(said, "go on with:") {
			t.Errorf("%v: exit status %d, %s%s", answer, status, said, complained)
		}
	}
}
