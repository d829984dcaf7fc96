package crew

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"github.com/assent-dev/assent/session"
)

// notebook is the sessions that are going on, as files without content: a crew that was
// killed has left the names of those in which something may be left to do that no ticket
// tells of. Only the runs of crews are in it: what a person has interrupted stays so. Crews
// that share a state directory share it.
type notebook struct {
	dir string

	mu     sync.Mutex
	spares []spare
}

// spare is the file of a note that was struck, under another name, of which the next note is
// made: somebody who has approved a call waits for that, and on some file systems a new file
// takes a millisecond where many were removed a moment ago. It stays locked.
type spare struct {
	path string
	lock *flock.Flock
}

// spareMark is how the names of spares begin.
const spareMark = ".spare-"

// note is one name in it, as long as a run lasts. Other crews find it locked meanwhile.
type note struct {
	book *notebook
	path string
	lock *flock.Flock // nil: the run has ended
	// made: nobody had noted the session before.
	made bool
}

// begin notes a session. The error is a [*session.InUse] when another crew runs it.
func (n *notebook) begin(id string) (*note, error) {
	path := filepath.Join(n.dir, id)
	if lock := n.reuse(path); lock != nil {
		return &note{n, path, lock, true}, nil
	}
	for {
		lock, made, held, err := n.take(path)
		switch {
		case errors.Is(err, errStruck):
		case err != nil:
			return nil, err
		case !held && gone(path): // it was struck meanwhile, and is locked on as a spare
		case !held:
			return nil, &session.InUse{ID: id}
		case names(path, lock):
			return &note{n, path, lock, made}, nil
		default: // it was struck before it was locked
			_ = lock.Close()
		}
	}
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// reuse makes a spare the file of a name that nobody has noted; nil means that there is none,
// or that it cannot be.
func (n *notebook) reuse(path string) *flock.Flock {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.spares) == 0 {
		return nil
	}
	last := len(n.spares) - 1
	s := n.spares[last]
	if err := os.Link(s.path, path); err != nil { // which replaces no other file
		if !errors.Is(err, fs.ErrExist) { // nor can it be on a next occasion
			_ = s.lock.Close()
			_ = os.Remove(s.path)
			n.spares = n.spares[:last]
		}
		return nil
	}
	_ = os.Remove(s.path) // another name that nobody reads; see clear
	n.spares = n.spares[:last]
	return s.lock
}

// errStruck: another crew has removed the name at this moment.
var errStruck = errors.New("the note is struck")

// take locks the file of a name, and makes it if there is none.
func (n *notebook) take(path string) (lock *flock.Flock, made, held bool, err error) {
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
	if n.book.putAside(n) {
		n.lock = nil
		return
	}
	if os.Remove(n.path) != nil { // not everywhere as long as it is open
		n.keep()
		_ = os.Remove(n.path)
	}
}

// putAside makes a spare of a note, unless there are enough.
func (n *notebook) putAside(begun *note) bool {
	const enough = 8
	n.mu.Lock()
	defer n.mu.Unlock()
	s := spare{filepath.Join(n.dir, spareMark+rand.Text()), begun.lock}
	if len(n.spares) >= enough || os.Rename(begun.path, s.path) != nil {
		return false
	}
	n.spares = append(n.spares, s)
	return true
}

// keep ends the run and leaves the name, unless it was struck.
func (n *note) keep() {
	if n.lock != nil {
		_ = n.lock.Close()
		n.lock = nil
	}
}

// all are the names of the sessions, also of those that another crew runs.
func (n *notebook) all() []string {
	var ids []string
	for _, name := range n.entries() {
		if session.CheckID(name) == nil {
			ids = append(ids, name)
		}
	}
	return ids
}

func (n *notebook) entries() []string {
	entries, _ := os.ReadDir(n.dir) // mostly there is none
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// clear removes the spares of this crew, and those that others have left who were killed.
func (n *notebook) clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.spares {
		_ = s.lock.Close()
	}
	n.spares = nil
	for _, name := range n.entries() {
		if !strings.HasPrefix(name, spareMark) {
			continue
		}
		lock := flock.New(filepath.Join(n.dir, name), flock.SetFlag(os.O_RDWR))
		if held, _ := lock.TryLock(); held {
			_ = lock.Close()
			_ = os.Remove(lock.Path())
		}
	}
}
