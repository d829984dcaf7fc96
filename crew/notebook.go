package crew

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/assent-dev/assent/session"
)

// notebook is the sessions that are going on, as files without content: a crew that was
// killed has left the names of those in which something may be left to do that no ticket
// tells of. Only the runs of crews are in it: what a person has interrupted stays so. Crews
// that share a state directory share it.
type notebook struct{ dir string }

// note is one name in it, as long as a run lasts. Other crews find it locked meanwhile.
type note struct {
	lock *flock.Flock
	// made: nobody had noted the session before.
	made bool
}

// begin notes a session. The error is a [*session.InUse] when another crew runs it.
func (n notebook) begin(id string) (*note, error) {
	path := filepath.Join(n.dir, id)
	for {
		lock, made, held, err := n.take(path)
		switch {
		case errors.Is(err, errStruck):
		case err != nil:
			return nil, err
		case !held:
			return nil, &session.InUse{ID: id}
		case names(path, lock):
			return &note{lock, made}, nil
		default: // it was struck before it was locked
			_ = lock.Close()
		}
	}
}

// errStruck: another crew has removed the name at this moment.
var errStruck = errors.New("the note is struck")

// take locks the file of a name, and makes it if there is none.
func (n notebook) take(path string) (lock *flock.Flock, made, held bool, err error) {
	try := func(flag int) error {
		lock = flock.New(path, flock.SetFlag(flag), flock.SetPermissions(0o600))
		held, err = lock.TryLock()
		return err
	}
	const anew = os.O_CREATE | os.O_EXCL | os.O_RDWR
	if errors.Is(try(anew), fs.ErrNotExist) {
		if err := os.MkdirAll(n.dir, 0o700); err != nil {
			return nil, false, false, err
		}
		_ = try(anew)
	}
	if errors.Is(err, fs.ErrExist) {
		if errors.Is(try(os.O_RDWR), fs.ErrNotExist) {
			err = errStruck
		}
		return lock, false, held, err
	}
	return lock, true, held, err
}

// names: the file of that name is the one that is locked.
func names(path string, lock *flock.Flock) bool {
	ours, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(ours, named)
}

// strike removes the name: nothing is left to do. One that stays is looked at once more,
// which does no harm.
func (n *note) strike() {
	if os.Remove(n.lock.Path()) != nil { // not everywhere as long as it is open
		n.keep()
		_ = os.Remove(n.lock.Path())
	}
}

// keep ends the run and leaves the name, unless it was struck.
func (n *note) keep() { _ = n.lock.Close() }

// all are the names of the sessions, also of those that another crew runs.
func (n notebook) all() []string {
	entries, err := os.ReadDir(n.dir)
	if err != nil { // mostly there is none
		return nil
	}
	var ids []string
	for _, e := range entries {
		if session.CheckID(e.Name()) == nil {
			ids = append(ids, e.Name())
		}
	}
	return ids
}
