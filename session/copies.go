package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/internal/durable"
)

// copyMark is a file beside a transcript that is a copy, with the name of the depot in it. Nobody
// works on one without the depot: another machine may have gone on since.
const copyMark = "copy"

// comingMark says that a session is about to come into the depot that it names: if the process ends,
// nobody knows whether it is there. Without that depot it counts as a copy, so that what waits in it
// runs in one place only; with it the depot says whether it has the session.
const comingMark = "coming"

// Elsewhere is the error for a session that lies in a database, of which this is a copy.
type Elsewhere struct {
	ID string
	// Mark is the file that says that it was about to come there; empty when it is known that it did.
	Mark string
}

func (e *Elsewhere) Error() string {
	if e.Mark != "" {
		return fmt.Sprintf("session %s was about to come into a database, and only that one can say whether it is there (name it with --database or ASSENT_DATABASE; should it be gone for good, remove %s, and the session is one of this machine again)", e.ID, e.Mark)
	}
	return fmt.Sprintf("session %s lies in a database, and this is only a copy (name the database with --database or ASSENT_DATABASE)", e.ID)
}

func (s *Store) isCopy(id string) bool { return s.marked(id, copyMark) || s.isComing(id) }

// isComing: a session was about to come into another depot than that of this store.
func (s *Store) isComing(id string) bool {
	return s.marked(id, comingMark) && !s.names(id, comingMark)
}

// marked: there is a file of that name in the directory of a session.
func (s *Store) marked(id, mark string) bool {
	_, err := os.Lstat(filepath.Join(s.path(id), mark))
	return err == nil
}

// names: a mark names the depot of this store.
func (s *Store) names(id, mark string) bool {
	if s.Depot == nil {
		return false
	}
	const longest = 256
	name, err := durable.Read(filepath.Join(s.path(id), mark), longest)
	return err == nil && string(name) == s.Depot.Name()
}

// isCopyOfDepot: it is a copy of what lies in the depot of this store, and in no other one. A mark
// without a name, as they were once, says nothing about that.
func (s *Store) isCopyOfDepot(id string) bool { return s.names(id, copyMark) }

// markCopy says that a session is a copy of what lies in the depot.
func (s *Store) markCopy(id string) error {
	if s.isCopyOfDepot(id) {
		return nil
	}
	return durable.Replace(filepath.Join(s.path(id), copyMark), []byte(s.Depot.Name()), 0o600, "")
}

// Elsewhere is an [*Elsewhere] for a session of which only a copy is here, and nobody has said
// where it lies; nil for every other one. What such a copy says may be long over: nothing in it
// waits, and nobody answers it.
func (s *Store) Elsewhere(id string) error {
	if s.Depot == nil && CheckID(id) == nil && s.isCopy(id) {
		return s.elsewhere(id)
	}
	return nil
}

// IsCopy: only a copy of a session is here, nobody has said where it lies, and it is known that it
// does: nothing is lost with the copy.
func (s *Store) IsCopy(id string) bool {
	elsewhere, ok := errors.AsType[*Elsewhere](s.Elsewhere(id))
	return ok && elsewhere.Mark == ""
}

func (s *Store) elsewhere(id string) *Elsewhere {
	if s.marked(id, copyMark) {
		return &Elsewhere{ID: id}
	}
	return &Elsewhere{id, filepath.Join(s.path(id), comingMark)}
}

// Copies are the ids of the sessions of which only a copy is here, and nobody has said where they
// lie, the one that was written last first. They are not among those that [Store.IDs] and
// [Store.List] name.
func (s *Store) Copies() ([]string, error) {
	if s.Depot != nil {
		return nil, nil
	}
	all, err := s.copies()
	return idsOf(newestFirst(all)), err
}

// copies are all sessions in the directory of the store that are copies.
func (s *Store) copies() ([]Listed, error) {
	all, err := s.here()
	if err != nil {
		return nil, unlisted(err)
	}
	return slices.DeleteFunc(all, func(l Listed) bool { return !s.isCopy(l.ID) }), nil
}

// RemoveLeftovers removes the copies of sessions that somebody has removed from the depot, and
// says whose: they must not stay on the machines that once worked on them. Only the word of the
// depot whose copies they are counts for that. One that merely does not have a session may be
// another depot, or one that was restored and is older than the session; what is here may then be
// all that is left of it. A copy that a process has open stays as well.
func (s *Store) RemoveLeftovers() (removed []string, err error) {
	if s.Depot == nil {
		return nil, nil
	}
	strays, err := s.Strays()
	for _, id := range strays {
		if !s.isCopyOfDepot(id) {
			continue
		}
		switch gone, one := s.removeLeftover(id); {
		case one != nil:
			err = errors.Join(err, one)
		case gone:
			removed = append(removed, id)
		}
	}
	return removed, err
}

// Strays are the ids of the sessions of which a copy is here and that the depot does not have,
// the one that was written last first.
func (s *Store) Strays() ([]string, error) {
	all, err := s.copies() // before the depot is asked: it has a new session before its copy is marked
	if err != nil || len(all) == 0 {
		return nil, err
	}
	known, err := s.known(idsOf(all))
	if err != nil {
		return nil, err
	}
	return idsOf(newestFirst(slices.DeleteFunc(all, func(l Listed) bool { return known[l.ID] }))), nil
}

// removeLeftover removes a copy if the depot says that the session was removed, unless somebody
// works on it.
func (s *Store) removeLeftover(id string) (gone bool, err error) {
	if removed, err := s.Depot.Removed(id); err != nil || !removed {
		return false, err
	}
	unlock, err := s.lock(id)
	if _, inUse := errors.AsType[*InUse](err); inUse || errors.Is(err, ErrUnknown) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer unlock()
	if removed, err := s.Depot.Removed(id); err != nil || !removed { // which it may have begun again
		return false, err
	}
	if _, err := s.setAside(id); err != nil {
		return false, err
	}
	return true, s.Discard(id)
}
