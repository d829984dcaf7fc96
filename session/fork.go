package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/assent-dev/assent/internal/chain"
)

// Fork begins a session with the conversation of another, which may be open elsewhere
// and is not touched. The start gets the id of the new one and its parent's, and the
// parent's mode if it has none.
func (s *Store) Fork(from, to string, start Start) (*Transcript, error) {
	v, err := s.look(from)
	if err != nil {
		return nil, err
	}
	defer v.disk.Close()
	start.Session, start.Parent = to, from
	if start.Mode == "" {
		start.Mode = v.state.mode
	}
	now := s.now()
	first, err := encodeStart(now, start)
	if err != nil {
		return nil, err
	}
	records := [][]byte{first}
	for _, body := range v.state.updates {
		records = append(records, wrap(now, Ruled, body))
	}
	for _, body := range v.state.sights {
		records = append(records, wrap(now, Saw, body))
	}
	for r, err := range v.records(v.state.since) {
		if err != nil {
			return nil, err
		}
		if r.Kind == Said || r.Kind == Compacted {
			records = append(records, wrap(now, r.Kind, r.Body))
		}
	}
	return s.create(to, records...)
}

// Load reads the conversation of a session that may be open elsewhere.
func (s *Store) Load(id string) (Conversation, error) {
	v, err := s.look(id)
	if err != nil {
		return Conversation{}, err
	}
	defer v.disk.Close()
	return v.state.settled().with(v.records(v.state.since))
}

// Records are all records of a session that may be open elsewhere. Any error ends
// them.
func (s *Store) Records(id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		v, err := s.look(id)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer v.disk.Close()
		v.records(chain.Position{})(yield)
	}
}

// view is a session as it stands at a moment.
type view struct {
	disk    chain.Disk
	state   state
	damaged func(error) error
}

// look reads a session without taking it. What another process is writing just now is
// not there yet.
func (s *Store) look(id string) (*view, error) {
	if err := s.find(id); err != nil {
		return nil, err
	}
	path := filepath.Join(s.path(id), transcriptName)
	disk, err := chain.OpenToRead(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.unknown(id)
	}
	if err != nil {
		return nil, fmt.Errorf("session %s cannot be used: %w", id, err)
	}
	if err := privateFile(path, disk); err != nil {
		_ = disk.Close()
		return nil, err
	}
	v := &view{disk: disk, damaged: func(err error) error { return &Damaged{ID: id, Path: path, Err: err} }}
	if err := v.read(id); err != nil {
		_ = disk.Close()
		return nil, v.damaged(err)
	}
	return v, nil
}

func (v *view) read(id string) error {
	in := chain.NewReader(io.NewSectionReader(v.disk, 0, 1<<62), chain.Position{})
	for e, err := range in.All() {
		if unfinished(err) {
			break
		}
		if err != nil {
			return err
		}
		r, err := unwrap(e)
		if err == nil {
			err = v.state.take(r, e.Position)
		}
		if err != nil {
			return err
		}
	}
	return v.state.check(id)
}

// unfinished: somebody is writing the line, or has died over it.
func unfinished(err error) bool {
	f, ok := errors.AsType[*chain.Fault](err)
	return ok && (f.Kind == chain.Torn || f.Kind == chain.Unended)
}

func (v *view) records(from chain.Position) iter.Seq2[Record, error] {
	return unwrapped(diskRecords(v.disk)(from, v.state.end), v.damaged)
}
