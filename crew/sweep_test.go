package crew

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/session"
)

// Looking through many tickets takes its time, and no answer waits for it.
func TestA3_ALongSweepHindersNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 1)
		swept := 0
		y.Crew.sweep = func(ctx context.Context) (map[string]duty, error) {
			if swept++; swept > 1 {
				pause(ctx, time.Hour)
			}
			return nil, ctx.Err()
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- y.Work(ctx) }()
		time.Sleep(sweepEvery + time.Second)
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Second)
		synctest.Wait()
		if got := y.ran(); got != "1 6" {
			t.Errorf("%q", got)
		}
		cancel()
		<-done
	})
}

// The session of an answer cannot be found for a moment, while it runs: a sweep finds nothing
// new there afterwards, so it must be remembered.
func TestA3_AnAnswerWhoseSessionCannotBeFoundAtOnce(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.takes = 2 * time.Second
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Second)
		y.locked(func() { y.busy = true })
		y.answer(id(1), duty{print: "b"})
		time.Sleep(4 * sweepEvery)
		if y.warned() == 0 {
			t.Error("nobody is told")
		}
		y.locked(func() { y.busy = false })
		time.Sleep(sweepEvery)
		synctest.Wait()
		if got := y.ran(); !strings.HasPrefix(got, "1 0, 1 2") || y.count() != 2 {
			t.Errorf("runs %q", got)
		}
	})
}

// What a person has open in a terminal and leaves in the middle of a turn is theirs.
func TestA3_WhatAPersonHasInterruptedStaysSo(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = fmt.Errorf("launch: %w", &session.InUse{ID: id(1), PID: 4711, Host: "h"})
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Second)
		y.locked(func() { delete(y.duties, id(1)) }) // the terminal has run the call
		time.Sleep(time.Minute)
		if all := y.notes.all(); len(all) > 0 {
			t.Errorf("noted: %v", all)
		}
		y.locked(func() { delete(y.fail, id(1)) }) // and has gone
		before := y.count()
		time.Sleep(time.Minute)
		if n := y.count() - before; n > 0 {
			t.Errorf("the server goes on with it: %d", n)
		}
	})
}

// What this server has begun is its own, also if somebody has opened the session since.
func TestA3_WhatTheServerHasBegunStaysItsOwn(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = errors.New("there is no model to ask")
		y.answer(id(1), duty{print: "a"})
		synctest.Wait()
		y.locked(func() {
			delete(y.duties, id(1)) // the call ran
			y.fail[id(1)] = &session.InUse{ID: id(1), PID: 4711, Host: "h"}
		})
		time.Sleep(time.Minute)
		synctest.Wait() // it may be tried at this very moment
		if all := y.notes.all(); len(all) != 1 {
			t.Errorf("noted: %v", all)
		}
		y.locked(func() { delete(y.fail, id(1)) })
		before := y.count()
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := y.count() - before; n != 1 {
			t.Errorf("it goes on %d times", n)
		}
	})
}

// Somebody keeps a session open for hours: that is told once, and looked at quietly.
func TestA3_ASessionThatStaysOpenElsewhereIsToldOnce(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = &session.InUse{ID: id(1), PID: 4711, Host: "h"}
		y.held[id(1)] = true
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Hour)
		synctest.Wait()
		if y.count() != 1 || strings.Join(y.told, ", ") != "1 running" || !strings.Contains(y.Problem(id(1)), "4711") {
			t.Error(y.ran(), y.told, y.Problem(id(1)))
		}
		y.locked(func() { delete(y.fail, id(1)); delete(y.held, id(1)) })
		time.Sleep(sweepEvery)
		synctest.Wait()
		if y.count() != 2 || y.Problem(id(1)) != "" {
			t.Error(y.ran(), y.Problem(id(1)))
		}
	})
}

// An answer that was taken back delays no other.
func TestA3_AnAnswerThatWasTakenBackDelaysNoOther(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.answer(id(1), duty{print: "a", from: time.Now().Add(undoTime)})
		time.Sleep(time.Second)
		y.locked(func() { delete(y.duties, id(1)) })
		y.Forgive(id(1))
		synctest.Wait()
		y.answer(id(1), duty{print: "b"})
		synctest.Wait()
		if got := y.ran(); got != "1 1" {
			t.Error(got)
		}
		// But one that may still be taken back does, whoever has not waited for it.
		y.answer(id(2), duty{print: "a", from: time.Now().Add(undoTime)})
		y.Forgive(id(2))
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 1, 2 6" {
			t.Error(got)
		}
	})
}

// Where nobody says that an answer was taken back, because it was given at another process, the next
// one delays nothing either. One that may still be taken back does, in whichever call of the session.
func TestA3_AnAnswerAfterOneThatWasTakenBackElsewhere(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.answer(id(1), duty{print: "a", from: time.Now().Add(undoTime)})
		time.Sleep(time.Second)
		y.answer(id(1), duty{print: "b"})
		synctest.Wait()
		if got := y.ran(); got != "1 1" {
			t.Error(got)
		}
		for n, how := range map[int]weight{2: spoken, 3: fresh, 4: noticed} {
			y.answer(id(n), duty{print: "a", from: time.Now().Add(undoTime)})
			synctest.Wait()
			y.want(id(n), time.Time{}, how) // another call of it was answered for good
			y.nudge()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 1, 2 6, 3 6, 4 6" {
			t.Error(got)
		}
	})
}

// Why a session did not go on is not said any more when somebody else has gone on with it.
func TestA3_AProblemThatSomebodyElseHasSolved(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = errors.New("there is no model to ask")
		y.answer(id(1), duty{print: "a"})
		synctest.Wait()
		if y.Problem(id(1)) == "" {
			t.Error("nothing is said")
		}
		y.locked(func() { y.fail[id(1)] = ErrNothingLeft; delete(y.duties, id(1)) })
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.Problem(id(1)); got != "" || len(y.errands) != 0 {
			t.Error(got, y.errands)
		}
	})
}

// A session that has come to a bad end is not tried again, and says why.
func TestA3_ABadEnd(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = fmt.Errorf("%w: the limit of turns was reached", ErrOver)
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Second)
		y.locked(func() { delete(y.duties, id(1)) })
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := y.Problem(id(1)); y.count() != 1 || !strings.Contains(got, "the limit of turns") || len(y.notes.all()) != 0 || y.warned() != 1 {
			t.Error(y.ran(), got, y.notes.all(), y.warned())
		}
		y.locked(func() { y.removed = true })
		time.Sleep(2 * stockEvery)
		synctest.Wait()
		if len(y.errands) != 0 {
			t.Errorf("remembered for ever: %v", y.errands)
		}
	})
}

// What no ticket speaks of any more is not remembered for ever.
func TestA3_ErrandsAreForgotten(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = ErrNothingLeft
		y.answer(id(1), duty{print: "expired"})
		y.answer(id(2), duty{kind: toBeTold, print: "unknown"})
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(y.errands) != 2 || y.count() != 1 {
			t.Error(y.errands, y.ran())
		}
		y.locked(func() { clear(y.duties) }) // somebody removes the sessions
		time.Sleep(2 * sweepEvery)
		synctest.Wait()
		if len(y.errands) != 0 || y.Problem(id(2)) != "" {
			t.Error(y.errands, y.Problem(id(2)))
		}
	})
}
