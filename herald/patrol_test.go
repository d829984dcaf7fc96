package herald

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// Calls that wait cost the patrol nothing: it walks through all tickets at the start and once an
// hour, and reads only what has changed in between.
func TestA5_WhatWaitsIsLookedAtOnceAnHour(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		h := w.herald()
		now := time.Now()
		h.now = func() time.Time { return now }
		patrol := func(want int) {
			t.Helper()
			must(t, h.ringForMissed(t.Context()))
			if got := w.waitingBells(look); got != want {
				t.Errorf("%d bells wait, want %d", got, want)
			}
			w.change("DELETE FROM river_job")
		}
		var parked []approval.Ticket
		for i := range 3 {
			parked = append(parked, w.park(func(p *approval.Parking) { p.Call.ToolUseID = fmt.Sprint(i) }))
		}
		patrol(3)
		patrol(0) // nothing has happened, and their bells are not for it to keep
		silent, err := approval.On(t.Context(), w.tickets.Database())
		must(t, err)
		_, err = silent.Deny(t.Context(), parked[0].ID, parked[0].Digest, "ana", "no")
		must(t, err)
		patrol(1) // of a program that rings none
		now = now.Add(seldom - time.Second)
		patrol(0)
		now = now.Add(time.Second)
		patrol(3)
	})
}

// However many tickets there are for which nobody has rung: so many bells ring at once, and none is
// left out.
func TestA5_ManyBellsRingPartByPart(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		h := w.herald()
		w.change(fmt.Sprintf(`
			INSERT INTO tickets (id, session, call, tool, input, cwd, digest, policy, why, state, fence, created, expires, outcome, holder, answer, asker, risk, kin)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d)
			SELECT 'ticket' || i, 's', 'c' || i, 'Deploy', '{}', '/srv', '', '', '', CASE i %% 2 WHEN 0 THEN 'pending' ELSE 'expired' END, 0, 1000 + i / 10, 0, 'deny', '', '', '', i %% 3, '' FROM n`, 2*part+500))
		w.change("INSERT INTO history (ticket, number, at, was, became, fence, who, note) SELECT id, 1, created, '', state, 0, 'test', '' FROM tickets")
		for i, want := range []int{part, 2 * part, 2*part + 500, 2*part + 500} {
			must(t, h.ringForMissed(t.Context()))
			if got := w.waitingBells(look); got != want {
				t.Errorf("round %d: %d bells wait, want %d", i, got, want)
			}
		}
	})
}

// What is asked all the time begins with the few changes, and not with the many tickets.
func TestThePatrolBeginsWithTheChanges(t *testing.T) {
	db, err := database.OpenFile(filepath.Join(t.TempDir(), "state.db"))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	tickets, err := approval.On(t.Context(), db)
	must(t, err)
	_, err = New(t.Context(), Config{Tickets: tickets})
	must(t, err)
	rows, err := db.Reads().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+changed, 1, 2, 3)
	must(t, err)
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var n int
		var step string
		must(t, rows.Scan(&n, &n, &n, &step))
		plan = append(plan, step)
	}
	must(t, rows.Err())
	text := strings.Join(plan, "\n")
	if !strings.Contains(text, "SEARCH history USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)") || !strings.Contains(text, "SEARCH t USING INDEX sqlite_autoindex_tickets_1 (id=?)") {
		t.Errorf("it goes through more than the changes:\n%s", text)
	}
}
