package approval

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Change is a row of the history of any ticket.
type Change struct {
	// Serial numbers all changes. Where many machines share the tickets, a change may turn up
	// after one with a higher number, because it took longer.
	Serial int64
	// Resume is the number after which whoever was told this change, and those before it, asks
	// for the others: nothing is missed then, and something may be told again.
	Resume int64
	Ticket string
	Event
}

const changeColumns = "serial, ticket, at, was, became, fence, who, note, kind"

// Recall reads changes of the past, part by part, for whoever is told what happens from now
// on as well.
type Recall struct {
	store *Store
	after int64
	// Settled is the number up to which all are read. Those beyond it may be told once more as
	// they happen.
	Settled int64
}

// Recall begins to read the changes after one.
func (s *Store) Recall(ctx context.Context, after int64) (*Recall, error) {
	settled, err := s.Settled(ctx)
	return &Recall{store: s, after: after, Settled: max(after, settled)}, err
}

// Next is those that come next and are there by now, the oldest first, at most so many.
func (r *Recall) Next(ctx context.Context, limit int) ([]Change, error) {
	list, err := r.store.changes(ctx, r.after, limit)
	for i, c := range list {
		if r.after, list[i].Resume = c.Serial, c.Serial; !r.store.inOrder() {
			list[i].Resume = min(c.Serial, r.Settled)
		}
	}
	return list, err
}

func (s *Store) changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	list, err := readChanges(s.reads().QueryContext(ctx, "SELECT "+changeColumns+" FROM history WHERE serial > $1 ORDER BY serial LIMIT "+strconv.Itoa(limit), after))
	return list, s.db.Explain(err)
}

func readChanges(rows *sql.Rows, err error) ([]Change, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Change
	for rows.Next() {
		var c Change
		var at int64
		if err := rows.Scan(&c.Serial, &c.Ticket, &at, &c.From, &c.To, &c.Fence, &c.Who, &c.Note, &c.Kind); err != nil {
			return nil, err
		}
		c.At = fromMicros(at)
		list = append(list, c)
	}
	return list, rows.Err()
}

// Latest is the highest serial number that a change was given, also if its ticket was
// forgotten since.
func (s *Store) Latest(ctx context.Context) (serial int64, err error) {
	text := "SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'history'"
	if s.db.Kind() == database.PostgreSQL {
		text = "SELECT COALESCE(pg_sequence_last_value(pg_get_serial_sequence('history', 'serial')::regclass), 0)"
	}
	err = s.reads().QueryRowContext(ctx, text).Scan(&serial)
	return serial, s.db.Explain(err)
}

// Follow tells every change after one, whoever makes it, in this process or another, until
// the context ends: each once, in the order in which they turn up. wake is told that there
// may be something to see; without it the store looks by itself, often enough that nobody
// waits.
func (s *Store) Follow(ctx context.Context, after int64, wake <-chan struct{}, tell func([]Change)) error {
	const most = 1000
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	news := s.db.Watch(ctx)
	told := progress{after: after, inOrder: s.inOrder()}
	for {
		list, err := s.changes(ctx, told.after, most)
		if err == nil { // what came before one of these, and has a lower number, is there by now
			var late []Change
			late, err = s.late(ctx, told.gaps)
			list = append(late, list...)
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("changes of tickets cannot be followed: %w", err)
		}
		if told.take(list, time.Now()); len(list) > 0 {
			tell(list)
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-wake:
		case <-news:
		}
	}
}
