package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/chain"
)

// Transcript is a session that is open. It is safe for concurrent use.
type Transcript struct {
	id, dir string
	now     func() time.Time
	log     *chain.Log
	// records reads what is there between two places.
	records func(from, to chain.Position) *chain.Reader
	unlock  func()
	lease   Lease // nil for a session that lies on this machine only
	// ship brings records to the depot, and trace is what its outline needs; nil as well.
	ship  *shipping
	trace *trace

	mu     sync.Mutex
	state  state
	head   head
	behind error // why the head could not be written
	broken error // why nothing more can be recorded
	loose  bool  // the last record is not sure to be on the disk
}

// Memory is a session of which nothing is kept: for --no-session-persistence.
func Memory(id string, start Start) (*Transcript, error) {
	m := &memory{}
	t := &Transcript{id: id, now: time.Now, log: chain.NewLog(m, chain.Position{}), records: m.records, unlock: func() {}}
	start.Session, start.Cwd, start.Requester = id, wellFormed(start.Cwd), wellFormed(start.Requester)
	return t, t.Append(Started, start)
}

// ID is that of the session.
func (t *Transcript) ID() string { return t.id }

// Dir is where the session lies, for what else belongs to it; empty when nothing is
// kept.
func (t *Transcript) Dir() string { return t.dir }

// Path is the file; empty when nothing is kept.
func (t *Transcript) Path() string {
	if t.dir == "" {
		return ""
	}
	return filepath.Join(t.dir, transcriptName)
}

// Append writes a record. The body is anything that strictjson writes; a Raw keeps its
// spelling. When Append returns without an error the record is on the disk.
//
// When the disk fails or somebody else has changed the file, this and every later Append is an error that says so: whoever
// works on must not do it unrecorded. A body that is no JSON or too large is an error
// as well, which the transcript survives.
func (t *Transcript) Append(kind Kind, body any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.add(kind, body, t.log.Append); err != nil {
		return err
	}
	t.loose = false
	return t.mark()
}

// Write is [Transcript.Append] for a record on which nothing depends yet: it is in the file,
// and on the disk with the next record, or when the transcript is closed. It fails as
// Append does.
func (t *Transcript) Write(kind Kind, body any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.add(kind, body, t.log.Write); err != nil {
		return err
	}
	t.loose = true // so the head must not name it: it would be ahead after a crash
	return nil
}

// mark writes the head.
func (t *Transcript) mark() error {
	if err := t.head.write(t.state.end.Link); err != nil {
		// The record is there, but that it was could be hidden.
		t.behind = t.unrecorded(err)
	}
	return t.behind
}

// Broken is why nothing more can be recorded, as the first record was told that could not be; nil
// when everything could.
func (t *Transcript) Broken() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.broken
}

// StillOurs makes sure that no other machine has taken the session: whoever was asleep, or cut off
// from the depot, does not know. Without an error something may begin now, and what comes of it can
// be recorded, as far as anybody can tell. With one the session does not go on here, unless nobody has
// waited for the answer; what ran meanwhile is recorded if the depot still takes it.
func (t *Transcript) StillOurs(ctx context.Context) error {
	if t.lease == nil {
		return nil
	}
	err := t.lease.StillOurs(ctx)
	if err == nil || ctx.Err() != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unrecorded(&undelivered{err})
}

// unrecorded is the error for a record that could not be written. A depot says itself what can be
// done about it; everything else is a matter of the disk.
func (t *Transcript) unrecorded(err error) error {
	way := "see that the disk is not full; what was recorded before is safe"
	if _, elsewhere := errors.AsType[*undelivered](err); elsewhere {
		way = "what was recorded before is safe"
	}
	if errors.Is(err, ErrForeign) {
		way = fmt.Sprintf("see who else writes %s; nothing was added to it", t.Path())
	}
	err = fmt.Errorf("the session cannot be recorded any more: %w (%s)", err, way)
	if t.broken == nil {
		t.broken = err
	}
	return err
}

