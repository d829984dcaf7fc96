package crew

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A crew that is drained begins nothing more, and what it has begun may take as long as it
// takes; unless it is stopped meanwhile, which ends it: it has had its time.
func TestA3_ACrewThatIsDrained(t *testing.T) {
	for _, test := range []struct {
		stopped, takes time.Duration
		left           string
	}{
		{0, time.Hour, ""},
		{time.Minute, time.Minute, id(1)},
	} {
		synctest.Test(t, func(t *testing.T) {
			y := newYard(t, 2)
			y.takes = time.Hour
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- y.Work(ctx) }()
			synctest.Wait()
			y.answer(id(1), duty{print: "a"})
			synctest.Wait()
			began := time.Now()
			y.Drain()
			y.Drain() // once more does no harm
			synctest.Wait()
			y.answer(id(2), duty{print: "a"})
			if test.stopped > 0 {
				time.Sleep(test.stopped)
				cancel()
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took != test.takes || y.ran() != "1 0" {
				t.Errorf("it took %v, %s", took, y.ran())
			}
			if got := strings.Join(y.notes.all(), " "); got != test.left {
				t.Errorf("left %q", got)
			}
		})
	}
}

// What a run has to record at its end it may wait for a while only where the crew goes, so that a
// database that does not answer keeps nobody longer than was promised, and one that is slow has most of
// that time.
func TestD8_ACrewThatGoesDoesNotWaitForTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		y, s := newYard(t, 1), newShelf()
		y.ledger = s
		y.Crew.run = func(ctx context.Context, _ string) error {
			<-ctx.Done()
			select { // how it ended is to be recorded
			case <-s.hurried.Done():
			case <-time.After(time.Hour):
			}
			return ctx.Err()
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- y.Work(ctx) }()
		synctest.Wait()
		y.answer(id(1), duty{print: "a"})
		synctest.Wait()
		y.Drain()
		synctest.Wait()
		began := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != lastWords || took < 5*time.Second || took >= 9*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// A session that cannot go on here is asked about once, and nobody is told anything. What its
// tickets say later is asked about again.
func TestA3_ASessionThatCannotGoOnHere(t *testing.T) {
	at(t, 4, func(y *yard) {
		asked := 0
		serves := y.Crew.serves
		y.Crew.serves = func(ctx context.Context, id string) (bool, error) {
			y.locked(func() { asked++ })
			return serves(ctx, id)
		}
		y.locked(func() { y.elsewhere[id(1)], y.held[id(1)] = true, true })
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Hour)
		synctest.Wait()
		y.locked(func() {
			if asked != 1 || len(y.runs) != 0 || len(y.told) != 0 || y.warnings != 0 {
				t.Errorf("asked %d times, ran %q, told %q, %d warnings", asked, y.runs, y.told, y.warnings)
			}
		})
		if got := y.Problem(id(1)); got != "" || len(y.notes.all()) != 0 {
			t.Error(got, y.notes.all())
		}
		y.locked(func() { delete(y.elsewhere, id(1)); delete(y.held, id(1)) })
		y.answer(id(1), duty{print: "b"})
		synctest.Wait()
		if got := y.ran(); got != "1 3600" {
			t.Error(got)
		}
		y.locked(func() { y.elsewhere[id(2)] = true })
		y.answer(id(2), duty{print: "a"})
		synctest.Wait()
		y.locked(func() { delete(y.duties, id(2)) }) // others have acted on it
		time.Sleep(2 * sweepEvery)
		synctest.Wait()
		if len(y.errands) != 0 {
			t.Errorf("remembered for ever: %v", y.errands)
		}
	})
}

// Where nobody can say whether a session can go on here, people are told, and it is asked
// again.
func TestA3_NobodyKnowsWhetherASessionCanGoOnHere(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.locked(func() { y.unsure = errors.New("the labels cannot be read") })
		y.answer(id(1), duty{print: "a"})
		time.Sleep(time.Second)
		if got := y.Problem(id(1)); y.count() != 0 || y.warned() != 1 || got != "the labels cannot be read" {
			t.Error(y.ran(), y.warned(), got)
		}
		y.locked(func() { y.unsure = nil })
		time.Sleep(firstRest)
		synctest.Wait()
		if got := y.ran(); got != "1 5" || y.Problem(id(1)) != "" {
			t.Error(got, y.Problem(id(1)))
		}
	})
}
