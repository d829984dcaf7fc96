package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// copyMark is a file beside a transcript that is a copy. Nobody works on one without the
// depot: another machine may have gone on since.
const copyMark = "copy"

// Elsewhere is the error for a session that lies in a database, of which this is a copy.
type Elsewhere struct{ ID string }

func (e *Elsewhere) Error() string {
	return fmt.Sprintf("session %s lies in a database, and this is only a copy (name the database with --database or ASSENT_DATABASE)", e.ID)
}

func (s *Store) isCopy(id string) bool {
	_, err := os.Lstat(filepath.Join(s.path(id), copyMark))
	return err == nil
}

// Elsewhere is an [*Elsewhere] for a session of which only a copy is here, and nobody has said
// where it lies; nil for every other one. What such a copy says may be long over: nothing in it
// waits, and nobody answers it.
func (s *Store) Elsewhere(id string) error {
	if s.Depot == nil && CheckID(id) == nil && s.isCopy(id) {
		return &Elsewhere{id}
	}
	return nil
}

// Copies are the ids of the sessions of which only a copy is here, and nobody has said where they
// lie, the one that was written last first. They are not among those that [Store.IDs] and
// [Store.List] name.
func (s *Store) Copies() ([]string, error) {
	if s.Depot != nil {
		return nil, nil
	}
	all, err := s.copies()
	return newestFirst(all), err
}

// copies are all sessions in the directory of the store that are copies.
func (s *Store) copies() ([]written, error) {
	all, err := s.here()
	if err != nil {
		return nil, unlisted(err)
	}
	return slices.DeleteFunc(all, func(w written) bool { return !s.isCopy(w.id) }), nil
}

// RemoveLeftovers removes the copies of sessions that the depot does not have any more, and says
// whose: somebody has removed them, and what they have removed must not stay on the machines that
// once worked on it. A copy that a process has open stays.
func (s *Store) RemoveLeftovers() (removed []string, err error) {
	if s.Depot == nil {
		return nil, nil
	}
	all, err := s.copies() // before the depot is asked: it has a new session before its copy is marked
	if err != nil || len(all) == 0 {
		return nil, err
	}
	stored, err := s.Depot.List()
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, one := range stored {
		known[one.ID] = true
	}
	for _, w := range all {
		if known[w.id] {
			continue
		}
		switch gone, one := s.removeLeftover(w.id); {
		case one != nil:
			err = errors.Join(err, one)
		case gone:
			removed = append(removed, w.id)
		}
	}
	return removed, err
}

// removeLeftover removes a copy, unless somebody works on it, or the session is there again.
func (s *Store) removeLeftover(id string) (gone bool, err error) {
	_, err = s.Remove(id, func() error {
		_, err := s.Depot.Find(id)
		switch {
		case err == nil:
			return ErrExists
		case errors.Is(err, ErrUnknown):
			return nil
		}
		return err
	})
	_, inUse := errors.AsType[*InUse](err)
	switch {
	case inUse, errors.Is(err, ErrExists), errors.Is(err, ErrUnknown):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, s.Discard(id)
}
