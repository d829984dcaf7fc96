package clerk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
)

// bequeath tells the forks of a session what was denied in it, before its tickets are
// forgotten: a no holds in them, and nobody could find it afterwards. A fork that has heard
// of it, that does not wait any more, or that was answered itself stays as it is.
func (c *Clerk) bequeath(ctx context.Context, id string) error {
	denied, err := c.deniedIn(ctx, id)
	if err != nil || len(denied) == 0 { // as mostly
		return err
	}
	sessions, err := c.store.IDs()
	if err != nil {
		return err
	}
	for _, fork := range sessions {
		if fork == id || !c.store.Waits(fork) {
			continue
		}
		if err := c.inherit(ctx, fork, id, denied); err != nil {
			return fmt.Errorf("what was denied in session %s cannot be told to session %s, which may be a fork of it: %w", id, fork, err)
		}
	}
	return nil
}

// deniedIn are the calls of a session that were denied, by their ids. A damaged ticket may be
// that of such a call, as its history knows: a no mends it.
func (c *Clerk) deniedIn(ctx context.Context, id string) (map[string]bool, error) {
	tickets, err := c.list(ctx, approval.Query{Session: id})
	if err != nil {
		return nil, err
	}
	for _, bad := range c.damaged {
		t := bad.Ticket
		if t.Session != id || t.Asker != "" {
			continue
		}
		mended, err := c.tickets.Deny(ctx, t.ID, t.Digest, "assent", "its session was removed, and its ticket was damaged")
		if _, begun := errors.AsType[*approval.WrongState](err); err != nil && !begun {
			return nil, err
		}
		if err == nil {
			tickets = append(tickets, mended)
		}
	}
	denied := map[string]bool{}
	for _, t := range tickets {
		if t.Asker == "" && t.DeniedInForks() {
			denied[t.ToolUseID] = true
		}
	}
	return denied, nil
}

// inherit tells a fork what was denied in a session. One that cannot be read runs nothing,
// so nothing is missed in it.
func (c *Clerk) inherit(ctx context.Context, fork, from string, denied map[string]bool) error {
	seen, err := c.ofSession(ctx, fork, nil)
	if err != nil {
		return err
	}
	for i := range seen.Matters {
		m := &seen.Matters[i]
		if !denied[m.Call.ToolUseID] || !slices.Contains(m.Forks, from) || m.Ticket != nil && m.Ticket.State != approval.Pending || c.damagedTicket(m.Ticket) != nil {
			continue
		}
		m.Forks = []string{from} // the others are there to be asked
		if err := c.park(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
