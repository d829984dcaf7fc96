package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
)

// Depot is where sessions lie that several machines work on. With one, what is in the
// directory of a store are copies: a session is brought up to date before it is read, and
// what is added to it counts when the depot has it.
type Depot interface {
	// Name tells the depot from every other one. It stays the same, also when the depot is
	// restored to what it was before.
	Name() string
	// Removed: somebody has removed a session from the depot, and it is not there again.
	Removed(id string) (bool, error)
	// Find and List say what is known about sessions without reading them; Count is how many there
	// are. The error of Find wraps [ErrUnknown] when there is none.
	Find(id string) (Stored, error)
	List(Sought) ([]Stored, error)
	Count() (int, error)
	// Outlined keeps the outline of a session that has none, or one of before, unless somebody has
	// added to its transcript since. Rechecked says that nobody needs to recheck it any more.
	Outlined(of Stored, outline Outline) error
	Rechecked(of []Stored) error
	// Opening is the beginning of a transcript, of [MostOfBirth] at most. The error wraps [ErrUnknown]
	// when there is none.
	Opening(id string) ([]byte, error)
	// Begin keeps a new session, and Take takes one on which nobody works; the error wraps
	// [ErrExists] or is an [*InUse].
	Begin(id string, start Start, transcript []byte, files map[string][]byte, outline Outline) (Lease, error)
	Take(id string) (Lease, error)
	// Comes is told of a session that was begun without the depot, before it is there. Its error
	// keeps the session away.
	Comes(id string) error
	// Bring makes a copy of a transcript the one that counts. Files are what else the session
	// consists of.
	Bring(id string, copy Copy, size int64) error
	Files(id string) (map[string][]byte, error)
	// Lost is told of a file with what a copy had beyond the depot; see [Store.Beyond].
	Lost(id, path string)
	// Watch calls a function when a session is not this process's any more on which it
	// works, now or later. Stop ends that.
	Watch(id string, lost func()) (stop func())
}

// Stored is what a depot knows about a session.
type Stored struct {
	ID      string
	Cwd     string // where it was started
	Size    int64
	Written time.Time
	// Holder is who works on it; empty when nobody does.
	Holder string
	// Labels are what a machine must have to work on it, sorted.
	Labels []string
	// Outline is how it stands; nil when nobody has written that down, or asked for it.
	Outline *Outline
	// Noted tells apart for which state of it somebody has noted that it is to be rechecked; zero when
	// nobody has.
	Noted int64
}

// Sought is which sessions a list is about; the zero value is all of them.
type Sought struct {
	// IDs are those that are meant, unless they are nil, and Prefix how their ids begin.
	IDs    []string
	Prefix string
	// Cwd is where they were started, unless it is nil.
	Cwd *string
	// Only is what they have in common.
	Only Kin
	// Outlines: what is known about each of them has its outline.
	Outlines bool
	// Most is how many of those that were written last are meant; 0 for all.
	Most int
}

// Kin is what sessions have in common.
type Kin uint8

// The kins.
const (
	AnyKin Kin = iota
	// WithCalls: calls wait in them.
	WithCalls
	// ToRecheck: somebody has noted that their tickets are to be compared with their transcript, and
	// nobody works on them.
	ToRecheck
	// Unoutlined: nobody has written down how they stand.
	Unoutlined
)

// Copy is a transcript on this machine.
type Copy interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
}

// Lease is a session that is this process's to work on.
type Lease interface {
	// Append adds what stands at a place of the transcript, and files that have changed. The outline is
	// that of all of it; nil when nobody knows.
	Append(place int64, data []byte, files map[string][]byte, outline *Outline) error
	// StillOurs makes sure that the session is still this process's. The error wraps a [*Taken]
	// when it is not; else it is why nobody can say.
	StillOurs(ctx context.Context) error
	// Release gives the session back, Remove removes it.
	Release()
	Remove() error
}

// take takes a session, which is locked on this machine and brought by nobody else; nil where sessions stay on it.
func (s *Store) take(id string) (Lease, error) {
	if s.Depot == nil {
		return nil, s.Elsewhere(id)
	}
	lease, err := s.Depot.Take(id)
	if errors.Is(err, ErrUnknown) && !s.isCopy(id) && s.marked(id, transcriptName) { // it was begun before there was a depot
		lease, err = s.give(id)
	}
	if err != nil {
		return nil, err
	}
	if err := s.bring(id); err != nil {
		lease.Release()
		return nil, err
	}
	return lease, nil
}

