package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Written is when the transcript of a session was last written, as the depot or its file says.
func (s *Store) Written(id string) (time.Time, error) {
	if err := CheckID(id); err != nil {
		return time.Time{}, err
	}
	stored, there, err := s.inDepot(id)
	if there || err != nil {
		return stored.Written, err
	}
	if err := s.isThere(id); err != nil {
		return time.Time{}, err
	}
	info, err := os.Lstat(filepath.Join(s.path(id), transcriptName))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Held reports whether a process has the session open. Only the operating system knows who
// holds a lock, so it is asked: the number that the lock names may be that of another
// process by now, or one of another machine or container, where it means something else.
// A process that takes the session at that very moment tries once more.
func (s *Store) Held(id string) bool {
	if CheckID(id) != nil {
		return false
	}
	return s.heldHere(id) || s.heldElsewhere(id)
}

// heldElsewhere: a machine has the session. One of which nobody can say whether it has is
// taken for one that has: who is taken for dead loses what it does.
func (s *Store) heldElsewhere(id string) bool {
	if s.Depot == nil {
		return false
	}
	stored, err := s.Depot.Find(id)
	return err == nil && stored.Holder != "" || err != nil && !errors.Is(err, ErrUnknown)
}

func (s *Store) heldHere(id string) bool {
	path := filepath.Join(s.path(id), lockName)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY)) // it makes no file
	got, err := l.TryRLock()
	if err == nil && got {
		_ = l.Unlock()
		return false
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// removedMark stands before the id in the name of a session that is being removed. What
// has such a name is no session any more.
const removedMark = ".removed-"

// Remove takes a session out of the store, and returns how many bytes it has. Nobody has
// it open then: the error is an [*InUse] otherwise. may is asked while nobody else can
// change the session, and its error keeps it. What is left lies aside until [Store.Discard].
func (s *Store) Remove(id string, may func() error) (bytes int64, err error) {
	if err := CheckID(id); err != nil {
		return 0, err
	}
	before, there, err := s.stored(id)
	if err != nil {
		return 0, err
	}
	if there && !s.isHere(id) {
		if err := s.makeDir(id); err != nil { // where it is removed from, and what is left of its removal
			return 0, err
		}
		defer func() {
			if err != nil {
				_ = os.Remove(filepath.Join(s.path(id), lockName))
				_ = os.Remove(s.path(id)) // unless somebody has begun to use it
			}
		}()
	}
	unlock, err := s.lock(id)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if there && s.marked(id, transcriptName) && !s.isCopyOfDepot(id) { // what it has beyond the depot is kept
		if err := s.bring(id); err != nil {
			return 0, err
		}
	}
	if may != nil {
		if err := may(); err != nil {
			return 0, err
		}
	}
	if there {
		if err := s.removeStored(id, before); err != nil && !errors.Is(err, ErrUnknown) {
			return 0, err
		}
	}
	bytes, err = s.setAside(id)
	return max(bytes, before.Size), err
}

// removeStored removes a session from the depot, as it was found before somebody said that it may go.
// Where another machine has gone on with it since, it stays.
func (s *Store) removeStored(id string, before Stored) error {
	lease, err := s.Depot.Take(id)
	if err != nil {
		return err
	}
	now, err := s.Depot.Find(id)
	if err == nil && (now.Size != before.Size || !now.Written.Equal(before.Written)) {
		err = &InUse{ID: id}
	}
	if err != nil {
		lease.Release()
		return err
	}
	return lease.Remove()
}

// stored is what the depot has of a session, if it has any.
func (s *Store) stored(id string) (stored Stored, there bool, err error) {
	if s.Depot == nil {
		return stored, false, nil
	}
	stored, err = s.Depot.Find(id)
	if errors.Is(err, ErrUnknown) {
		return Stored{}, false, nil
	}
	return stored, err == nil, err
}

// setAside takes what lies here of a session, which is locked, out of the store.
func (s *Store) setAside(id string) (bytes int64, err error) {
	aside := filepath.Join(s.dir, removedMark+id)
	if err := os.RemoveAll(aside); err != nil {
		return 0, fmt.Errorf("session %s cannot be removed: %w", id, err)
	}
	bytes = s.Size(id)
	if err := os.Rename(s.path(id), aside); err != nil {
		return 0, fmt.Errorf("session %s cannot be removed: %w", id, err)
	}
	s.Rechecked(id)
	return bytes, nil
}

// Empty deletes what [Store.Remove] has left of a session but its name, by which the next
// process knows that its removal has not ended.
func (s *Store) Empty(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	aside := filepath.Join(s.dir, removedMark+id)
	entries, err := os.ReadDir(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(aside, e.Name())))
	}
	return err
}

// Unbegun are the ids of directories in which a session was to be made, and none was: the
// process died. They were last touched so long ago.
func (s *Store) Unbegun(age time.Duration) []string {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // there is nothing, or the list of sessions will say why not
	}
	var ids []string
	for _, e := range entries {
		if !isID(e.Name()) || !e.IsDir() || s.begun(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && s.now().Sub(info.ModTime()) >= age {
			ids = append(ids, e.Name())
		}
	}
	return ids
}

// RemoveUnbegun removes such a directory, if it still is one.
func (s *Store) RemoveUnbegun(id string) error {
	_, err := s.Remove(id, func() error {
		if s.begun(id) {
			return ErrExists
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.Discard(id)
}

// begun: there is such a session, or nobody can say that there is none.
func (s *Store) begun(id string) bool {
	if _, there, err := s.inDepot(id); there || err != nil {
		return !errors.Is(err, ErrUnknown)
	}
	_, err := os.Lstat(filepath.Join(s.path(id), transcriptName))
	return !errors.Is(err, fs.ErrNotExist)
}

// Discard deletes what [Store.Remove] has left of a session.
func (s *Store) Discard(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(s.dir, removedMark+id))
}

// Discarded are the ids of sessions whose removal was interrupted.
func (s *Store) Discarded() []string {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // there is nothing, or the list of sessions will say why not
	}
	var ids []string
	for _, e := range entries {
		if id, ok := strings.CutPrefix(e.Name(), removedMark); ok && isID(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Size is how many bytes a session has on the disk.
func (s *Store) Size(id string) (bytes int64) {
	if CheckID(id) != nil {
		return 0
	}
	_ = filepath.WalkDir(s.path(id), func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is a figure for people
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
