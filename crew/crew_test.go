package crew

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/session"
)

func TestA3_ASessionGoesOnAtOnce(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.answer(id(1), duty{print: "a"})
		synctest.Wait()
		if got := y.ran(); got != "1 0" {
			t.Error(got)
		}
		// An answer of which nobody is told is found all the same, soon.
		y.locked(func() { y.duties[id(2)] = duty{kind: toGoOn, print: "b"} })
		time.Sleep(sweepEvery)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 2 5" {
			t.Error(got)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 2 5" || len(y.errands) != 0 || len(y.notes.all()) != 0 {
			t.Error(got, y.errands, y.notes.all())
		}
	})
}

func TestA3_OneRunOfASessionAndSoManyAtOnce(t *testing.T) {
	at(t, 2, func(y *yard) {
		y.takes = 10 * time.Second
		for n := range 5 {
			y.answer(id(n+1), duty{print: "a"})
		}
		synctest.Wait()
		time.Sleep(time.Second)
		y.answer(id(1), duty{print: "b"}) // while it runs
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 2 0, 3 10, 4 10, 1 20, 5 20" || y.most != 2 || y.again != 1 {
			t.Errorf("%s; %d at once, %d of one session", got, y.most, y.again)
		}
	})
}

func TestA3_AFailureIsShownAndRests(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = errors.New("there is no model to ask")
		y.answer(id(1), duty{print: "a"})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 1 5, 1 15, 1 35, 1 75, 1 155, 1 315" || y.Problem(id(1)) != "there is no model to ask" || y.warned() != 7 {
			t.Error(got, y.Problem(id(1)), y.warned())
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := y.count(); n > 7+13 {
			t.Errorf("%d runs in an hour", n)
		}
		// A new answer may be what it lacked.
		y.locked(func() { y.runs, y.fail = nil, map[string]error{} })
		y.answer(id(1), duty{print: "b"})
		synctest.Wait()
		if y.count() != 1 || y.Problem(id(1)) != "" {
			t.Error(y.ran(), y.Problem(id(1)))
		}
	})
}

func TestA3_ASessionOfAnotherProcess(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = fmt.Errorf("launch: %w", &session.InUse{ID: id(1), PID: 4711, Host: "h"})
		y.answer(id(1), duty{print: "a"})
		time.Sleep(12 * time.Second)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 1 5, 1 10" || !strings.Contains(y.Problem(id(1)), "4711") || y.warned() != 0 {
			t.Error(got, y.Problem(id(1)), y.warned())
		}
		y.locked(func() { y.fail[id(1)] = ErrNothingLeft; delete(y.duties, id(1)) })
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 1 5, 1 10" || y.Problem(id(1)) != "" { // who had it has done it
			t.Error(got, y.Problem(id(1)))
		}
	})
}

func TestA3_NobodyTriesTheSameTwice(t *testing.T) {
	at(t, 4, func(y *yard) {
		// The run ends well, and a ticket stays as it is: it needs a person after all.
		y.fail[id(1)] = ErrNothingLeft
		y.answer(id(1), duty{print: "expired"})
		// One whose outcome is unknown is not touched.
		y.answer(id(2), duty{kind: toBeTold, print: "unknown"})
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := y.ran(); got != "1 0" || y.Problem(id(2)) != unknownOutcome {
			t.Error(got, y.Problem(id(2)))
		}
		// Somebody has found out: no ticket says that there is something to do.
		y.locked(func() { delete(y.duties, id(2)) })
		y.hear([]word{{id(2), certain}})
		synctest.Wait()
		if got := y.ran(); got != "1 0, 2 3600" {
			t.Error(got)
		}
	})
}

// A crew has begun a session and died, and its call was marked as unknown before anybody saw in the
// transcript that it had come to its end. That is no person's word, and the session goes on.
func TestA3_WhatWasUnknownAndIsNotGoesOn(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.locked(func() { y.duties[id(1)] = duty{kind: toBeTold, print: "unknown"} })
		y.want(id(1), time.Time{}, certain) // as the notes say
		y.nudge()
		synctest.Wait()
		if got := y.ran(); got != "" || y.Problem(id(1)) != unknownOutcome {
			t.Error(got, y.Problem(id(1)))
		}
		y.locked(func() { delete(y.duties, id(1)) })
		y.hear([]word{{id(1), spoken}})
		synctest.Wait()
		if got := y.ran(); got != "1 0" || y.Problem(id(1)) != "" {
			t.Errorf("%q, %q", got, y.Problem(id(1)))
		}
	})
}

func TestA3_AnAnswerThatCanBeTakenBack(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.answer(id(1), duty{print: "a", from: time.Now().Add(undoTime)})
		y.answer(id(2), duty{print: "a", from: time.Now().Add(undoTime)})
		time.Sleep(4 * time.Second)
		y.locked(func() { delete(y.duties, id(2)) }) // taken back
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 5" {
			t.Error(got)
		}
	})
}

func TestA3_TheEndOfAServer(t *testing.T) {
	for takes, want := range map[time.Duration]string{8 * time.Second: "", time.Hour: id(1)} {
		synctest.Test(t, func(t *testing.T) {
			y := newYard(t, 1)
			y.takes = takes
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- y.Work(ctx) }()
			synctest.Wait() // what it finds when it starts has no order
			y.answer(id(1), duty{print: "a"})
			y.answer(id(2), duty{print: "a"})
			synctest.Wait()
			began := time.Now()
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > runsGrace || len(y.runs) != 1 {
				t.Errorf("it took %v, %s", took, y.ran())
			}
			// What was not ended is ended by the next server, whatever the tickets say.
			if got := strings.Join(y.notes.all(), " "); got != want {
				t.Errorf("left %q", got)
			}
			next := newYard(t, 1)
			next.notes = y.notes
			ctx, cancel = context.WithCancel(context.Background())
			go func() { done <- next.Work(ctx) }()
			synctest.Wait()
			cancel()
			<-done
			if (len(next.runs) > 0) != (want != "") || len(next.notes.all()) > 0 {
				t.Errorf("the next server: %s, left %v", next.ran(), next.notes.all())
			}
		})
	}
}

// Looking through many sessions takes its time, and nobody waits for it.
func TestA3_ALongStockHindersNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, 1)
		y.stock = func(ctx context.Context) ([]string, error) {
			select {
			case <-ctx.Done():
			case <-time.After(time.Hour):
			}
			return []string{id(2)}, nil
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- y.Work(ctx) }()
		y.answer(id(1), duty{print: "a"})
		synctest.Wait()
		if got := y.ran(); got != "1 0" {
			t.Error(got)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 2 3600" {
			t.Error(got)
		}
		cancel()
		<-done
	})
}

func TestA3_RestGrows(t *testing.T) {
	var all []time.Duration
	for n := range 9 {
		all = append(all, rest(n+1))
	}
	if all[0] != firstRest || !slices.IsSorted(all) || all[8] != longRest || rest(1<<30) != longRest {
		t.Error(all)
	}
}
