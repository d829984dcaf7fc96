package herald

import (
	"testing"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// waitingBells is how many bells of a kind wait.
func (w *world) waitingBells(kind alarm.Kind) (n int) {
	w.t.Helper()
	must(w.t, w.tickets.Database().Reads().QueryRowContext(w.t.Context(), "SELECT COUNT(*) FROM river_job WHERE queue = $1 AND state IN ('available', 'scheduled', 'retryable')", string(kind)).Scan(&n))
	return n
}

func (w *world) change(query string) {
	w.t.Helper()
	must(w.t, w.tickets.Database().Within(w.t.Context(), func(tx *database.Tx) error {
		_, err := tx.ExecContext(w.t.Context(), query)
		return err
	}))
}

// A server was there once and does not come again: bells that nobody hears do not become more and
// more. If one comes after all, it finds what nobody has rung for.
func TestA5_NoBellsAreSetWhereNobodyHearsThem(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		kind := w.tickets.Database().Kind()
		end := w.work(w.herald())
		w.until("heard", func() bool {
			var n int
			must(t, w.tickets.Database().Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM river_queue WHERE name = 'look'").Scan(&n))
			return n == 1
		})
		end()
		for i, c := range []struct {
			days, bells int
		}{{1, 1}, {deafDays - 1, 2}, {deafDays + 1, 2}, {300, 2}} {
			w.change("UPDATE river_queue SET updated_at = " + ago(kind, c.days, "days"))
			another, err := approval.On(t.Context(), w.tickets.Database()) // of the next command
			must(t, err)
			Ring(another)
			_, err = another.Park(t.Context(), approval.Parking{Call: approval.Call{Session: "s", ToolUseID: string(rune('a' + i)), Tool: "Deploy", Input: []byte(`{}`), Cwd: "/srv/web"}, By: "test"})
			must(t, err)
			if got := w.waitingBells(look); got != c.bells {
				t.Errorf("after %d days: %d bells wait, want %d", c.days, got, c.bells)
			}
		}
		w.work(w.herald())
		w.untilTold("ops:waits ops:waits ops:waits ops:waits")
	})
}

// Workers let sessions go on, and nobody tells people anything: what would not be told any more is
// dropped, and what asks something of people waits for a server.
func TestA5_WhatNobodyIsToldIsDropped(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		kind := w.tickets.Database().Kind()
		worker, err := New(t.Context(), Config{Tickets: w.tickets, TakeUp: w.takeUp})
		must(t, err)
		heard := func(id string) {
			t.Helper()
			if o, again := worker.look(t.Context(), alarm.Bell{Kind: look, Ticket: id}).(alarm.Again); again {
				t.Fatalf("%+v", o)
			}
		}
		waits := w.park(func(p *approval.Parking) { p.Call.ToolUseID = "waits" })
		for _, name := range []string{"answered", "answered just now"} {
			one := w.park(func(p *approval.Parking) { p.Call.ToolUseID = name })
			heard(one.ID)
			w.approve(one)
			heard(one.ID)
			if name == "answered" {
				heard(waits.ID)
				w.change("UPDATE river_job SET scheduled_at = " + ago(kind, untoldHours+1, "hours"))
			}
		}
		before := w.waitingBells(news)
		must(t, worker.dropUntold(t.Context()))
		if after := w.waitingBells(news); before != 5 || after != 3 { // of the one that waits, and the two that are new
			t.Errorf("%d bells, and %d before", after, before)
		}
		w.approve(waits)
		must(t, worker.dropUntold(t.Context()))
		if after := w.waitingBells(news); after != 2 {
			t.Errorf("%d bells", after)
		}
	})
}
