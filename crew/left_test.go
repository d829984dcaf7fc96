package crew

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/session"
)

// A process that had a session open is gone. If it died with the result of an answered call
// that the model was not told, the server goes on; if it died in the middle of something else
// people are told the way out; and what has come to an end stays there.
func TestA3_WhatAnotherProcessHasLeft(t *testing.T) {
	for _, late := range []bool{false, true} { // the server looks while they run the call, or when it is over
		for left, want := range map[leaving]struct{ runs, problem string }{
			leftNothing: {"", ""},
			leftResult:  {"1 20", ""},
			leftMiddle:  {"", "assent -p --resume " + id(1)},
		} {
			synctest.Test(t, func(t *testing.T) {
				y := newYard(t, 2)
				var now leaving
				y.left = func(context.Context, string) (found leaving) { y.locked(func() { found = now }); return found }
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				y.fail[id(1)], y.held[id(1)] = &session.InUse{ID: id(1)}, true
				if late {
					y.hear([]word{{id(1), spoken}})
				} else {
					y.answer(id(1), duty{print: "a"})
				}
				go func() { _ = y.Work(ctx) }()
				time.Sleep(8 * time.Second)
				y.locked(func() { delete(y.duties, id(1)) }) // they have run it
				time.Sleep(8 * time.Second)
				first := y.count()
				if late == (first == 1) {
					t.Errorf("late %v: %s", late, y.ran())
				}
				y.locked(func() { delete(y.fail, id(1)); delete(y.held, id(1)); now, y.runs = left, nil })
				time.Sleep(8 * time.Second)
				if got := y.ran(); got != want.runs {
					t.Errorf("late %v, left %d: %q", late, left, got)
				}
				if got := y.Problem(id(1)); (got == "") != (want.problem == "") || !strings.Contains(got, want.problem) {
					t.Errorf("late %v, left %d: %q", late, left, got)
				}
				y.locked(func() { now = leftNothing }) // somebody has gone on with it
				time.Sleep(2 * stockEvery)
				if got := y.Problem(id(1)); got != "" || len(y.Crew.errands) != 0 {
					t.Errorf("late %v, left %d: %q, %v", late, left, got, y.Crew.errands)
				}
				stop()
				synctest.Wait()
			})
		}
	}
}

// Another crew takes a session up again while this one looks what was left there: it has left
// nothing, and nobody is warned.
func TestA3_WhatAnotherCrewHasTakenUpAgain(t *testing.T) {
	at(t, 4, func(y *yard) {
		now := stillOpen
		y.left = func(context.Context, string) (found leaving) { y.locked(func() { found = now }); return found }
		y.locked(func() { y.fail[id(1)] = &session.InUse{ID: id(1)} })
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Second)
		y.locked(func() { delete(y.duties, id(1)) }) // the other one has run the call
		time.Sleep(time.Minute)
		if got := y.Problem(id(1)); got != "" || y.warned() != 0 || idle(y.Crew) {
			t.Errorf("%q, %d warnings, %v", got, y.warned(), y.errands)
		}
		y.locked(func() { now = leftNothing })
		time.Sleep(sweepEvery)
		synctest.Wait()
		if y.count() != 1 || y.warned() != 0 || !idle(y.Crew) {
			t.Error(y.ran(), y.warned(), y.errands)
		}
	})
}
