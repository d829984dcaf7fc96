package guard

import (
	"github.com/assent-dev/assent/hook/match"
	"github.com/assent-dev/assent/permission"
)

// heldBack is the verdict that stands in for the hooks of a workspace nobody has
// trusted. What they might have stopped must not run unasked.
func (j *judge) heldBack(call *permission.Call) permission.Verdict {
	for _, h := range j.settings.HeldBack.Hooks {
		if match.Judges(h.Event, h.Matcher, call.Name) {
			return permission.Verdict{AskUnlessReads: match.HeldBackReason}
		}
	}
	return permission.Verdict{}
}
