package alarm

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/assent-dev/assent/internal/database"
)

// peeking is River's driver for SQLite, which has no messages between processes. River makes up
// for that with a table, and looks into it twenty times a second on the one connection that
// writes. Here it is told of bells by somebody who only reads, and only when something was
// written, or when it is time.
type peeking struct {
	*riversqlite.Driver
	db    *database.DB
	kinds []Kind
	news  <-chan struct{}
}

// GetListener is part of River's driver.
func (p *peeking) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return &peeker{peeking: p}
}

// peeker tells River for which kinds a bell rings.
type peeker struct {
	*peeking
	ring []Kind           // found, and not told yet
	next <-chan time.Time // the time of the next bell; nil when none is known
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
	const query = "SELECT scheduled_at FROM river_job WHERE state = 'available' AND queue = $1 AND priority = 1 ORDER BY scheduled_at LIMIT 1"
	p.next = nil
	var first time.Time
	for _, kind := range p.kinds {
		var at time.Time
		some, err := database.Found(p.db.Reads().QueryRowContext(ctx, query, string(kind)).Scan(&at))
		if err != nil {
			return err
		}
		if some && !at.After(time.Now()) {
			p.ring = append(p.ring, kind)
		}
		if some && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	if !first.IsZero() { // one that rings already is mostly taken when that time has passed
		p.next = time.After(max(cooldown, time.Until(first)))
	}
	return nil
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
