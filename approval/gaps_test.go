package approval

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

func serials(numbers ...int64) []Change {
	var list []Change
	for _, n := range numbers {
		list = append(list, Change{Serial: n})
	}
	return list
}

// Numbers that were skipped are remembered for a while, and with what number somebody comes
// back who was told so far.
func TestA5_NumbersThatWereSkipped(t *testing.T) {
	now := time.Now()
	p := progress{after: 3}
	for _, step := range []struct {
		what   string
		list   []Change
		after  time.Duration
		gaps   string
		resume []int64
	}{
		{"nothing is skipped", serials(4, 5), 0, "[]", []int64{4, 5}},
		{"three are", serials(9), 0, "[6-8]", []int64{5}},
		{"and one more", serials(10, 12), time.Second, "[6-8 11-11]", []int64{5, 5}},
		{"one in the middle turns up", serials(7), time.Second, "[6-6 8-8 11-11]", []int64{5}},
		{"the first, and another one", serials(6, 11), time.Second, "[8-8]", []int64{7, 7}},
		{"nobody waits for ever", serials(13), patience, "[]", []int64{13}},
		{"a long gap", serials(100), 0, "[14-99]", []int64{13}},
		{"its ends", serials(14, 99), 0, "[15-98]", []int64{14, 14}},
	} {
		now = now.Add(step.after)
		p.take(step.list, now)
		var gaps []string
		for _, one := range p.gaps {
			gaps = append(gaps, fmt.Sprintf("%d-%d", one.first, one.last))
		}
		var resume []int64
		for _, c := range step.list {
			resume = append(resume, c.Resume)
		}
		if fmt.Sprint(gaps) != step.gaps || !slices.Equal(resume, step.resume) {
			t.Errorf("%s: %v, resume %v", step.what, gaps, resume)
		}
	}
	ordered := progress{inOrder: true}
	ordered.take(serials(2, 9), now)
	if len(ordered.gaps) > 0 || ordered.after != 9 {
		t.Errorf("%+v", ordered)
	}
	many := progress{}
	for n := range int64(2 * maxGaps) {
		many.take(serials(2*n+2), now)
	}
	if len(many.gaps) != maxGaps || many.gaps[maxGaps-1].last != 4*maxGaps-1 {
		t.Errorf("%d gaps", len(many.gaps))
	}
}

// A change that takes longer turns up after one with a higher number. Whoever follows is told
// of it, and whoever looks at the tickets meanwhile follows from before it.
func TestA5_AChangeThatTakesLonger(t *testing.T) {
	c := newServerStore(t)
	slow, other := c.park(deploy("slow")), c.other(t)
	settled, err := c.Settled(t.Context())
	must(t, err)
	c.Also(func(_ context.Context, _ *database.Tx, one Ticket, _ State) ([]database.Change, error) {
		if one.ID != slow.ID {
			return nil, nil
		}
		return []database.Change{{Text: "SELECT pg_advisory_xact_lock($1)", Args: []any{gate}}}, nil
	})
	goOn := shut(t, other)
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	told := make(chan Change, 10)
	ended := make(chan error, 1)
	go func() {
		ended <- other.Follow(ctx, settled, nil, func(list []Change) {
			for _, one := range list {
				told <- one
			}
		})
	}()
	next := func() Change {
		select {
		case one := <-told:
			return one
		case err := <-ended:
			t.Fatalf("nothing more was told: %v", err)
		}
		return Change{}
	}
	cancelled := make(chan error, 1)
	go func() { cancelled <- c.Cancel(t.Context(), slow.ID, "me", "") }()
	waitUntil(t, other, "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
	fast, err := other.Park(t.Context(), Parking{Call: deploy("fast")})
	must(t, err)
	first := next()
	if first.Ticket != fast.ID || first.Resume != settled || first.Serial <= settled+1 {
		t.Errorf("%+v", first)
	}
	if now, err := other.Settled(t.Context()); err != nil || now != settled {
		t.Errorf("%d, and it was %d: %v", now, settled, err)
	}
	past, err := other.Recall(t.Context(), settled)
	must(t, err)
	if list, err := past.Next(t.Context(), 10); err != nil || len(list) != 1 || list[0].Resume != settled || past.Settled != settled {
		t.Errorf("%+v, %v", list, err)
	}
	goOn()
	must(t, <-cancelled)
	if second := next(); second.Ticket != slow.ID || second.Serial >= first.Serial || second.Resume != first.Serial {
		t.Errorf("%+v after %+v", second, first)
	}
	if now, err := other.Settled(t.Context()); err != nil || now != first.Serial {
		t.Errorf("%d, %v", now, err)
	}
	stop()
	must(t, <-ended)
}

// gate is where a transaction waits that has written its row of history.
const gate = 77

// shut keeps others from going through the gate, until it is opened.
func shut(t *testing.T, s *Store) (open func()) {
	t.Helper()
	tx, err := s.db.Writer().BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), "SELECT pg_advisory_xact_lock($1)", gate)
	must(t, err)
	return func() { must(t, tx.Rollback()) }
}

// waitUntil waits until the database counts something.
func waitUntil(t *testing.T, s *Store, counts string) {
	t.Helper()
	for n := 0; n == 0; {
		must(t, s.db.Reads().QueryRowContext(t.Context(), counts).Scan(&n))
	}
}

// A number that was given and is not used keeps nobody waiting.
func TestA5_AChangeThatWasGivenUp(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		c.park(deploy("s1"))
		c.Also(func(_ context.Context, _ *database.Tx, one Ticket, _ State) ([]database.Change, error) {
			if one.Session != "bad" {
				return nil, nil
			}
			return []database.Change{{Text: "INSERT INTO noes (session, call, at, answer) VALUES ($1, $1, 0, NULL)", Args: []any{"bad"}}}, nil
		})
		if _, err := c.Park(t.Context(), Parking{Call: deploy("bad")}); err == nil {
			t.Fatal("parked")
		}
		c.park(deploy("s2"))
		latest, err := c.Latest(t.Context())
		must(t, err)
		if settled, err := c.Settled(t.Context()); err != nil || settled != latest {
			t.Errorf("%d of %d, %v", settled, latest, err)
		}
	})
}
