package approval

import (
	"fmt"
	"slices"
)

// State is how far a ticket is.
type State string

// The states of a ticket.
const (
	// Pending: nobody has answered.
	Pending State = "pending"
	// Approved and Denied: somebody has, and the session has not gone on yet.
	Approved State = "approved"
	Denied   State = "denied"
	// Expired: its time was over before somebody answered; it counts as its declared
	// outcome.
	Expired State = "expired"
	// Cancelled: the session has gone on without the call.
	Cancelled State = "cancelled"
	// Running: a process has claimed it.
	Running State = "running"
	// Done and Failed: it ran. Handed: the guard of another agent was given the yes, and nobody here
	// knows what became of it. Refused: it was not run, and the model was told.
	Done    State = "done"
	Failed  State = "failed"
	Handed  State = "handed"
	Refused State = "refused"
	// Unknown: the process that ran it died, or was not heard of in time. Nobody knows how far
	// it came.
	Unknown State = "unknown"
)

// States are all states, those that need a person first.
var States = []State{Unknown, Pending, Approved, Denied, Expired, Running, Done, Failed, Handed, Refused, Cancelled}

// ParseState reads a state.
func ParseState(text string) (State, error) {
	if s := State(text); slices.Contains(States, s) {
		return s, nil
	}
	return "", fmt.Errorf("there is no state %q (there are: %v)", text, States)
}

// Over: nothing more happens to the ticket.
func (s State) Over() bool {
	switch s {
	case Done, Failed, Handed, Refused, Cancelled:
		return true
	case Pending, Approved, Denied, Expired, Running, Unknown:
		return false
	}
	return false
}

// change is what may happen to a ticket.
type change uint8

const (
	approve change = iota
	deny
	expire
	cancel
	claim
	release
	finish
	fail
	handOver
	refuse
	lose
	confirmRan
	confirmNotRun
	record
	recordFailure
	retract
)

// ofSession: the change is one of the session in which a call is parked, or for it. The
// others are those of people, and of time.
func (c change) ofSession() bool {
	switch c {
	case approve, deny, expire, retract:
		return false
	case cancel, claim, release, finish, fail, handOver, refuse, lose, confirmRan, confirmNotRun, record, recordFailure:
	}
	return true
}

// mends: the change is also made to a ticket on which nobody can rely. None of these lets
// its call run.
func (c change) mends() bool {
	switch c {
	case deny, lose, confirmRan, confirmNotRun:
		return true
	case approve, expire, cancel, claim, release, finish, fail, handOver, refuse, record, recordFailure, retract:
	}
	return false
}

// after is the state that a change leads to. It is false for what cannot happen: the
// caller has looked at something that is not so any more.
func (s State) after(c change) (State, bool) {
	switch c {
	case approve: // also of what is approved already, with another input, and of what would run unanswered
		return Approved, s == Pending || s == Approved || s == Expired
	case deny: // also of what would run otherwise, as long as nobody runs it, and of a no that may still be taken back
		return Denied, s == Pending || s == Approved || s == Expired || s == Denied
	case expire:
		return Expired, s == Pending
	case cancel: // what somebody has answered is not forgotten
		return Cancelled, s == Pending
	case claim: // of a pending one when a hook or rule has answered in place of a person
		return Running, s == Pending || s == Approved || s == Expired
	case release: // of a ticket that nobody has answered it is Pending
		return Approved, s == Running || s == Unknown
	case finish: // also by a process that was taken for dead, as long as nobody has claimed the call since
		return Done, s == Running || s == Unknown
	case fail:
		return Failed, s == Running || s == Unknown
	case handOver:
		return Handed, s == Approved || s == Expired
	case refuse:
		return Refused, s == Pending || s == Approved || s == Denied || s == Expired
	case lose:
		return Unknown, s == Running
	case confirmRan:
		return Done, s == Unknown
	case confirmNotRun: // the approval was for one run, and that one was begun
		return Pending, s == Unknown
	case record: // it ran, and these tickets have never heard of it
		return Done, !s.Over()
	case recordFailure:
		return Failed, !s.Over()
	case retract: // as long as nobody has acted on it
		return Pending, s == Approved || s == Denied
	}
	return "", false
}
