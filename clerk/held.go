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

// Fixed is why a held call can run only with the input that its agent has given it; empty
// when its guard can give the agent another one, and for a call that is parked in a session.
func (m *Matter) Fixed() string {
	if m.Asker() == "" {
		return ""
	}
	switch m.Ticket.Edits {
	case approval.Taken:
		return ""
	case approval.NotTaken:
		return fmt.Sprintf("the hooks of %s have no way to be given another input that is known to work", m.Asker())
	case approval.OtherWords:
		return fmt.Sprintf("%s said it in other words than these, into which no other input can be put", m.Asker())
	case approval.Unsaid:
	}
	return fmt.Sprintf("%s runs exactly the call that its guard holds, and no other input", m.Asker())
}

// asIs refuses another input for a held call whose agent cannot be given one.
func (m *Matter) asIs(y Yes) error {
	fixed := m.Fixed()
	if fixed == "" || !y.changes() {
		return nil
	}
	return &Error{Kind: Invalid, Said: fixed + ": approve it as it is, or deny it with a reason"}
}

// Unjudged is why nobody can give a tool that the rules do not know another input.
func Unjudged(tool string) string {
	return fmt.Sprintf("the rules here do not know the tool %s, so nobody could judge another input", tool)
}
