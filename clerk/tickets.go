package clerk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// MakeTickets is [Clerk.Matters], and makes the tickets of the calls that wait and have
// none, because they were parked on another machine, or their process died before it could
// make one. A session that a process has open is left to that process. Tickets of sessions
// that lie in a database by now are not asked for here any more, and of one that is only on this
// machine nothing comes into a database unless somebody says so.
func (c *Clerk) MakeTickets(ctx context.Context) ([]Matter, error) {
	if err := c.leaveToDatabase(ctx); err != nil {
		return nil, err
	}
	all, _, err := c.Matters(ctx)
	if err != nil {
		return nil, err
	}
	var errs []error
	for i := range all {
		m := &all[i]
		if !m.lacksTicket() || c.held(m.Call.Session) || c.store.OnlyHere(m.Call.Session) {
			continue
		}
		if err := c.parkWaiting(ctx, m); err != nil {
			errs = append(errs, fmt.Errorf("session %s: %w", m.Call.Session, err))
		}
	}
	return all, errors.Join(errs...)
}

// parkWaiting makes the ticket of a call if its session waits for it now: it was read a while ago, with
// all the others, and may have gone on or away since. Where it does so in this moment nobody is asked.
func (c *Clerk) parkWaiting(ctx context.Context, m *Matter) error {
	if waits, err := c.stillWaits(m); err != nil || !waits {
		return err
	}
	if err := c.park(ctx, m); err != nil {
		return err
	}
	if waits, err := c.waitsFor(m); err != nil || waits {
		return err
	}
	if c.store.Gone(m.Call.Session) {
		return c.Forget(ctx, m.Call.Session)
	}
	err := c.tickets.Refuse(ctx, m.Ticket.ID, approval.Self, "its session does not wait for it any more")
	if _, moved := errors.AsType[*approval.WrongState](err); moved { // whoever goes on with it has said more
		return nil
	}
	return err
}

// stillWaits: the session of a call without a ticket waits for it. What becomes of one that has a ticket
// stands on that.
func (c *Clerk) stillWaits(m *Matter) (bool, error) {
	if m.Ticket != nil {
		return true, nil
	}
	return c.waitsFor(m)
}

// waitsFor: the session of a call waits for it now.
func (c *Clerk) waitsFor(m *Matter) (bool, error) {
	stand, err := c.store.Standing(m.Call.Session)
	if c.meanwhile != nil {
		c.meanwhile()
	}
	if errors.Is(err, session.ErrUnknown) {
		return false, nil
	}
	return slices.ContainsFunc(stand.Calls, func(p session.PendingCall) bool {
		return p.ToolUseID == m.Call.ToolUseID && p.Since.Equal(m.Since) && p.Stage == session.Waiting
	}), err
}

// leaveToDatabase ends the tickets of sessions of which only a copy is here. Those that count are
// in the database, and nobody is to answer these.
func (c *Clerk) leaveToDatabase(ctx context.Context) error {
	ids, err := c.store.Copies()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.leaveOne(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// leaveOne is that for one session. One that may not have come there keeps its tickets.
func (c *Clerk) leaveOne(ctx context.Context, id string) error {
	if !c.store.IsCopy(id) {
		return nil
	}
	tickets, err := c.list(ctx, approval.Query{Session: id, States: []approval.State{approval.Pending, approval.Approved, approval.Denied, approval.Expired}})
	if err != nil {
		return err
	}
	for _, t := range tickets {
		if t.Asker != "" {
			continue
		}
		err := c.tickets.Refuse(ctx, t.ID, "assent", (&session.Elsewhere{ID: id}).Error())
		if _, moved := errors.AsType[*approval.WrongState](err); err != nil && !moved {
			return err
		}
	}
	return nil
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
