package crew

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
)

// undoTime is how long an answer can be taken back here.
const undoTime = 5 * time.Second

// yard is a crew over tickets that are only a map, in time that passes by itself.
type yard struct {
	*Crew
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
	// elsewhere are the sessions that cannot go on here, and unsure is why nobody can say so.
	elsewhere map[string]bool
	unsure    error
}

func newYard(t *testing.T, most int) *yard {
	y := &yard{t: t, start: time.Now(), duties: map[string]duty{}, open: map[string]int{}, fail: map[string]error{}, held: map[string]bool{}, elsewhere: map[string]bool{}}
	y.Crew = &Crew{
		most: most, heard: make(chan struct{}, 1), errands: map[string]*errand{}, notes: &notebook{dir: t.TempDir()}, drained: make(chan struct{}), now: time.Now,
		run: y.run, serves: y.serves, look: y.look, mark: func(context.Context) error { return nil }, sweep: y.sweep, stock: func(context.Context) ([]string, error) { return nil, nil },
		held: func(id string) (held bool) { y.locked(func() { held = y.held[id] }); return held }, gone: func(ids []string) (gone []string) {
			y.locked(func() {
				if y.removed {
					gone = ids
				}
			})
			return gone
		},
		sessionOf: func(_ context.Context, ticket string) (_ string, _ time.Time, err error) {
			y.locked(func() {
				if y.busy {
					err = errors.New("the database is locked")
				}
			})
			return ticket, y.duty(ticket).from, err
		},
		tell:        func(id, state string) { y.locked(func() { y.told = append(y.told, id[:1]+" "+state) }) },
		interrupted: func(id string) { y.locked(func() { y.told = append(y.told, id[:1]+" interrupted") }) },
		warn:        func(string, string, error) { y.locked(func() { y.warnings++ }) },
	}
	return y
}

func (y *yard) locked(f func()) { y.mu.Lock(); defer y.mu.Unlock(); f() }

func (y *yard) duty(id string) (d duty) { y.locked(func() { d = y.duties[id] }); return d }

func (y *yard) look(_ context.Context, id string) (duty, error) { return y.duty(id), nil }

func (y *yard) serves(_ context.Context, id string) (serves bool, err error) {
	y.locked(func() { serves, err = !y.elsewhere[id], y.unsure })
	return serves, err
}

func (y *yard) sweep(ctx context.Context) (map[string]duty, error) {
	if err := y.mark(ctx); err != nil {
		return nil, err
	}
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
	atShared(t, most, func(y *yard, _ *shelf) { y.ledger = nil }, func(y *yard, _ *shelf) { do(y) })
}

// atShared runs a crew in a bubble that shares its sessions with others.
func atShared(t *testing.T, most int, prepare, do func(*yard, *shelf)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		y, s := newYard(t, most), newShelf()
		y.ledger = s
		prepare(y, s)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- y.Work(ctx) }()
		synctest.Wait()
		do(y, s)
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
