package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/durable"
)

// Unheard is an error of [Depot.Begin] after which nobody knows whether the depot has the session.
type Unheard struct{ Err error }

func (e *Unheard) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Unheard) Unwrap() error { return e.Err }

// handOver hands over a session that is here and that the depot does not know. It is marked before
// anybody is told that it comes, and until it is known whether the depot has it. Where an earlier
// process, or an earlier try, has left the mark, nobody knows what becomes of that one: it may still
// arrive, whatever becomes of this.
func (s *Store) handOver(id string, added []byte) (Lease, error) {
	again := s.marked(id, comingMark)
	err := s.announce(id)
	if err == nil {
		err = s.Depot.Comes(id)
	}
	var lease Lease
	if err == nil {
		lease, err = s.hand(id, added)
	}
	if err != nil && !again {
		err = errors.Join(err, s.withdraw(id, err))
	}
	if err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(s.path(id), comingMark)); err != nil {
		lease.Release()
		return nil, err
	}
	return lease, nil
}

// foretell marks a session that is about to begin as one that comes into the depot. Without a depot it
// removes the mark that one has left which never began.
func (s *Store) foretell(id string) error {
	if s.Depot != nil {
		return s.announce(id)
	}
	err := os.Remove(filepath.Join(s.path(id), comingMark))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// announce marks a session as one that is about to come.
func (s *Store) announce(id string) error {
	return durable.Replace(filepath.Join(s.path(id), comingMark), []byte(s.Depot.Name()), 0o600, "")
}

// withdraw takes the mark back of a session that could not be handed over, if it is certain that the
// depot does not have it.
func (s *Store) withdraw(id string, why error) error {
	if _, unsure := errors.AsType[*Unheard](why); unsure {
		return nil
	}
	if _, err := s.Depot.Find(id); !errors.Is(err, ErrUnknown) {
		return nil
	}
	return os.Remove(filepath.Join(s.path(id), comingMark))
}
