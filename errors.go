package assent

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// ErrBusy: the client is working off another prompt. Finish that loop first, or open a
// second client.
var ErrBusy = errors.New("the session is working off another prompt")

// ErrClosed: the client has been closed.
var ErrClosed = errors.New("the session has ended")

// ErrNothingPending: no call of the session waits, and there is no prompt either.
var ErrNothingPending = launch.ErrNothingPending

// ErrSessionExists: there is a session with the id of [SessionID] already. [Resume] goes on
// with it. An external program says so in its own words, in an [*ExitError].
var ErrSessionExists = session.ErrExists

// NoSessionError: the session cannot be gone on with. There is none of that id, it is
// damaged, or another process has it. The id is empty where [Continue] finds none.
type NoSessionError = launch.NoSessionError

// ResultError is a prompt that did not go well; see [wire.Result.Err].
type ResultError = wire.ResultError

// RefusedError: a SessionStart hook wants no session. No prompt is worked off.
type RefusedError struct {
	// Reason is what the hook said.
	Reason string
}

// Error says who refused.
func (e *RefusedError) Error() string { return "a hook refused the session: " + e.Reason }

// UnrecordedError: the session could not be written down and was stopped, because nothing
// happens that is not on record.
type UnrecordedError struct{ Err error }

// Error says what to look at.
func (e *UnrecordedError) Error() string {
	return fmt.Sprintf("the session cannot be recorded and was stopped (is the disk full, or the state directory not writable?): %v", e.Err)
}

// Unwrap is what went wrong with the file.
func (e *UnrecordedError) Unwrap() error { return e.Err }
