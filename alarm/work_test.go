package alarm

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// Bells ring at their time: not before it, and not long after.
func TestBellsRingAtTheirTime(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		b.work(b.done)
		start := time.Now()
		after := map[string]time.Duration{"past": -time.Hour, "next": 1500 * time.Millisecond, "scheduled": 7 * time.Second}
		for ticket, d := range after {
			b.set(Bell{Kind: "look", Ticket: ticket, At: start.Add(d)})
		}
		for range after {
			it := b.next(12 * time.Second)
			late := time.Since(start.Add(max(0, after[it.Ticket])))
			t.Logf("%s rings %s after its time", it.Ticket, late)
			if late < -10*time.Millisecond || late > 2*time.Second {
				t.Errorf("%s rings %s after its time", it.Ticket, late)
			}
		}
		b.silent()
	})
}

// A bell that was heard in vain rings again, as late as it was said, and in the end no more.
func TestAgain(t *testing.T) {
	for name, vain := range map[string]func() Outcome{
		"when it is said":   func() Outcome { return Again{After: 300 * time.Millisecond, Why: errors.New("not yet")} },
		"after a panic":     func() Outcome { panic("oh") },
		"without an answer": func() Outcome { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, address string) {
				b := on(t, address)
				b.work(func(_ context.Context, it Bell) Outcome {
					b.heard <- it
					if it.Try < 1 {
						return vain()
					}
					return Done{}
				})
				b.set(Bell{Kind: "look", Ticket: "a", Arg: "b"})
				var last time.Time
				for try := range 2 {
					it := b.next(10 * time.Second)
					if it.Ticket != "a" || it.Arg != "b" || it.Try != try {
						t.Errorf("%+v at try %d", it, try)
					}
					if since := time.Since(last); try > 0 && since < 290*time.Millisecond {
						t.Errorf("again after %s", since)
					}
					last = time.Now()
				}
				b.silent()
			})
		})
	}
}

func TestWaitsGrow(t *testing.T) {
	for _, c := range []struct {
		try  int
		want time.Duration
	}{{0, time.Second}, {1, 2 * time.Second}, {2, 4 * time.Second}, {8, 256 * time.Second}, {9, 5 * time.Minute}, {100_000, 5 * time.Minute}} {
		for range 20 {
			if got := (Again{}).wait(c.try); got < c.want || got > c.want+c.want/4 {
				t.Errorf("try %d: %s", c.try, got)
			}
		}
	}
	if got := (Again{After: time.Hour}).wait(3); got != time.Hour {
		t.Errorf("%s", got)
	}
}

// When the context ends, bells that are being heard are heard to their end, and no more begin.
func TestDrain(t *testing.T) {
	alone(t, func(t *testing.T, address string) {
		b := on(t, address)
		goOn := make(chan struct{})
		var done atomic.Bool
		end := b.workAlone(func(ctx context.Context, it Bell) Outcome {
			b.heard <- it
			<-goOn
			if ctx.Err() == nil {
				done.Store(true)
			}
			return Done{}
		})
		b.set(Bell{Kind: "look", Ticket: "a"})
		b.next(5 * time.Second)
		time.AfterFunc(500*time.Millisecond, func() { close(goOn) })
		end()
		if !done.Load() {
			t.Error("it was not waited for")
		}
		b.set(Bell{Kind: "look", Ticket: "b"})
		b.pending(Count{"look", Waiting, 1})
	})
}

// Whoever does not come to an end in time is told to, and the bell rings again.
func TestDrainIsNotWaitedForLong(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		end := b.work(func(ctx context.Context, it Bell) Outcome {
			b.heard <- it
			<-ctx.Done()
			return Again{Why: ctx.Err()}
		})
		b.set(Bell{Kind: "look", Ticket: "a"})
		b.next(5 * time.Second)
		start := time.Now()
		end()
		if took := time.Since(start); took > drain {
			t.Errorf("%s", took)
		}
		b.pending(Count{"look", Waiting, 1})
	})
}

// Bells of a kind that nobody hears wait.
func TestOtherKindsWait(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		b.work(b.done)
		b.set(Bell{Kind: "future", Ticket: "a"}, Bell{Kind: "look", Ticket: "b"})
		if it := b.next(5 * time.Second); it.Ticket != "b" {
			t.Errorf("%+v", it)
		}
		b.pending(Count{"future", Waiting, 1})
	})
}

func TestWorkNeedsSomebodyWhoHears(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		if err := on(t, address).Work(t.Context(), Config{}); err == nil {
			t.Error("no error")
		}
	})
}

// A server that is started again in the middle stops nothing for good.
func TestBellsOutliveTheServer(t *testing.T) {
	s := testpostgres.Start(t, testpostgres.Quick)
	b := on(t, s.Database(t))
	b.workAlone(b.done)
	b.set(Bell{Kind: "look", Ticket: "before"})
	b.next(5 * time.Second)
	b.set(Bell{Kind: "look", Ticket: "during", At: time.Now().Add(time.Second)})
	s.Kill(t)
	s.Again(t)
	for n := range 5 {
		b.set(Bell{Kind: "look", Ticket: fmt.Sprint("after ", n)})
	}
	start := time.Now()
	seen := map[string]bool{}
	for len(seen) < 6 {
		seen[b.next(30*time.Second).Ticket] = true
	}
	t.Logf("all were heard %s after the server was back", time.Since(start))
}

// Nobody sets bells where nothing can be written.
func TestOnlyLooking(t *testing.T) {
	b := on(t, t.TempDir()+"/bells.db")
	name := b.db.Name()
	if err := b.db.Close(); err != nil {
		t.Fatal(err)
	}
	why := errors.New("the disk is full")
	db, err := database.Look(name, why, func(*database.DB) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := On(t.Context(), db); !errors.Is(err, why) {
		t.Error(err)
	}
}
