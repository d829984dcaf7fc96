package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
)

// refresh brings the copy of a session up to date. A session that only this machine knows
// stays as it is, and so does one that a process of this machine works on.
func (s *Store) refresh(id string) error {
	if s.Depot == nil {
		return nil
	}
	stored, err := s.Depot.Find(id)
	if errors.Is(err, ErrUnknown) {
		switch {
		case s.marked(id, copyMark): // it was removed elsewhere, or lies in another depot
			return s.unknown(id)
		case s.isComing(id):
			return s.elsewhere(id)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if s.isWhole(stored) {
		return nil
	}
	if err := durable.MakeDir(s.path(id), 0o700); err != nil {
		return fmt.Errorf("the session cannot be brought here: %w (make the directory writable, or set ASSENT_HOME to one that is)", err)
	}
	brought, err := s.beginBringing(id)
	if err != nil {
		return err
	}
	defer brought()
	unlock, err := s.lock(id)
	if _, inUse := errors.AsType[*InUse](err); inUse && s.sizeHere(id) > 0 {
		return nil // whoever works on it has brought it
	}
	if err != nil {
		return err
	}
	defer unlock()
	return s.bring(id)
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

// bringingName is a file that is locked while a session is brought, and before the session is. Whoever has
// the lock on both brings it; where the session is locked all the same, nobody does: somebody works on it,
// who has brought it before, or begins or removes it.
const bringingName = "bringing"

// beginBringing waits for whoever brings a session: who did not would take a part for the whole, or the
// session for one that does not exist. One that hangs is not waited for for ever, and not every time.
func (s *Store) beginBringing(id string) (brought func(), err error) {
	if s.Depot == nil {
		return func() {}, nil
	}
	const patience, pause = 5 * time.Second, 5 * time.Millisecond
	if err := s.checkDir(id); err != nil {
		return nil, err
	}
	l, err := lockFile(filepath.Join(s.path(id), bringingName))
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if at, hangs := s.hanging.Load(id); hangs && time.Since(at.(time.Time)) < 2*patience {
		began = began.Add(-patience)
	}
	for ; ; time.Sleep(pause) {
		switch got, err := l.TryLock(); {
		case got:
			s.hanging.Delete(id)
			return func() { _ = l.Unlock() }, nil
		case err != nil:
			return nil, err
		case time.Since(began) >= patience:
			s.hanging.Store(id, time.Now())
			h := readHolder(s.path(id))
			return nil, &InUse{ID: id, PID: h.PID, Host: h.Host}
		}
	}
}

// bring makes the copy of a session the one that counts. The session is locked, and nobody else brings it.
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
