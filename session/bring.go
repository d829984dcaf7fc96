package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
)

// inDepot is what the depot knows about a session, if it lies there. The error of one of which only
// a copy is here, and that does not lie there, wraps [ErrUnknown] or is an [*Elsewhere].
func (s *Store) inDepot(id string) (stored Stored, there bool, err error) {
	if s.Depot == nil {
		return stored, false, nil
	}
	stored, err = s.Depot.Find(id)
	if !errors.Is(err, ErrUnknown) {
		return stored, err == nil, err
	}
	switch {
	case s.marked(id, copyMark): // it was removed elsewhere, or lies in another depot
		return stored, false, s.unknown(id)
	case s.isComing(id):
		return stored, false, s.elsewhere(id)
	}
	return stored, false, nil
}

// unusedInDepot refuses an id under which a session lies in the depot.
func (s *Store) unusedInDepot(id string) error {
	stored, there, err := s.inDepot(id)
	switch {
	case there && stored.Holder != "":
		return &InUse{ID: id, Who: stored.Holder}
	case there:
		return fmt.Errorf("%w: %s (leave the id out for a new one, or continue it with --resume)", ErrExists, id)
	case errors.Is(err, ErrUnknown):
		return nil
	}
	return err
}

// isHere: there is a directory for a session, with a copy in it or nothing yet.
func (s *Store) isHere(id string) bool {
	_, err := os.Lstat(s.path(id))
	return !errors.Is(err, fs.ErrNotExist)
}

func (s *Store) makeDir(id string) error {
	if err := durable.MakeDir(s.path(id), 0o700); err != nil {
		return fmt.Errorf("the session cannot be brought here: %w (make the directory writable, or set ASSENT_HOME to one that is)", err)
	}
	return nil
}

// isWhole: all that the depot has of a session is here.
func (s *Store) isWhole(stored Stored) bool {
	return s.sizeHere(stored.ID) == stored.Size && s.isCopyOfDepot(stored.ID)
}

// sizeHere is how much of a transcript is here.
func (s *Store) sizeHere(id string) int64 {
	info, err := os.Lstat(filepath.Join(s.path(id), transcriptName))
	if err != nil {
		return 0
	}
	return info.Size()
}

// bring makes the copy of a session the one that counts. The session is locked, and this process's.
func (s *Store) bring(id string) error {
	dir := s.path(id)
	if err := s.markCopy(id); err != nil {
		return err
	}
	_ = os.Remove(filepath.Join(dir, comingMark)) // it has come
	files, err := s.Depot.Files(id)
	if err != nil {
		return err
	}
	for name, data := range files {
		if !isOther(name) {
			return fmt.Errorf("session %s has a file of the name %q in the database, which is none of a session", id, name)
		}
		if err := durable.Replace(filepath.Join(dir, name), data, 0o600, ""); err != nil {
			return err
		}
	}
	f, err := chain.OpenCopy(filepath.Join(dir, transcriptName))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	kept := &keeping{Disk: f, dir: dir, size: info.Size()}
	// Where it ends is for the depot to say. A head that was left beside another transcript, because the
	// process ended, would make it one that was cut off.
	if err := os.Remove(headPath(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = s.Depot.Bring(id, kept, info.Size())
	if err == nil {
		err = kept.review()
	}
	if err == nil && kept.kept != "" { // else nobody knows yet what the depot has
		s.Depot.Lost(id, kept.kept)
	}
	return err
}
