package clerk

import (
	"fmt"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// A held call is one of another agent, whose guard waits for the answer. There is no
// session here that could say more than the ticket, and none that has to go on.

// heldCall is how a held call stands.
func heldCall(t approval.Ticket) Matter {
	m := Matter{
		Call: t.Call, Why: t.Why, Since: t.Created, Until: t.Expires, Outcome: t.Outcome.String(),
		Ticket: &t, Standing: standingOf(t.State), Stage: session.Waiting,
	}
	m.Waits = m.Standing == Pending || m.Standing == Approved || m.Standing == Denied
	return m
}

// Asker is the agent whose guard holds the call; empty for one that is parked in a session.
func (m *Matter) Asker() string {
	if m.Ticket == nil {
		return ""
	}
	return m.Ticket.Asker
}

// finished: nobody needs to look at it any more. A held call that nobody has answered in
// time was refused, whether or not its agent tries again.
func (m *Matter) finished() bool {
	return m.Standing == Over || m.Standing == Expired && m.Asker() != ""
}

// asIs refuses another input for a held call: its guard lets exactly that call run.
func (m *Matter) asIs(y Yes) error {
	if m.Asker() == "" || !y.changes() {
		return nil
	}
	return &Error{Kind: Invalid, Said: fmt.Sprintf("%s runs exactly the call that its guard holds, and no other input: approve it as it is, or deny it with a reason", m.Asker())}
}
