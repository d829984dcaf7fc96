package inbox

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/session"
)

// yard is a crew over tickets that are only a map, in time that passes by itself.
type yard struct {
	*crew
	t     *testing.T
	start time.Time

	mu     sync.Mutex
	duties map[string]duty
	runs   []string // "session second", in their order
	now, most,
	again int // how many run, did at most, and of one session at once
	open     map[string]int
	takes    time.Duration
	fail     map[string]error
	told     []string
	warnings int
	busy     bool // the tickets cannot be read
	held     map[string]bool
	removed  bool // there are no sessions any more
}

func newYard(t *testing.T, most int) *yard {
	y := &yard{t: t, start: time.Now(), duties: map[string]duty{}, open: map[string]int{}, fail: map[string]error{}, held: map[string]bool{}}
	y.crew = &crew{
		most: most, heard: make(chan struct{}, 1), errands: map[string]*errand{}, notes: notebook{t.TempDir()}, now: time.Now,
		run: y.run, look: y.look, sweep: y.sweep, stock: func(context.Context) ([]string, error) { return nil, nil },
		held: func(id string) (held bool) { y.locked(func() { held = y.held[id] }); return held }, gone: func(string) (gone bool) { y.locked(func() { gone = y.removed }); return gone },
		sessionOf: func(_ context.Context, ticket string) (_ string, _ time.Time, err error) {
			y.locked(func() {
				if y.busy {
					err = errors.New("the database is locked")
				}
			})
			return ticket, y.duty(ticket).from, err
		},
		tell: func(id, state string) { y.locked(func() { y.told = append(y.told, id[:1]+" "+state) }) },
		warn: func(string, string, error) { y.locked(func() { y.warnings++ }) },
	}
	return y
}

func (y *yard) locked(f func()) { y.mu.Lock(); defer y.mu.Unlock(); f() }

func (y *yard) duty(id string) (d duty) { y.locked(func() { d = y.duties[id] }); return d }

func (y *yard) look(_ context.Context, id string) (duty, error) { return y.duty(id), nil }

func (y *yard) sweep(context.Context) (map[string]duty, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	return maps.Clone(y.duties), nil
}

func (y *yard) run(ctx context.Context, id string) error {
	had := y.duty(id).print
	y.locked(func() {
		y.runs = append(y.runs, fmt.Sprintf("%s %.0f", id[:1], time.Since(y.start).Seconds()))
		y.now++
		y.open[id]++
		y.most, y.again = max(y.most, y.now), max(y.again, y.open[id])
	})
	var err error
	select {
	case <-time.After(y.takes):
	case <-ctx.Done():
		err = ctx.Err()
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	y.now--
	y.open[id]--
	if err == nil {
		err = y.fail[id]
	}
	if err == nil && y.duties[id].print == had { // what was said meanwhile is for the next run
		delete(y.duties, id)
	}
	return err
}

// answer is somebody's answer in a session, of which the crew hears at once.
func (y *yard) answer(id string, d duty) {
	d.kind = max(d.kind, toGoOn)
	y.locked(func() { y.duties[id] = d })
	y.hear([]word{{id, spoken}})
}

// ran are the runs: those of a second by the names of their sessions.
func (y *yard) ran() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	all := slices.Clone(y.runs)
	slices.SortStableFunc(all, func(a, b string) int {
		if a[1:] == b[1:] {
			return strings.Compare(a, b)
		}
		return 0
	})
	return strings.Join(all, ", ")
}

func (y *yard) count() (n int) { y.locked(func() { n = len(y.runs) }); return n }

func (y *yard) warned() (n int) { y.locked(func() { n = y.warnings }); return n }

// at runs a crew in a bubble.
func at(t *testing.T, most int, do func(*yard)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		y := newYard(t, most)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- y.work(ctx) }()
		synctest.Wait()
		do(y)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if y.now != 0 || y.running != 0 {
			t.Errorf("%d runs are left, %d as the crew counts", y.now, y.running)
		}
	})
}

func id(n int) string { return fmt.Sprintf("%x0000000-0000-4000-8000-000000000000", n) }

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
		if got := y.ran(); got != "1 0, 1 5, 1 15, 1 35, 1 75, 1 155, 1 315" || y.trouble(id(1)) != "there is no model to ask" || y.warned() != 7 {
			t.Error(got, y.trouble(id(1)), y.warned())
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
		if y.count() != 1 || y.trouble(id(1)) != "" {
			t.Error(y.ran(), y.trouble(id(1)))
		}
	})
}

func TestA3_ASessionOfAnotherProcess(t *testing.T) {
	at(t, 4, func(y *yard) {
		y.fail[id(1)] = fmt.Errorf("launch: %w", &session.InUse{ID: id(1), PID: 4711, Host: "h"})
		y.answer(id(1), duty{print: "a"})
		time.Sleep(12 * time.Second)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 1 5, 1 10" || !strings.Contains(y.trouble(id(1)), "4711") || y.warned() != 0 {
			t.Error(got, y.trouble(id(1)), y.warned())
		}
		y.locked(func() { y.fail[id(1)] = ErrNothingLeft; delete(y.duties, id(1)) })
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := y.ran(); got != "1 0, 1 5, 1 10" || y.trouble(id(1)) != "" { // who had it has done it
			t.Error(got, y.trouble(id(1)))
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
		if got := y.ran(); got != "1 0" || y.trouble(id(2)) != unknownOutcome {
			t.Error(got, y.trouble(id(2)))
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
			go func() { done <- y.work(ctx) }()
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
			go func() { done <- next.work(ctx) }()
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
		go func() { done <- y.work(ctx) }()
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