// Look is a session as a list of all has it, and how it stands if it lies in the depot.
func (s *Store) Look(id string) (Listed, error) {
	if s.Depot == nil || CheckID(id) != nil {
		return Listed{ID: id}, nil
	}
	stored, err := s.Depot.Find(id)
	if errors.Is(err, ErrUnknown) { // only this machine knows it
		return Listed{ID: id}, nil
	}
	return Listed{id, stored.Written, &stored}, err
}

// Keeping is a context for work on a session: it ends when another machine has taken the session
// over, because what is done from then on cannot be recorded. The work may begin later. Whoever
// calls it calls stop at the end.
func (s *Store) Keeping(ctx context.Context, id string) (_ context.Context, stop func()) {
	if s.Depot == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	forget := s.Depot.Watch(id, func() { cancel(&Taken{id}) })
	return ctx, func() { forget(); cancel(nil) }
}

// Taken is why work on a session ends that another machine has taken over.
type Taken struct{ ID string }

func (e *Taken) Error() string {
	return fmt.Sprintf("session %s was taken over by another machine, and what runs here is ended", e.ID)
}

// hand hands over a session of this machine, which is locked, to the depot, with what else is to be
// in its transcript.
func (s *Store) hand(id string, added []byte) (Lease, error) {
	dir := s.path(id)
	text, err := os.ReadFile(filepath.Join(dir, transcriptName))
	if err != nil {
		return nil, err
	}
	start, err := s.firstHere(id)
	if err != nil {
		return nil, err
	}
	files, err := newShelf(dir).changed()
	if err != nil {
		return nil, err
	}
	text = append(text, added...)
	outline, err := outlineOf(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	lease, err := s.Depot.Begin(id, start, text, files, outline)
	if err != nil {
		return nil, err
	}
	leaveNote(s.dir, id) // the tickets that it has on this machine end
	if err := s.markCopy(id); err != nil {
		lease.Release()
		return nil, err
	}
	return lease, nil
}

// shipping is a transcript whose records go to a depot as well, before they count.
type shipping struct {
	chain.File
	lease Lease
	shelf *shelf
	at    int64  // up to where the depot has it
	data  []byte // what it does not have yet
	// outline is that of all of it.
	outline *Outline
}

func (s *shipping) Write(data []byte) (int, error) {
	n, err := s.File.Write(data)
	s.data = append(s.data, data[:n]...)
	return n, err
}

func (s *shipping) Sync() error {
	if err := s.File.Sync(); err != nil {
		return err
	}
	files, err := s.shelf.changed()
	if err != nil {
		return err
	}
	if len(s.data) == 0 && len(files) == 0 {
		return nil
	}
	if err := s.lease.Append(s.at, s.data, files, s.outline); err != nil {
		return &undelivered{err}
	}
	s.at += int64(len(s.data))
	if s.data = s.data[:0]; cap(s.data) > 64<<10 {
		s.data = nil
	}
	return nil
}

// undelivered is the error for what a depot has not taken: the disk of this machine has it.
type undelivered struct{ err error }

func (e *undelivered) Error() string { return e.err.Error() }

func (e *undelivered) Unwrap() error { return e.err }

// shelf is what else lies in the directory of a session.
type shelf struct {
	dir  string
	seen map[string]stamp
}

// stamp is by which a changed file is known.
type stamp struct {
	size int64
	at   time.Time
}

func newShelf(dir string) *shelf { return &shelf{dir: dir, seen: map[string]stamp{}} }

// isOther: the name is that of something else than the transcript and what belongs to it.
func isOther(name string) bool { return name == stateName }

// changed are the files that are other ones than last time, by their names.
func (s *shelf) changed() (map[string][]byte, error) {
	path := filepath.Join(s.dir, stateName)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now := stamp{info.Size(), info.ModTime()}
	if s.seen[stateName] == now {
		return nil, nil
	}
	text, err := durable.Read(path, hook.MaxState)
	if err != nil {
		return nil, err
	}
	s.seen[stateName] = now
	return map[string][]byte{stateName: text}, nil
}
