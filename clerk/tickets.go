package clerk

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// MakeTickets is [Clerk.Matters], and makes the tickets of the calls that wait and have
// none, because they were parked on another machine, or their process died before it could
// make one. A session that a process has open is left to that process.
func (c *Clerk) MakeTickets(ctx context.Context) ([]Matter, error) {
	all, _, err := c.Matters(ctx)
	if err != nil {
		return nil, err
	}
	var errs []error
	for i := range all {
		m := &all[i]
		if m.Ticket != nil || !m.Waits || m.Standing != Pending || c.held(m.Call.Session) {
			continue
		}
		if err := c.park(ctx, m); err != nil {
			errs = append(errs, fmt.Errorf("session %s: %w", m.Call.Session, err))
		}
	}
	return all, errors.Join(errs...)
}

// Among is [Open] for a process that has the sessions and tickets open already, as a server
// has. They stay open when the clerk is closed.
func Among(ctx context.Context, dir string, sessions *session.Store, tickets *approval.Store) (*Clerk, error) {
	c := &Clerk{dir: dir, store: sessions, tickets: tickets, lent: true}
	if _, err := tickets.Sweep(ctx, c.held); err != nil {
		return nil, err
	}
	return c, nil
}
