package assent

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/wire"
)

// ErrBusy: the client is working off another prompt. Finish that loop first, or open a
// second client.
var ErrBusy = errors.New("the session is working off another prompt")

// ErrClosed: the client has been closed.
var ErrClosed = errors.New("the session has ended")

// ErrNothingPending: no call of the session waits, and there is no prompt either.
var ErrNothingPending = launch.ErrNothingPending

// NoSession: the session cannot be gone on with. There is none of that id, it is damaged,
// or another process has it.
type NoSession = launch.NoSession

// ResultError is a prompt that did not go well; see [wire.Result.Err].
type ResultError = wire.ResultError

// Refused: a SessionStart hook wants no session. No prompt is worked off.
type Refused struct {
	// Reason is what the hook said.
	Reason string
}

// Error says who refused.
func (e *Refused) Error() string { return "a hook refused the session: " + e.Reason }

// Unrecorded: the session could not be written down and was stopped, because nothing
// happens that is not on record.
type Unrecorded struct{ Err error }

// Error says what to look at.
func (e *Unrecorded) Error() string {
	return fmt.Sprintf("the session cannot be recorded and was stopped (is the disk full, or the state directory not writable?): %v", e.Err)
}

// Unwrap is what went wrong with the file.
func (e *Unrecorded) Unwrap() error { return e.Err }
