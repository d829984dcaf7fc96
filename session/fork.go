package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Fork begins a session with the conversation of another, which may be open elsewhere
// and is not touched. The start gets the id of the new one and its parent's, and the
// parent's mode if it has none. Whoever has spoken in the other has spoken in this one.
func (s *Store) Fork(from, to string, start Start) (*Transcript, error) {
	v, err := s.look(from)
	if err != nil {
		return nil, err
	}
	defer v.disk.Close()
	birth, err := birthOf(v.disk)
	if err != nil {
		return nil, err
	}
	start.Session, start.Parent, start.Before = to, from, v.state.start.Forks()
	start.Births = append([]string{birth}, v.state.start.Births...)
	start.Requester = account.Join(v.state.start.Requester, start.Requester)
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
	for _, body := range v.state.sights.all() {
		records = append(records, wrap(now, Saw, body))
	}
	for _, body := range v.state.tasks.all() {
		records = append(records, wrap(now, Planned, body))
	}
	if v.state.refused != nil { // a copy is no way to be more patient
		records = append(records, wrap(now, Counted, v.state.refused))
	}
	for r, err := range v.records(v.state.since) {
		if err != nil {
			return nil, err
		}
		if r.Kind == Said || r.Kind == Compacted {
			records = append(records, wrap(now, r.Kind, r.Body))
		}
	}
	if !v.state.cut {
		records = append(records, wrap(now, Ended, strictjson.Raw(`{"subtype":"","stop_reason":""}`)))
	}
	if v.state.pending != nil { // the fork has parked calls of its own
		if i := slices.IndexFunc(v.state.pending.Calls, func(c PendingCall) bool { return c.Stage != Waiting }); i >= 0 {
			return nil, &Unfinished{ID: from, ToolUseID: v.state.pending.Calls[i].ToolUseID}
		}
		parked, err := strictjson.Marshal(v.state.pending)
		if err != nil {
			return nil, err
		}
		records = append(records, wrap(now, Parked, parked))
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
	disk    readable
	state   state
	damaged func(error) error
}

// readable is a transcript.
type readable interface {
	io.ReaderAt
	io.Closer
}

// look reads a session without taking it. What another process is writing just now is
// not there yet. One that is not here as the depot has it is read from there, and no copy is made.
func (s *Store) look(id string) (*view, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	stored, there, err := s.inDepot(id)
	switch {
	case err != nil:
		return nil, err
	case there && !s.isWhole(stored):
		return s.lookAside(stored)
	}
	if err := s.foundHere(id); err != nil {
		return nil, err
	}
	path := filepath.Join(s.path(id), transcriptName)
	known, headErr := watchHead(s.path(id)) // before the transcript, which is never behind it
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
	if err = headErr; err == nil {
		err = v.read(id, known)
	}
	if err != nil {
		_ = disk.Close()
		return nil, v.damaged(err)
	}
	if s.onlyHere(id) { // whoever makes something of it there is the one who brings it
		v.state.start.Requester = account.Join(v.state.start.Requester, account.Name())
	}
	return v, nil
}

func (v *view) read(id string, known chain.Link) error {
	in := chain.NewReader(io.NewSectionReader(v.disk, 0, 1<<62), chain.Position{})
	for e, err := range in.All() {
		if unfinished(err) {
			if e, err = v.unended(in.At(), known, err); err == nil && e.Number == 0 {
				break
			}
		}
		if err != nil {
			return err
		}
		if err := v.take(e, known); err != nil {
			return err
		}
	}
	if err := v.state.check(id); err != nil {
		return err
	}
	if end := v.state.end; end.Number < known.Number {
		return &chain.Fault{Kind: chain.Cut, Line: end.Number + 1, Offset: end.Offset, Want: end.Number + 1}
	}
	return nil
}

func (v *view) take(e chain.Entry, known chain.Link) error {
	if e.Number == known.Number && e.Link != known {
		return &chain.Fault{Kind: chain.Exchanged, Line: e.Line, Offset: e.Offset, Want: e.Number, Found: e.Number}
	}
	r, err := unwrap(e)
	if err != nil {
		return err
	}
	return v.state.take(r, e.Position)
}

// unended reads the last line if it lacks only its line feed and the head names it: then
// it was acknowledged, and counts. Without a head it may have been. Any other line that is
// not finished does not count: the zero entry.
func (v *view) unended(after chain.Position, known chain.Link, fault error) (chain.Entry, error) {
	f, ok := errors.AsType[*chain.Fault](fault)
	if !ok || f.Kind != chain.Unended || known.Number != 0 && known.Number != f.Want {
		return chain.Entry{}, nil
	}
	return chain.NewUnended(v.disk, after).Next()
}

// unfinished: somebody is writing the line, or has died over it.
func unfinished(err error) bool {
	f, ok := errors.AsType[*chain.Fault](err)
	return ok && (f.Kind == chain.Torn || f.Kind == chain.Unended)
}

func (v *view) records(from chain.Position) iter.Seq2[Record, error] {
	// The line feed stands in for one that the last line may lack.
	text := io.MultiReader(io.NewSectionReader(v.disk, from.Offset, 1<<62), strings.NewReader("\n"))
	return unwrapped(chain.NewReader(io.LimitReader(text, v.state.end.Offset-from.Offset), from), v.damaged)
}
