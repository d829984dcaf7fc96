package alarm

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river/riverdriver"

	"github.com/assent-dev/assent/internal/database"
)

// peeking is River's driver, which would ask for the bells of each kind several times a second,
// on SQLite on the one connection that writes. Here it is told of bells by somebody who only
// reads, and only when something was written, or when it is time.
type peeking[T any] struct {
	riverdriver.Driver[T]
	db    *database.DB
	kinds []Kind
	news  <-chan struct{}
}

// GetListener is part of River's driver.
func (p *peeking[T]) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return &peeker{db: p.db, kinds: p.kinds, news: p.news}
}

// peeker tells River for which kinds a bell rings.
type peeker struct {
	db    *database.DB
	kinds []Kind
	news  <-chan struct{}
	ring  []Kind           // found, and not told yet
	first time.Time        // the time of the next bell; zero when none is known
	next  <-chan time.Time // when to look for it
}

// WaitForNotification waits until a bell rings.
func (p *peeker) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	for len(p.ring) == 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.news:
		case <-p.next:
		}
		if err := p.peek(ctx); err != nil {
			return nil, err
		}
	}
	kind := p.ring[0]
	p.ring = p.ring[1:]
	return &riverdriver.Notification{Topic: "river_insert", Payload: fmt.Sprintf(`{"queue": %q}`, kind)}, nil
}

// peek finds the first bell of each kind that is laid out.
func (p *peeker) peek(ctx context.Context) error {
	before := p.first
	p.first, p.next = time.Time{}, nil
	err := p.firsts(ctx, func(kind Kind, at time.Time) {
		if !at.After(time.Now()) {
			p.ring = append(p.ring, kind)
		}
		if p.first.IsZero() || at.Before(p.first) {
			p.first = at
		}
	})
	if err != nil || p.first.IsZero() {
		return err
	}
	soonest := cooldown // one that rings already is mostly taken when that time has passed
	if p.first.Equal(before) {
		soonest = time.Second // and else nobody has the time, or the clocks do not agree
	}
	p.next = time.After(max(soonest, time.Until(p.first)))
	return nil
}

// firsts tells the time of the first bell of each kind that is laid out.
func (p *peeker) firsts(ctx context.Context, tell func(Kind, time.Time)) error {
	if p.db.Kind() != database.PostgreSQL { // to ask costs next to nothing
		const query = "SELECT scheduled_at FROM river_job WHERE state = 'available' AND queue = $1 AND priority = 1 ORDER BY scheduled_at LIMIT 1"
		for _, kind := range p.kinds {
			var at time.Time
			switch some, err := database.Found(p.db.Reads().QueryRowContext(ctx, query, string(kind)).Scan(&at)); {
			case err != nil:
				return err
			case some:
				tell(kind, at)
			}
		}
		return nil
	}
	rows, err := p.db.Reads().QueryContext(ctx, `SELECT wanted, first.scheduled_at FROM unnest(string_to_array($1, ' ')) AS wanted, LATERAL (
		SELECT scheduled_at FROM river_job WHERE state = 'available' AND queue = wanted AND priority = 1 ORDER BY scheduled_at LIMIT 1) AS first`, listOf(p.kinds))
	return eachRow(rows, err, func(kind string, at time.Time) { tell(Kind(kind), at) })
}

// listOf is kinds as one text: their names have no blanks.
func listOf(kinds []Kind) string {
	var all []string
	for _, kind := range kinds {
		all = append(all, string(kind))
	}
	return strings.Join(all, " ")
}

func eachRow(rows *sql.Rows, err error, tell func(string, time.Time)) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var at time.Time
		if err := rows.Scan(&kind, &at); err != nil {
			return err
		}
		tell(kind, at)
	}
	return rows.Err()
}

// Connect is part of River's listener. There is nothing to connect to, here as below.
func (p *peeker) Connect(context.Context) error { return nil }

// Close is part of River's listener.
func (p *peeker) Close(context.Context) error { return nil }

// Ping is part of River's listener.
func (p *peeker) Ping(context.Context) error { return nil }

// Listen is part of River's listener.
func (p *peeker) Listen(context.Context, string) error { return nil }

// Unlisten is part of River's listener.
func (p *peeker) Unlisten(context.Context, string) error { return nil }

// Schema is part of River's listener.
func (p *peeker) Schema() string { return "" }

// SetAfterConnectExec is part of River's listener, for its tests.
func (p *peeker) SetAfterConnectExec(string) {}
