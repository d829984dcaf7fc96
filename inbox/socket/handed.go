package socket

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/permission"
)

// replyOf is the answer of a ticket that is over.
func replyOf(t approval.Ticket) (line.Reply, error) {
	reply := line.Reply{Ticket: t.ID, State: line.Denied}
	switch a := t.Answer; {
	case a == nil:
		reply.By, reply.Reason = "assent", "nobody has answered in time"
	case a.Behavior == permission.Allow && t.State == approval.Handed:
		if _, err := t.Approval(); err != nil {
			return line.Reply{}, err
		}
		reply.State, reply.By, reply.Reason, reply.Input = line.Allowed, a.By, a.Message, a.Input
		reply.Places, reply.Risk = a.Places, max(a.Risk, t.Risk).String()
	case a.Behavior == permission.Allow:
		reply.By, reply.Reason = "assent", "the yes of "+a.By+" was not fetched in time: make the call again, and somebody is asked again"
	default:
		reply.By, reply.Reason = a.By, a.Message
	}
	return reply, nil
}

// Forged is the error for a yes that somebody claims and the tickets do not have.
type Forged struct {
	Ticket string
	// Why is what the tickets say.
	Why string
}

func (e *Forged) Error() string {
	return fmt.Sprintf("the socket of the inbox says yes by the ticket %s, and that is not so: %s (some other program may listen there: look who does, and start `assent serve` again)", e.Ticket, e.Why)
}

// recipient is to whom an answer is handed: one guard, whose nonce nobody else has. A yes that
// somebody passes on to a second one is none for that.
func recipient(h line.Hold) string { return "the guard of " + h.Asker + ", " + h.Nonce }

// Handed is the yes to a call as the tickets have it. Whoever listens on the socket may say
// anything; what counts is that a person has said it about this call, and that it was handed
// to this guard since it began to ask, so that no yes counts twice.
func Handed(ctx context.Context, tickets *approval.Store, h line.Hold, id string, since time.Time) (line.Reply, error) {
	forged := func(format string, args ...any) (line.Reply, error) {
		return line.Reply{}, &Forged{id, fmt.Sprintf(format, args...)}
	}
	t, err := tickets.Find(ctx, id)
	if err != nil {
		return forged("%v", err)
	}
	if err := t.Matches(approval.Call{Session: h.Session, Tool: h.Tool, Input: h.Input, Cwd: h.Cwd}); err != nil || t.Asker != h.Asker {
		return forged("it is that of another call")
	}
	if t.State != approval.Handed || t.Answer == nil || t.Answer.Behavior != permission.Allow {
		return forged("it is %s", t.State)
	}
	events, err := tickets.History(ctx, id)
	if err != nil {
		return line.Reply{}, err
	}
	last := approval.LastMove(events)
	if last.To != approval.Handed || last.At.UnixMicro() < since.UnixMicro() {
		return forged("its yes was handed over before")
	}
	if last.Who != recipient(h) {
		return forged("its yes was handed to another guard, which runs the call")
	}
	return replyOf(t)
}
