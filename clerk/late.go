package clerk

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/approval"
)

// ErrTimeOver is what has led to the error of an answer that came after the time of its call.
var ErrTimeOver = errors.New("the time to answer is over")

// Late is the error of an answer. Where the time of the call was over, and its session has gone
// on with that since, it says so: what became of the call alone would tell nobody why. The
// history is that of the ticket.
func Late(m Matter, err error, history func() ([]approval.Event, error)) error {
	if err == nil || m.Standing != Over || m.Waits || m.Ticket == nil || m.Answer() != nil {
		return err
	}
	events, lost := history()
	if lost != nil || !timedOut(events) {
		return err
	}
	return &Error{Kind: Refused, Said: fmt.Sprintf("the time for %s was over at %s, so %s held, and it is %s", m.Name(), m.Until.Local().Format(approval.WithZone), m.Outcome, m.state()), Err: ErrTimeOver}
}

// timedOut: what a ticket last waited for did not come in time.
func timedOut(events []approval.Event) (over bool) {
	for _, e := range events {
		switch {
		case !e.Moves():
		case e.To == approval.Expired:
			over = true
		case e.To == approval.Pending:
			over = false
		}
	}
	return over
}

func (c *Clerk) late(ctx context.Context, m Matter, err error) error {
	return Late(m, err, func() ([]approval.Event, error) { return c.tickets.History(ctx, m.Ticket.ID) })
}
