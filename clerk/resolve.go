package clerk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/session"
)

// Finding is what a person has found out about a call whose process died while it ran.
type Finding struct {
	// By is who says so, and Note how they know, for the record.
	By, Note string
	// Ran: the call ran. Otherwise it did not, and waits for an answer again.
	Ran bool
}

// String is the end of a sentence about the call.
func (f Finding) String() string {
	if f.Ran {
		return "ran"
	}
	return "did not run"
}

// Resolve says what became of a call of which nobody knows whether it ran. Saying the same
// twice does no harm. It returns the call as it stood before.
func (c *Clerk) Resolve(ctx context.Context, id string, f Finding) (Matter, error) {
	if err := legible(f.By, f.Note); err != nil {
		return Matter{}, err
	}
	m, err := c.One(ctx, id, ToResolve)
	if err != nil {
		return m, err
	}
	if m.Waits {
		return m, c.resolveSession(ctx, m, f)
	}
	return m, c.resolveTicket(ctx, m, f)
}

// resolveSession takes the session, so that nobody runs the call meanwhile, and writes
// the finding to the transcript first: without that the session cannot go on, whatever
// the ticket says. A process that dies in between has left an unknown ticket, and whoever
// says the same again mends it.
func (c *Clerk) resolveSession(ctx context.Context, m Matter, f Finding) error {
	t, err := c.store.Resume(m.Call.Session)
	if err != nil {
		return err
	}
	defer t.Close()
	return c.holding(m.Call.Session, func() error { return c.resolveHeld(ctx, t, m, f) })
}

// resolveHeld looks at the call again, now that nobody else can change it.
func (c *Clerk) resolveHeld(ctx context.Context, t *session.Transcript, m Matter, f Finding) error {
	if c.tickets != nil {
		if _, err := c.tickets.Sweep(ctx, c.held); err != nil {
			return err
		}
	}
	seen, err := c.Inspect(ctx, Target{Session: m.Call.Session})
	if err != nil {
		return err
	}
	all := seen.Matters
	i := slices.IndexFunc(all, func(other Matter) bool { return other.Waits && other.Call.ToolUseID == m.Call.ToolUseID })
	if i < 0 {
		return &Error{Kind: Refused, Said: fmt.Sprintf("the session %s does not wait for that call any more", m.Call.Session)}
	}
	m = all[i]
	switch {
	case m.Finding != nil && m.Finding.Ran != f.Ran:
		return &Error{Kind: Refused, Said: fmt.Sprintf("%s has said already that %s %s", m.Finding.By, m.Name(), Finding{Ran: m.Finding.Ran})}
	case m.Finding == nil && m.Standing != Unknown:
		return &Error{Kind: Refused, Said: fmt.Sprintf("nothing is unknown about %s: it is %s", m.Name(), m.Standing)}
	case m.Ticket != nil && !f.Ran && (m.Ticket.State == approval.Done || m.Ticket.State == approval.Failed):
		return &Error{Kind: Refused, Said: fmt.Sprintf("the ticket %s says that it ran: it is %s", m.Ticket.ID, m.Ticket.State), Way: SayRan, ID: m.Name()}
	}
	if m.Finding == nil {
		if c.tickets != nil { // whoever may not tell the ticket any more tells nobody
			if err := approval.Holds(ctx, c.tickets.Database().Reads()); err != nil {
				return err
			}
			ctx = approval.Granted(ctx) // the ticket is told what the session has heard
		}
		if err := t.Append(session.Found, session.Finding{ToolUseID: m.Call.ToolUseID, Ran: f.Ran, By: f.By, Note: f.Note}); err != nil {
			return err
		}
		crashpoint.Here("resolve: found")
	}
	return c.resolveTicket(ctx, m, f)
}

// resolveTicket tells the ticket, if there is one that does not know yet.
func (c *Clerk) resolveTicket(ctx context.Context, m Matter, f Finding) error {
	switch {
	case m.Ticket == nil:
		return nil
	case m.Ticket.State == approval.Unknown:
		t, err := c.tickets.Resolve(ctx, m.Ticket.ID, f.Ran, f.By, f.Note)
		if err != nil || m.Waits || f.Ran {
			return err
		}
		return c.tickets.Cancel(ctx, t.ID, f.By, "no session waits for it") // nobody could answer it
	case !m.Waits:
		return &Error{Kind: Refused, Said: fmt.Sprintf("nothing is unknown about %s: it is %s", m.Name(), m.Ticket.State)}
	case f.Ran && !m.Ticket.State.Over(): // somebody has said the opposite to the ticket only
		err := c.tickets.Cancel(ctx, m.Ticket.ID, f.By, "it ran: "+f.Note)
		if _, moved := errors.AsType[*approval.WrongState](err); err != nil && !moved {
			return err
		}
	}
	return nil
}
