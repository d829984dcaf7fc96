package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
)

// ErrUnknown is in the error for a session that does not exist.
var ErrUnknown = errors.New("there is no such session")

// ErrExists is in the error for a new session whose id is taken.
var ErrExists = errors.New("there is a session with this id already")

// ErrForeign is in the error for a transcript that somebody else has changed, moved or
// removed while it was open.
var ErrForeign = errors.New("the transcript was changed, moved or removed by somebody else")

// Exposed is the error for a place that the group or others can write: they could
// change what a session says and does.
type Exposed struct {
	Path string
	Mode fs.FileMode
}

func (e *Exposed) Error() string {
	return fmt.Sprintf("the session cannot be trusted: %s can be written by others than its owner, its mode is %04o (see that it is as it should be, then: chmod go-w %s)", e.Path, e.Mode.Perm(), e.Path)
}

// InUse is the error for a session that another process works with.
type InUse struct {
	ID string
	// PID and Host are those of the process; zero and empty when it does not say.
	PID  int
	Host string
	// Who says it all, where a database knows it; empty otherwise.
	Who string
	// Forkable: the session was to be gone on with, which a copy of it could be as well.
	Forkable bool
}

func (e *InUse) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	if e.Host != "" {
		who += " on " + e.Host
	}
	if e.Who != "" {
		who = e.Who
	}
	way := "wait until it has ended"
	if e.Forkable {
		way += ", or continue in a copy with --fork-session"
	}
	return fmt.Sprintf("session %s is in use by %s (%s)", e.ID, who, way)
}

// Damaged is the error for a session whose transcript is not as it was written.
type Damaged struct {
	ID   string
	Path string
	Err  error
}

func (e *Damaged) Error() string {
	hint := "put a copy of the file in its place, or start a new session"
	if f, ok := errors.AsType[*chain.Fault](e.Err); ok && (f.Kind == chain.Cut || f.Kind == chain.Exchanged) {
		hint += ", or remove " + headPath(filepath.Dir(e.Path)) + " to go on with what is there"
	}
	return fmt.Sprintf("session %s cannot be used: %s: %v (nothing was changed; %s)", e.ID, e.Path, e.Err, hint)
}

func (e *Damaged) Unwrap() error { return e.Err }