func (t *Transcript) add(kind Kind, body any, write func(...[]byte) (chain.Position, error)) error {
	record, err := encode(t.now(), kind, body)
	if err != nil {
		return err
	}
	// What could not be taken in when the session is opened again is refused now.
	next := chain.Entry{Record: record}
	next.Number = t.state.end.Number + 1
	r, err := unwrap(next)
	if err != nil {
		return err
	}
	changed := t.state
	if err := changed.take(r, t.state.end); err != nil {
		return err
	}
	if t.behind != nil {
		return t.behind
	}
	if kind.concernsTickets() && t.dir != "" && t.lease == nil {
		leaveNote(filepath.Dir(t.dir), t.id)
	}
	if t.follow(r); t.ship != nil {
		t.ship.outline = t.outline(&changed)
	}
	end, err := write(record)
	if errors.Is(err, chain.ErrUnfit) {
		return fmt.Errorf("a record of kind %s: %w", kind, err)
	}
	if err != nil {
		return t.unrecorded(err)
	}
	changed.end = end
	t.state = changed
	return nil
}

// follow takes a record into the outline. One that cannot be read ends it: whoever lists the session
// finds that out.
func (t *Transcript) follow(r Record) {
	if t.trace != nil && t.trace.take(r) != nil {
		t.trace = nil
	}
}

func (t *Transcript) outline(s *state) *Outline {
	if t.trace == nil {
		return nil
	}
	o, err := t.trace.outline(s)
	if err != nil {
		return nil
	}
	return &o
}

// Head is the number and sum of the last record: kept elsewhere, it proves that none
// was cut off.
func (t *Transcript) Head() string { return t.place().Link.String() }

func (t *Transcript) place() chain.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state.end
}

// Records are all records so far, each checked once more.
func (t *Transcript) Records() iter.Seq2[Record, error] {
	return t.between(chain.Position{}, t.place())
}

func (t *Transcript) between(from, to chain.Position) iter.Seq2[Record, error] {
	return unwrapped(t.records(from, to), func(err error) error { return &Damaged{ID: t.id, Path: t.Path(), Err: err} })
}

// unwrapped are the records of a chain; any error ends them.
func unwrapped(in *chain.Reader, damaged func(error) error) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for e, err := range in.All() {
			var r Record
			if err == nil {
				r, err = unwrap(e)
			}
			if err != nil {
				yield(Record{}, damaged(err))
				return
			}
			r.Body = clone(r.Body)
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Close gives the session back. What was appended is safe already, and what was only
// written is then.
func (t *Transcript) Close() error {
	t.mu.Lock()
	var loose error
	if t.loose && t.behind == nil {
		if loose = t.log.Sync(); loose == nil {
			loose = t.mark()
		}
	}
	err := errors.Join(loose, t.log.Close())
	t.head.close()
	unlock := t.unlock
	t.unlock = func() {} // it may be somebody else's by the next time
	t.mu.Unlock()
	unlock()
	return err
}

// diskRecords reads from a file.
func diskRecords(d chain.Disk) func(from, to chain.Position) *chain.Reader {
	return func(from, to chain.Position) *chain.Reader {
		return chain.NewReader(io.NewSectionReader(d, from.Offset, to.Offset-from.Offset), from)
	}
}

// memory stands in for a file.
type memory struct {
	mu   sync.Mutex
	data []byte
}

func (m *memory) Write(data []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.data = append(m.data, data...)
	return len(data), nil
}

func (m *memory) records(from, to chain.Position) *chain.Reader {
	m.mu.Lock()
	defer m.mu.Unlock()
	return chain.NewReader(bytes.NewReader(m.data[from.Offset:to.Offset]), from)
}

func (*memory) Sync() error          { return nil }
func (*memory) Truncate(int64) error { return nil }
func (*memory) Close() error         { return nil }
