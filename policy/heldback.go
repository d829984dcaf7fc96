package policy

import (
	"github.com/assent-dev/assent/hook/match"
	"github.com/assent-dev/assent/permission"
)

// heldBackVerdict is the verdict that stands in for the hooks of a workspace
// nobody has trusted. They do not run, and what they might have stopped must not
// run unasked either.
func (e *environment) heldBackVerdict(call *permission.Call) permission.Verdict {
	for _, h := range e.held.Hooks {
		if match.Judges(h.Event, h.Matcher, call.Name) {
			return permission.Verdict{AskUnlessReads: match.HeldBackReason}
		}
	}
	return permission.Verdict{}
}
