package inbox

import (
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// Guard lets the guards of other agents wait for answers, on a socket in the state
// directory. It must happen before [Server.Run], and only in the one server of the
// directory. What the socket can do is to hold calls and to hand answers over; it can give
// none.
func (s *Server) Guard() error {
	keeper := s.keeper().Telling(func(session string) { s.announce(session, heldState) })
	door, err := socket.Listen(s.Dir, keeper)
	if err != nil {
		return err
	}
	s.held = keeper
	s.listeners = append(s.listeners, keeper.Tell)
	s.jobs = append(s.jobs, door.Run)
	return nil
}

// keeper holds calls of guards.
func (s *Server) keeper() *socket.Keeper {
	return socket.NewKeeper(s.Tickets).Judging(s.opinion).AskedBy(account.Name())
}

// opinion is what the rules of today make of a call that a guard holds. People read it in
// place of what the guard says; sure is false for a call that only its guard knows.
func (s *Server) opinion(call approval.Call) (found socket.Opinion, sure bool) {
	j := s.judge(call, permission.Default.String())
	if j.judgement == nil {
		return found, false
	}
	d := j.judgement.Decision
	found.Kin, found.Risk = call.Tool, permission.RiskOf(j.judgement.Call, d)
	if j.judgement.Call != nil { // its tool takes the input
		found.Kin = permission.Kin(j.judgement.Call)
	}
	if d.Behavior == permission.Ask {
		found.Why = policy.WellFormed(j.judgement.Reply().Reason)
	}
	return found, true
}

// heldState is the state that events name for the session of another agent: whether its guard
// waits for an answer has changed.
const heldState = "held"

// guardState is what is known of the guard that holds a call.
type guardState string

const (
	// guardWaits: it gets the answer as soon as there is one.
	guardWaits guardState = "waits"
	// guardGone: it has given up waiting, and gets the answer when its agent tries the call
	// again.
	guardGone guardState = "gone"
	// guardUnknown: it does not wait here, but may elsewhere.
	guardUnknown guardState = "unknown"
)

// guardOf is whether the guard of a held call waits for its answer; empty for a call that no
// guard holds, or whose answer nobody can fetch any more.
func (s *Server) guardOf(t approval.Ticket) guardState {
	if t.Asker == "" || t.State != approval.Pending && t.State != approval.Approved && t.State != approval.Denied {
		return ""
	}
	if s.held == nil {
		return guardUnknown
	}
	switch s.held.Patience(t.ID) {
	case socket.Waiting:
		return guardWaits
	case socket.GivenUp:
		return guardGone
	case socket.NotKnown:
	}
	return guardUnknown
}

// stopper is what made a call wait. A rule helps only where it was the rules.
type stopper string

const (
	byHook  stopper = "hook"
	byRules stopper = "rules"
)

// stoppedBy is what made a call wait: a session waits only where a hook defers, whatever the
// rules say, and a guard where the rules ask.
func stoppedBy(t approval.Ticket) stopper {
	if t.Asker == "" {
		return byHook
	}
	return byRules
}
