package hook

import (
	"context"

	"github.com/assent-dev/assent/permission"
)

// turn lets the calls that meet a hook which runs once take it one after the other,
// until it has let one through. A call that comes while the hook runs waits for the
// outcome: if the hook breaks, nobody has judged the second call yet.
type turn struct {
	taken chan struct{} // holds one value while somebody has the turn
	used  *bool         // the hook has run; only who has the turn looks at it
}

func newTurn() turn { return turn{make(chan struct{}, 1), new(bool)} }

// takeTurn reports whether the hook runs here. When the context ends first it does not
// run, and is not absent either: nobody knows whether it has to.
func (s *result) takeTurn(ctx context.Context) bool {
	t := s.hook.once
	select {
	case t.taken <- struct{}{}:
	default:
		select {
		case t.taken <- struct{}{}:
		case <-ctx.Done():
			s.breaks(Dropped, "it was cancelled while another call was with this hook, which runs once")
			return true
		}
	}
	switch {
	case *t.used:
		<-t.taken
		return false
	case s.hook.Async || !s.hook.Event.failsClosed():
		*t.used = true // nobody waits for what it says
		<-t.taken
		return true
	}
	s.turned = true
	return true
}

// finishTurns gives the turns back. A hook whose run broke has not judged anything and
// gets another chance; so does one without a record, whose run was cut short. One that
// objects is asked again: otherwise it would be enough to repeat a call.
func finishTurns(results []*result, runs []Run) {
	for i, s := range results {
		if !s.turned {
			continue
		}
		*s.hook.once.used = i < len(runs) && runs[i].Outcome.worked() && !runs[i].objects()
		<-s.hook.once.taken
	}
}

// objects: the hook did not just let the call go on.
func (r *Run) objects() bool {
	switch r.Decision {
	case permission.Deny, permission.Ask, permission.Defer:
		return true
	case permission.Allow, permission.Pass:
	}
	return r.Outcome == Blocked
}

// shareTurn gives hooks that are identical, whatever the call, one turn: it runs once,
// in however many files it stands.
func shareTurn(hooks []*configured, h *configured) {
	if !h.Once || h.key == "" || h.Defect != "" {
		return
	}
	for _, other := range hooks {
		if other.Once && other.Event == h.Event && other.sameConsequences(h) && other.RestrictOnly == h.RestrictOnly &&
			other.Matcher.String() == h.Matcher.String() && other.sameCondition(h) {
			h.once = other.once
			return
		}
	}
}

// sameCondition: what the paths in a condition mean depends on the file that it is in.
func (h *configured) sameCondition(other *configured) bool {
	if h.If == nil || other.If == nil {
		return h.If == other.If
	}
	return h.If.Text == other.If.Text && h.Origin.Source == other.Origin.Source
}
