package session

import (
	"errors"
	"fmt"
	"os"

	"github.com/assent-dev/assent/internal/chain"
)

// aside is a transcript that was fetched to be read once. It has no name where that is possible, and
// goes with whoever reads it.
type aside struct{ chain.Disk }

// Close removes it.
func (a aside) Close() error {
	err := a.Disk.Close()
	_ = os.Remove(a.Name()) // mostly it has gone before
	return err
}

// lookAside reads a session that lies in the depot and of which no copy is to be made.
func (s *Store) lookAside(stored Stored) (*view, error) {
	file, err := os.CreateTemp("", "assent-*") // for its owner only
	if err != nil {
		return nil, fmt.Errorf("session %s cannot be read: %w", stored.ID, err)
	}
	_ = os.Remove(file.Name()) // not everywhere as long as it is open
	disk := aside{chain.Disk{File: file}}
	v := &view{disk: disk, damaged: func(err error) error { return &Damaged{ID: stored.ID, Path: "the database", Err: err} }}
	if err := s.Depot.Bring(stored.ID, disk, 0); err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	if err := v.read(stored.ID, chain.Link{}); err != nil {
		_ = disk.Close()
		return nil, v.damaged(err)
	}
	return v, nil
}

// sketch is how a session in the depot stands. Where nobody has written that down yet, as an earlier
// version did not, it is read, and written down.
func (s *Store) sketch(stored Stored) (sketch, error) {
	if stored.Outline == nil {
		v, err := s.lookAside(stored)
		if err != nil {
			return sketch{}, err
		}
		defer v.disk.Close()
		o, err := v.outline()
		if err != nil {
			return sketch{}, v.damaged(err)
		}
		if v.state.end.Offset == stored.Size { // else somebody works on it
			_ = s.Depot.Outlined(stored, o) // at worst it is read once more
		}
		stored.Outline = &o
	}
	k, err := readSketch(stored.Outline.Text)
	if err != nil {
		return k, &Damaged{ID: stored.ID, Path: "the database", Err: fmt.Errorf("what says how it stands cannot be read: %w", err)}
	}
	return k, nil
}

// outline is that of a session that was read.
func (v *view) outline() (Outline, error) {
	var t trace
	for r, err := range v.records(chain.Position{}) {
		if err == nil {
			err = t.take(r)
		}
		if err != nil {
			return Outline{}, err
		}
	}
	return t.outline(&v.state)
}
