package desk

import (
	"context"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

var _ agent.Recaller = (*Desk)(nil)

// Recall is the calls of a session that have a ticket, whatever has become of them, and not those
// that a guard holds for an agent of somebody else. The list is that of the tickets on which one
// can rely, also with an error.
func (d *Desk) Recall(ctx context.Context, id string) ([]session.Ticketed, error) {
	if !d.lent && !approval.Exists(d.dir) {
		return nil, nil
	}
	store, err := d.open()
	if err != nil {
		return nil, err
	}
	tickets, err := store.OfSession(ctx, id)
	var calls []session.Ticketed
	for _, t := range tickets {
		if t.Asker == "" {
			calls = append(calls, session.Ticketed{Parking: session.Parking{ToolUseID: t.ToolUseID, Since: t.Created}, Tool: t.Tool, Ticket: t.ID})
		}
	}
	return calls, err
}
