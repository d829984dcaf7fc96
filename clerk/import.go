package clerk

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// Import makes a session of an exported one, which works in cwd from now on, or where it
// did when that is empty.
func (c *Clerk) Import(ctx context.Context, x *session.Exported, cwd, by string) error {
	return c.store.Import(x, cwd, by, func() error { return c.forgetBefore(ctx, x) })
}

// forgetBefore forgets the tickets that a session of the same id has left here: what was
// answered then does not hold for what is imported now. If a call has run here that waits
// in the file, the file is from before, and the call could run a second time; of a damaged
// ticket nobody can say whether it has. It is asked while nobody can make that session.
func (c *Clerk) forgetBefore(ctx context.Context, x *session.Exported) error {
	tickets, err := c.list(ctx, approval.Query{Session: x.Session})
	if err != nil {
		return err
	}
	for _, bad := range c.damaged {
		if bad.Ticket.Session == x.Session {
			tickets = append(tickets, bad.Ticket)
		}
	}
	if len(tickets) == 0 {
		return nil
	}
	for _, t := range tickets {
		if !couldRun(x, t) {
			continue
		}
		const again = "and could run a second time"
		switch {
		case c.damagedTicket(&t) != nil:
			return &Error{Kind: Refused, Said: fmt.Sprintf("session %s was not imported: a call that waits in the file may have been begun here before (ticket %s, which is damaged), %s", x.Session, t.ID, again), Way: ForgetOrNew, ID: t.ID}
		case begun(t.State):
			return &Error{Kind: Refused, Said: fmt.Sprintf("session %s was not imported: a call that waits in the file was begun here before (ticket %s, %s), %s (start a new session)", x.Session, t.ID, t.State, again)}
		}
	}
	return c.forgetTickets(ctx, x.Session)
}

// couldRun: the call of a ticket waits in a file, and would run there if somebody approves
// it. One that was begun by then does not: the file says so itself.
func couldRun(x *session.Exported, t approval.Ticket) bool {
	return t.Asker == "" && x.Pending != nil && slices.ContainsFunc(x.Pending.Calls, func(p session.PendingCall) bool {
		return p.Stage == session.Waiting && p.ToolUseID == t.ToolUseID && !t.Bygone(p.Since)
	})
}

// begun: somebody has begun to run the call.
func begun(s approval.State) bool {
	switch s {
	case approval.Done, approval.Failed, approval.Handed, approval.Running, approval.Unknown:
		return true
	case approval.Pending, approval.Approved, approval.Denied, approval.Expired, approval.Cancelled, approval.Refused:
	}
	return false
}
