package driver

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/wire"
)

// ExitError is a program that has ended before its work was done, or had to be ended.
type ExitError struct {
	// Program is what was started.
	Program string
	// Status says how it ended: "exit status 1", "signal 9 (SIGKILL)". Code is the exit
	// status, -1 for a signal.
	Status string
	Code   int
	// Stderr is the end of what it said there.
	Stderr string
	// Cause is why it was ended, or what could not be read of it, however it has ended; nil
	// if it ended by itself and all could be read.
	Cause error
	// Last is the last result that it printed; nil if there was none.
	Last *wire.Result
}

// Error says what happened, in the program's own words where it has some.
func (e *ExitError) Error() string {
	text := fmt.Sprintf("%s ended before its work was done: %s", e.Program, e.Status)
	if e.Cause != nil {
		text = fmt.Sprintf("%s had to be ended: %v", e.Program, e.Cause)
	}
	if e.Stderr != "" {
		text += "\n" + e.Stderr
	}
	return text
}

// Unwrap is why it was ended.
func (e *ExitError) Unwrap() error { return e.Cause }

// Why a program is ended before its time.
var (
	// ErrSilent: it did not answer the first request. It may be no program of this protocol.
	ErrSilent = errors.New("it does not answer (is it a program that speaks the control protocol?)")
	// ErrOutputClosed: it goes on, and nobody can hear it any more.
	ErrOutputClosed = errors.New("it has closed its output and goes on")
	// ErrInputClosed: it does not take what it is told.
	ErrInputClosed = errors.New("it does not read its input")
	// ErrStubborn: it went on when it was told to stop.
	ErrStubborn = errors.New("it goes on although it was told to stop")
)

// ErrClosed: the program was closed, or has ended after its work was done.
var ErrClosed = errors.New("the program has ended")

// LineError is a line of the program that cannot be read. Nobody knows what it was meant
// to say, and it may have been a question: the program is ended.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d of its output cannot be read: %v", e.Line, e.Err)
}

// Unwrap returns what is wrong with it.
func (e *LineError) Unwrap() error { return e.Err }

// RequestError is the program's answer to a request that it does not do.
type RequestError struct {
	Request string // set_permission_mode
	Text    string
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("the program refuses %s: %s", e.Request, e.Text)
}
