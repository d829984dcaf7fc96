package approval

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// PostgreSQL numbers a change when it is written, and shows it when its transaction is over:
// one with a lower number may turn up later. So numbers that were skipped are looked for
// again, for a while: that of a transaction which was given up is skipped for ever, as are
// those of tickets that were forgotten.

const (
	// patience is how long a number that was skipped is looked for. No transaction takes that
	// long.
	patience = 10 * time.Second
	// maxGaps is how many places are looked at. There are no more than changes are being made
	// at the same time, unless many were forgotten.
	maxGaps = 1024
)

// gap is numbers in a row that were skipped.
type gap struct {
	first, last int64
	until       time.Time
}

// progress is how far somebody was told changes.
type progress struct {
	// after is the highest number of them, and gaps those below it in which something may turn
	// up, the lowest first.
	after int64
	gaps  []gap
	// inOrder: nothing turns up there, because changes are shown in the order of their numbers.
	inOrder bool
}

// take takes over what is told next, and notes in it how far that is.
func (p *progress) take(list []Change, now time.Time) {
	p.gaps = slices.DeleteFunc(p.gaps, func(one gap) bool { return !one.until.After(now) })
	for i, c := range list {
		switch {
		case c.Serial <= p.after:
			p.fill(c.Serial)
		case c.Serial > p.after+1 && !p.inOrder:
			p.gaps = append(p.gaps, gap{p.after + 1, c.Serial - 1, now.Add(patience)})
		}
		p.after = max(p.after, c.Serial)
		list[i].Resume = p.complete()
	}
	if more := len(p.gaps) - maxGaps; more > 0 { // the lowest are the oldest
		p.gaps = slices.Delete(p.gaps, 0, more)
	}
}

// complete is the number up to which everything was told.
func (p *progress) complete() int64 {
	if len(p.gaps) > 0 {
		return p.gaps[0].first - 1
	}
	return p.after
}

// fill takes a number out that has turned up.
func (p *progress) fill(serial int64) {
	for i, one := range p.gaps {
		if serial < one.first || serial > one.last {
			continue
		}
		var left []gap
		if one.first < serial {
			left = append(left, gap{one.first, serial - 1, one.until})
		}
		if serial < one.last {
			left = append(left, gap{serial + 1, one.last, one.until})
		}
		p.gaps = slices.Replace(p.gaps, i, i+1, left...)
		return
	}
}

// together is how many gaps are asked for with one text, which the database remembers.
const together = 16

func inGaps() string {
	var all []string
	for i := range together {
		all = append(all, "serial BETWEEN $"+strconv.Itoa(2*i+1)+" AND $"+strconv.Itoa(2*i+2))
	}
	return "SELECT " + changeColumns + " FROM history WHERE " + strings.Join(all, " OR ") + " ORDER BY serial"
}

// late is what has turned up in gaps.
func (s *Store) late(ctx context.Context, gaps []gap) ([]Change, error) {
	var all []Change
	for some := range slices.Chunk(gaps, together) {
		args := make([]any, 0, 2*together)
		for _, one := range some {
			args = append(args, one.first, one.last)
		}
		for len(args) < 2*together { // where nothing is
			args = append(args, int64(0), int64(0))
		}
		list, err := readChanges(s.reads().QueryContext(ctx, inGaps(), args...))
		if err != nil {
			return nil, s.db.Explain(err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// inOrder: changes are shown in the order of their numbers.
func (s *Store) inOrder() bool { return s.db.Kind() == database.SQLite }

// before is how far back a change that is being made may have its number.
const before = 1000

// Settled is a serial number for whoever looks at the tickets now and follows after it: what
// is not to be seen yet is told then. Something that is to be seen may be told as well.
func (s *Store) Settled(ctx context.Context) (int64, error) {
	latest, err := s.Latest(ctx)
	if err != nil || s.inOrder() {
		return latest, err
	}
	lowest, err := s.firstGap(ctx, max(0, latest-before), latest)
	if err != nil || lowest > latest {
		return latest, s.db.Explain(err)
	}
	// Whoever writes a change holds this until it can be seen.
	var writing bool
	err = s.reads().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND relation = 'history'::regclass AND mode = 'RowExclusiveLock')").Scan(&writing)
	if writing {
		latest = lowest - 1
	}
	return latest, s.db.Explain(err)
}

// firstGap is the lowest number after one, and up to another, that no change has; one more
// than the last when there is none.
func (s *Store) firstGap(ctx context.Context, after, last int64) (int64, error) {
	rows, err := s.reads().QueryContext(ctx, "SELECT serial FROM history WHERE serial > $1 AND serial <= $2 ORDER BY serial", after, last)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	lowest := after + 1
	for rows.Next() {
		var serial int64
		if err := rows.Scan(&serial); err != nil {
			return 0, err
		}
		if serial != lowest {
			return lowest, nil
		}
		lowest++
	}
	return lowest, rows.Err()
}
