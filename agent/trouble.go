package agent

import "errors"

// Trouble is a call that keeps its session from going on. A result says so in words that may hold what
// the call contains; whoever writes a log needs to know it without them.
type Trouble struct {
	ToolUseID string
	// Err is why: what the desk has said, or one of the errors below.
	Err error
}

var (
	// ErrOutcomeUnknown: somebody has begun the call, and nobody knows whether it ran.
	ErrOutcomeUnknown = errors.New("nobody knows whether the call ran")
	// ErrToolGone: its tool is not there any more.
	ErrToolGone = errors.New("the tool of the call is not there any more")
	// ErrWaitsOn: something keeps it from running for now, and what that is has its line in the audit
	// log.
	ErrWaitsOn = errors.New("the call waits on")
)

// Troubles are the calls that have kept the last run from going on. Besides the errors above there is
// [ErrAnswered] where the answer was another one each time when the call was to run.
func (a *Agent) Troubles() []Trouble { return a.troubles }

// because is an end that a call has brought about.
func (e ending) because(id string, err error) ending {
	e.troubles = append(e.troubles, Trouble{id, err})
	return e
}
