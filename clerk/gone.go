package clerk

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/session"
)

// Gone is what is left of a session that does not exist any more: its tickets.
type Gone struct {
	Session string
	Tickets int
	// Last is when the newest of them was made; zero when nobody can say.
	Last time.Time
}

// GoneSessions are the sessions that only tickets remember. Calls that a guard holds are
// not among them: they never had a session here.
func (c *Clerk) GoneSessions(ctx context.Context) ([]Gone, error) {
	tickets, err := c.list(ctx, approval.Query{})
	if err != nil {
		return nil, err
	}
	for _, bad := range c.damaged {
		tickets = append(tickets, bad.Ticket)
	}
	left := map[string]Gone{}
	for _, t := range tickets {
		if t.Asker != "" || !c.store.Gone(t.Session) {
			continue
		}
		g := left[t.Session]
		g.Session, g.Tickets = t.Session, g.Tickets+1
		if t.Created.After(g.Last) {
			g.Last = t.Created
		}
		left[t.Session] = g
	}
	var all []Gone
	for _, g := range left {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b Gone) int { return strings.Compare(a.Session, b.Session) })
	return all, nil
}

// Forget forgets the tickets of a session that does not exist any more, while nobody can
// make it again: an answer that somebody gives to a session which was imported meanwhile is
// not lost. What was denied in it holds on in its forks.
func (c *Clerk) Forget(ctx context.Context, id string) error {
	forget := func() error {
		if c.tickets == nil { // they could not be read
			return c.trouble
		}
		return c.forgetTickets(ctx, id)
	}
	err := c.store.WhileGone(id, forget)
	if errors.Is(err, session.ErrBadID) { // nobody can make that one
		err = forget()
	}
	return err
}

// forgetTickets forgets the tickets of a session, also as those on which nobody can rely. The
// links that were sent about them go first: nobody finds them without their ticket.
func (c *Clerk) forgetTickets(ctx context.Context, id string) error {
	tickets, err := c.list(ctx, approval.Query{Session: id})
	if err != nil {
		return err
	}
	for _, bad := range c.damaged {
		tickets = append(tickets, bad.Ticket)
	}
	var names []string
	for _, t := range tickets {
		if t.Session == id && t.Asker == "" {
			names = append(names, t.ID)
		}
	}
	if err := link.Forget(ctx, c.tickets.Database(), names); err != nil {
		return err
	}
	if err := c.tickets.Forget(ctx, id); err != nil {
		return err
	}
	maps.DeleteFunc(c.damaged, func(_ string, bad *approval.Damaged) bool {
		return bad.Ticket.Session == id && bad.Ticket.Asker == ""
	})
	return nil
}
