package approval

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"time"
)

// Share prepares the store for many who read at once, beside the one who writes. A process
// that serves people does that; a command does not need it.
func (s *Store) Share(most int) error {
	db, err := sql.Open("sqlite", dsn(s.path, url.Values{"_pragma": {"busy_timeout(10000)", "query_only(1)"}}))
	if err != nil {
		return &Unusable{s.path, err}
	}
	db.SetMaxOpenConns(most + 1) // one is never given back, see hold
	db.SetMaxIdleConns(most)
	s.readers = &readers{db: db, kept: map[string]*sql.Stmt{}}
	if err := s.hold.settle(db); err != nil {
		return &Unusable{s.path, err}
	}
	return nil
}

// reads is where to read. A change that was acknowledged is seen there: it is in the log of
// the database then, and whoever begins to read looks there first.
func (s *Store) reads() querier {
	if s.readers != nil {
		return s.readers
	}
	return s.db
}

// Change is a row of the history of any ticket.
type Change struct {
	// Serial numbers all changes in their order.
	Serial int64
	Ticket string
	Event
}

// Changes are those after one, the oldest first, at most so many.
func (s *Store) Changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	rows, err := s.reads().QueryContext(ctx, "SELECT serial, ticket, at, was, became, fence, who, note FROM history WHERE serial > $1 ORDER BY serial LIMIT "+strconv.Itoa(limit), after)
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	var list []Change
	for rows.Next() {
		var c Change
		var at int64
		if err := rows.Scan(&c.Serial, &c.Ticket, &at, &c.From, &c.To, &c.Fence, &c.Who, &c.Note); err != nil {
			return nil, s.explain(err)
		}
		c.At = fromMicros(at)
		list = append(list, c)
	}
	return list, s.explain(rows.Err())
}

// Latest is the serial number of the last change, also if its ticket was forgotten since.
func (s *Store) Latest(ctx context.Context) (serial int64, err error) {
	err = s.reads().QueryRowContext(ctx, "SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'history'").Scan(&serial)
	return serial, s.explain(err)
}

// Follow tells every change after one, whoever makes it, in this process or another, until
// the context ends. wake is told that there may be something to see; without it the store
// looks by itself, often enough that nobody waits.
func (s *Store) Follow(ctx context.Context, after int64, wake <-chan struct{}, tell func([]Change)) error {
	const (
		interval = 100 * time.Millisecond
		most     = 1000
	)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	log := surface{path: s.path + "-wal"}
	for {
		list, err := s.Changes(ctx, after, most)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("changes of tickets cannot be followed: %w", err)
		}
		if len(list) > 0 {
			after = list[len(list)-1].Serial
			tell(list)
			continue
		}
		for moved := false; !moved; {
			select {
			case <-ctx.Done():
				return nil
			case <-wake:
				moved = true
			case <-tick.C:
				moved = log.moved(time.Now())
			}
		}
	}
}

// surface is the log of changes as it looks from outside: as long as nobody writes there,
// nobody needs to ask the database, which costs much more.
type surface struct {
	path          string
	size          int64
	written, last time.Time
}

// moved: something may be there since somebody looked last. A change is seen a little later
// than it is written, and the time of a file is not exact, so what was written a moment ago
// may still come. Now and then the answer is yes in any case.
func (l *surface) moved(now time.Time) bool {
	const settles, most = time.Second, 5 * time.Second
	size, written := int64(-1), time.Time{}
	if info, err := os.Stat(l.path); err == nil {
		size, written = info.Size(), info.ModTime()
	}
	same := size == l.size && written.Equal(l.written)
	if l.size, l.written = size, written; same && now.Sub(written) > settles && now.Sub(l.last) < most {
		return false
	}
	l.last = now
	return true
}
