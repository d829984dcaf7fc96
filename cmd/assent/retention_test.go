package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

// office opens the sessions and tickets of a machine.
func officeOf(t *testing.T, dir, address string) (*counter, *office) {
	t.Helper()
	d := &counter{app: &app{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, dir: dir}
	d.given = address
	o, err := d.openOffice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.close)
	return d, o
}

// What nobody has used for long goes, in batches, and nothing that somebody may still need: not what
// waits, what nobody knows of, what was answered, what a crew has left or somebody has open, and what
// is young. That is so on a machine which has never seen the sessions.
func TestS26_OldSessionsAreRemoved(t *testing.T) {
	const old = 31 * 24 * time.Hour
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("in a database: %v", shared), func(t *testing.T) {
			w := newCounter(t)
			address, elsewhere := "", w.state
			if shared {
				address, elsewhere = testpostgres.Database(t), t.TempDir()
			}
			_, here := officeOf(t, w.state, address)
			w.sessions = here.sessions
			call := w.bash("a", "deploy")
			ticket := func(id string) approval.Ticket {
				stand, err := w.sessions.Standing(id)
				w.check(err)
				made, err := here.tickets.Park(t.Context(), approval.Parking{Call: callIn(id, call), At: stand.Calls[0].Since, By: "hook guard"})
				w.check(err)
				return made
			}
			made := func(kind int, n int) string { return fmt.Sprintf("%08d-1111-4111-8111-%012d", kind, n) }
			keeps := map[string]string{}
			for i := range 3 { // they are looked at before the others, and are more than one batch
				keeps[fmt.Sprint("no ticket ", i)] = made(0, i)
				w.park(made(0, i), call)
			}
			for i, name := range []string{"pending", "approved", "running", "unknown"} {
				id := made(1, i)
				keeps[name] = id
				w.park(id, call)
				parked := ticket(id)
				if name == "pending" {
					continue
				}
				_, err := here.tickets.Approve(t.Context(), parked.ID, parked.Digest, "ann", "", nil)
				w.check(err)
				if name == "approved" {
					continue
				}
				fence, err := here.tickets.Claim(t.Context(), parked.ID, callIn(id, call), nil, "process 999999 on nowhere")
				w.check(err)
				if name == "unknown" {
					w.check(here.tickets.Lose(t.Context(), parked.ID, fence, "it is gone"))
				}
			}
			for i := range 5 {
				w.park(made(2, i))
			}
			keeps["young"], keeps["in use"] = made(3, 0), made(3, 1)
			w.park(made(3, 0))
			w.park(made(3, 1))
			age := func(id string) {
				if !shared {
					w.age(id, 31)
					return
				}
				_, err := here.joined.db.Writer().ExecContext(t.Context(), "UPDATE depot_sessions SET written = written - $1 WHERE id = $2", old.Microseconds(), id)
				w.check(err)
			}
			for name, id := range keeps {
				if name != "young" {
					age(id)
				}
			}
			for i := range 5 {
				age(made(2, i))
			}
			open, err := w.sessions.Resume(made(3, 1))
			w.check(err)
			defer open.Close()
			if shared {
				keeps["left by a crew"] = made(4, 0)
				w.park(made(4, 0))
				age(made(4, 0))
				_, err := here.joined.db.Writer().ExecContext(t.Context(), "UPDATE depot_sessions SET going = 1 WHERE id = $1", made(4, 0))
				w.check(err)
			}

			d, there := officeOf(t, elsewhere, address)
			var log bytes.Buffer
			r := d.retention(unusedFor(30*24*time.Hour), there, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
			r.most = 2
			more := true
			for batches := 0; more; batches++ {
				before := len(there.sessionIDs(t))
				if more, err = r.batch(t.Context()); err != nil || batches > 20 {
					t.Fatalf("%d batches: %v\n%s", batches, err, &log)
				}
				if after := len(there.sessionIDs(t)); before-after > r.most {
					t.Errorf("a batch has removed %d", before-after)
				}
			}
			left := there.sessionIDs(t)
			for name, id := range keeps {
				if !left[id] {
					t.Errorf("%s: it is gone\n%s", name, &log)
				}
			}
			if len(left) != len(keeps) {
				t.Errorf("%d are left, and not %d\n%s", len(left), len(keeps), &log)
			}
			if r.after != "" {
				t.Errorf("the next round begins after %s", r.after)
			}
		})
	}
}

func (o *office) sessionIDs(t *testing.T) map[string]bool {
	t.Helper()
	ids, err := o.sessions.IDs()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, id := range ids {
		all[id] = true
	}
	return all
}

// Nothing is removed unless somebody says so, and nothing that was used a moment ago.
func TestS26_NothingIsRemovedUnlessAsked(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r := &retention{asking: func(context.Context, func(*clerk.Clerk) error) error { t.Error("it asks"); return nil }}
	if err := r.run(ctx); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]time.Duration{"30d": 30 * 24 * time.Hour, "1h": time.Hour, "59m": -1, "0d": -1, "0": -1, "x": -1, "-1d": -1} {
		var u unusedFor
		if err := u.Set(text); (err != nil) != (want < 0) || want > 0 && time.Duration(u) != want {
			t.Errorf("%q: %v, %v", text, time.Duration(u), err)
		}
	}
}

// A session with which another machine has gone on, after somebody found that it may go, stays.
func TestS26_WhatWasUsedMeanwhileStays(t *testing.T) {
	w := newCounter(t)
	address := testpostgres.Database(t)
	_, here := officeOf(t, w.state, address)
	_, there := officeOf(t, t.TempDir(), address)
	w.sessions = here.sessions
	w.park(oldID)
	if _, err := there.sessions.Standing(oldID); err != nil { // it has a copy
		t.Fatal(err)
	}
	_, err := there.sessions.Remove(oldID, func() error {
		w.write(oldID, session.Noted, map[string]string{"note": "used"})
		return nil
	})
	if err == nil || !here.sessionIDs(t)[oldID] {
		t.Errorf("it is gone: %v", err)
	}
	w.write(oldID, session.Noted, map[string]string{"note": "again"}) // and it is nobody's
}
