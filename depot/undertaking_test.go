package depot

import (
	"fmt"
	"testing"
	"time"
)

// left are the sessions that were left behind, as any machine sees it.
func (w world) left(d *Depot) string {
	w.Helper()
	list := func() string {
		w.Helper()
		ids, err := d.LeftBehind(w.Context())
		w.must(err)
		return fmt.Sprint(ids)
	}
	before := list()
	for _, id := range []string{"s1", "s2"} {
		is, err := d.IsLeftBehind(w.Context(), id)
		w.must(err)
		now := list() // a lease may have ended in between
		if listed := now == "["+id+"]"; is != listed && before == now {
			w.Errorf("%s is left behind: %v, and the list is %s", id, is, now)
		}
		before = now
	}
	return before
}

// What the crew of a machine has begun is known to all machines, from the moment in which nobody
// works on it until somebody has brought it to its end; however the first one went.
func TestD8_WhatACrewHasBegunIsKnownToAllMachines(t *testing.T) {
	for name, goes := range map[string]func(w world, l *Lease){
		"it gives the session back": func(w world, l *Lease) { w.must(l.Release(w.Context())) },
		"it is not heard of":        func(_ world, l *Lease) { l.stop(); l.done.Wait() },
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(w world) {
				here, there, terminal := w.machine("here"), w.machine("there"), w.machine("terminal")
				for _, d := range []*Depot{here, there, terminal} {
					d.lasts = 400 * time.Millisecond
				}
				w.must(w.begin(terminal, "s1", "one\n").Release(w.Context()))
				w.must(w.begin(terminal, "s2", "one\n").Release(w.Context()))
				if got := w.left(there); got != "[]" {
					w.Errorf("nobody has begun anything, and %s are left behind", got)
				}
				told := 0
				finish := here.Undertake("s1", func(bool) { told++ })
				l, err := here.Take(w.Context(), "s1")
				w.must(err)
				if got := w.left(there); got != "[]" || told != 1 {
					w.Errorf("somebody works on it, and %s are left behind; told %d times", got, told)
				}
				goes(w, l)
				for end := time.Now().Add(20 * time.Second); w.left(there) != "[s1]"; time.Sleep(20 * time.Millisecond) {
					if time.Now().After(end) {
						w.Fatal("nobody finds out")
					}
				}
				died := 0
				again := there.Undertake("s1", func(it bool) {
					if it {
						died++
					}
				})
				next, err := there.Take(w.Context(), "s1")
				w.must(err)
				if (died == 1) != (name == "it is not heard of") {
					w.Errorf("%d have died", died)
				}
				finish(true) // the first one comes back, and thinks that all is done
				w.must(next.Release(w.Context()))
				if got := w.left(terminal); got != "[s1]" {
					w.Errorf("it is not its any more, and it has settled it: %s", got)
				}
				again(true)
				if got := w.left(terminal); got != "[]" {
					w.Errorf("all is done, and %s are left behind", got)
				}
			})
		})
	}
}

// A session that a person takes is theirs: no crew goes on with what they leave.
func TestD8_WhatAPersonHasTakenIsTheirs(t *testing.T) {
	onBoth(t, func(w world) {
		crew, terminal := w.machine("crew"), w.machine("terminal")
		w.must(w.begin(terminal, "s1", "one\n").Release(w.Context()))
		finish := crew.Undertake("s1", func(bool) {})
		l, err := crew.Take(w.Context(), "s1")
		w.must(err)
		w.must(l.Release(w.Context()))
		finish(false) // it was stopped
		if got := w.left(crew); got != "[s1]" {
			w.Fatal(got)
		}
		l, err = terminal.Take(w.Context(), "s1")
		w.must(err)
		w.must(l.Release(w.Context()))
		if got := w.left(crew); got != "[]" {
			w.Error(got)
		}
		l, err = crew.Take(w.Context(), "s1") // not for its crew: that has finished
		w.must(err)
		w.must(l.Release(w.Context()))
		if got := w.left(crew); got != "[]" {
			w.Error(got)
		}
	})
}
