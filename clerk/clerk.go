package clerk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// Clerk serves people: the sessions, and the tickets of the calls that wait in them. It is
// opened for one errand and closed after it, and serves one at a time.
type Clerk struct {
	// Checker is what the rules of today make of a directory. Nothing can be approved
	// without it.
	Checker func(cwd string) (*policy.Checker, error)
	// Still says of a vote whether it counts at the moment: barred are the accounts that wanted
	// the call, where they must not approve it, and beside the votes that count with it. The error
	// is an [*approval.Lapsed] when the vote does not count, and any other one means that nobody can
	// say. Nil: all votes count.
	Still func(ctx context.Context, barred string, vote approval.Vote, beside ...approval.Vote) error

	dir     string
	store   *session.Store
	tickets *approval.Store // nil when there are none yet
	lent    bool            // the tickets are somebody else's to close
	mine    string          // the session that this process holds itself
	// lenient: somebody only looks, and is shown what there is; trouble is then why the
	// tickets cannot be read, or only be looked at.
	lenient bool
	trouble error
	// damaged are the tickets on which nobody can rely, by their names.
	damaged map[string]*approval.Damaged
	// uncounted is why nobody can say whose votes count; nil when all could be asked for.
	uncounted error
	// meanwhile is what others do between a look at a transcript and one at its tickets; nil
	// except in tests.
	meanwhile func()
}

// Open opens what is in a state directory, and makes nothing. What a process has left that
// died while it ran a call is marked first, so that nobody takes it for running.
func Open(ctx context.Context, dir string) (*Clerk, error) {
	c := newClerk(dir)
	if err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Look is [Open] for whoever only looks, for which the sessions alone are enough: whatever
// is wrong with the tickets, what there is can be seen. [Clerk.Warnings] says what is wrong.
func Look(ctx context.Context, dir string) (*Clerk, error) {
	c := newClerk(dir)
	c.lenient = true
	if err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func newClerk(dir string) *Clerk {
	return &Clerk{dir: dir, store: session.NewStore(filepath.Join(dir, "sessions"))}
}

func (c *Clerk) open(ctx context.Context) (err error) {
	if !approval.Exists(c.dir) {
		return nil
	}
	if c.tickets, err = approval.Open(c.dir); err != nil {
		return c.openToLook(err)
	}
	_, err = c.tickets.Sweep(ctx, c.held)
	return c.lose(err)
}

// openToLook opens tickets that cannot be written, for whoever only looks.
func (c *Clerk) openToLook(why error) error {
	if !c.lenient {
		return why
	}
	c.trouble = why
	c.tickets, _ = approval.Look(c.dir, why) // the first reason says more
	return nil
}

// Close closes the tickets. What was changed is on the disk already.
func (c *Clerk) Close() {
	if c.tickets != nil && !c.lent {
		_ = c.tickets.Close()
	}
	c.tickets = nil
}

// Sessions are the sessions of the state directory.
func (c *Clerk) Sessions() *session.Store { return c.store }

// Tickets are those of the state directory; nil when there are none yet, or they cannot be read.
func (c *Clerk) Tickets() *approval.Store { return c.tickets }

// Warnings are what is wrong with the tickets, as far as it was noticed yet: why they
// cannot be read, or only be looked at, those on which nobody can rely, and why nobody can say
// whose votes count.
func (c *Clerk) Warnings() []error {
	var all []error
	if c.trouble != nil {
		all = append(all, c.trouble)
	}
	for _, id := range slices.Sorted(maps.Keys(c.damaged)) {
		all = append(all, c.damage(c.damaged[id]))
	}
	if c.uncounted != nil {
		all = append(all, c.uncounted)
	}
	return all
}

// damage says what is wrong with a ticket. No answer helps where no session waits for one.
func (c *Clerk) damage(d *approval.Damaged) error {
	if d.Ticket.Asker == "" && c.store.Gone(d.Ticket.Session) {
		return &Error{Said: fmt.Sprintf("the ticket %s of session %s, which does not exist any more, is damaged: %v", d.Ticket.ID, d.Ticket.Session, d.Err), Way: Forget, ID: d.Ticket.ID, Err: d}
	}
	return d
}

// held: another process has the session open.
func (c *Clerk) held(id string) bool { return id != c.mine && c.store.Held(id) }

// holding does something while this process has a session open itself.
func (c *Clerk) holding(id string, do func() error) error {
	c.mine = id
	defer func() { c.mine = "" }()
	return do()
}

// lose goes on without the tickets, which cannot be read, where somebody only looks.
func (c *Clerk) lose(err error) error {
	if err == nil || !c.lenient {
		return err
	}
	c.Close()
	c.trouble = err
	return nil
}

// unread: there are tickets, and nobody can say what is in them.
func (c *Clerk) unread() bool { return c.trouble != nil && c.tickets == nil }

// need opens the tickets to write one.
func (c *Clerk) need() (err error) {
	if c.tickets == nil {
		c.tickets, err = approval.Open(c.dir)
	}
	return err
}

// live are the states in which something can still happen.
func live() []approval.State {
	return slices.DeleteFunc(slices.Clone(approval.States), approval.State.Over)
}

// list is tickets, none where there are none. One that is damaged keeps nobody from the
// others.
func (c *Clerk) list(ctx context.Context, q approval.Query) ([]approval.Ticket, error) {
	if c.tickets == nil {
		return nil, nil
	}
	tickets, err := c.tickets.List(ctx, q)
	if bad, ok := errors.AsType[approval.Damages](err); ok {
		for _, one := range bad {
			c.distrust(one)
		}
		return tickets, nil
	}
	return tickets, c.lose(err)
}

// ofCall is the ticket of a call; nil when it has none. It is asked for, unless it is known.
func (c *Clerk) ofCall(ctx context.Context, id string, call session.PendingCall, known []approval.Ticket) (*approval.Ticket, error) {
	if c.tickets == nil {
		return nil, nil
	}
	for _, t := range known {
		if t.Asker == "" && t.ToolUseID == call.ToolUseID && t.Created.UnixMicro() == call.Since.UnixMicro() {
			return &t, nil
		}
	}
	t, err := c.tickets.OfParked(ctx, id, call.ToolUseID, call.Since)
	if bad, ok := errors.AsType[*approval.Damaged](err); ok {
		c.distrust(bad)
		if bad.Ticket.Bygone(call.Since) { // that of another call with the same id
			return nil, nil
		}
		return &bad.Ticket, nil
	}
	return t, c.lose(err)
}

// distrust remembers a ticket on which nobody can rely.
func (c *Clerk) distrust(one *approval.Damaged) {
	if c.damaged == nil {
		c.damaged = map[string]*approval.Damaged{}
	}
	c.damaged[one.Ticket.ID] = one
}

// damagedTicket is why nobody can rely on a ticket; nil when one can.
func (c *Clerk) damagedTicket(t *approval.Ticket) *approval.Damaged {
	if t == nil {
		return nil
	}
	return c.damaged[t.ID]
}
