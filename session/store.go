package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
)

// Store is a directory of sessions, one directory for each.
type Store struct {
	dir string
	now func() time.Time
	// Prepare is called with the directory of a new session, which is locked, before its
	// transcript appears: what a session cannot be without must be there first. Nil
	// means that there is nothing to do.
	Prepare func(dir string) error
	// Depot is where the sessions lie; nil means that they lie here.
	Depot Depot
	// through lets tests stand between a transcript and its file.
	through func(chain.File) chain.File
}

// NewStore is the store in a directory, which need not exist yet.
func NewStore(dir string) *Store {
	return &Store{dir: dir, now: time.Now, through: func(f chain.File) chain.File { return f }}
}

const transcriptName = "transcript.jsonl"

func (s *Store) path(id string) string { return filepath.Join(s.dir, id) }

// Create begins a session. The start gets the session's id.
func (s *Store) Create(id string, start Start) (*Transcript, error) {
	start.Session = id
	record, err := encodeStart(s.now(), start)
	if err != nil {
		return nil, err
	}
	return s.create(id, record)
}

func encodeStart(at time.Time, start Start) ([]byte, error) {
	start.Cwd, start.Requester = wellFormed(start.Cwd), wellFormed(start.Requester)
	return encode(at, Started, start)
}

// create makes a session that consists of records. It is there with all of them, or
// not at all.
func (s *Store) create(id string, records ...[]byte) (_ *Transcript, err error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	lines, err := chain.Lines(records...)
	if err != nil {
		return nil, err
	}
	if err := s.unusedInDepot(id); err != nil {
		return nil, forkable(err)
	}
	_, missing := os.Lstat(s.path(id))
	isNew := errors.Is(missing, fs.ErrNotExist)
	if err := durable.MakeDir(s.path(id), 0o700); err != nil {
		return nil, fmt.Errorf("the session cannot be kept: %w (make the directory writable, or set ASSENT_HOME to one that is)", err)
	}
	unlock, err := s.lock(id)
	if err != nil {
		if isNew {
			_ = os.Remove(s.path(id)) // unless somebody else has begun to use it
		}
		return nil, forkable(err)
	}
	written := false
	defer func() {
		switch {
		case err == nil:
			return
		case written: // what the depot may have of it by now is all there is
			s.takeBack(id, isNew)
		case isNew && !errors.Is(err, ErrExists):
			s.undo(id)
		}
		unlock()
	}()
	path := filepath.Join(s.path(id), transcriptName)
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%w: %s (leave the id out for a new one, or continue it with --resume)", ErrExists, id)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if s.Prepare != nil {
		if err := s.Prepare(s.path(id)); err != nil {
			return nil, err
		}
	}
	// A head that lies here is that of a session that never began.
	if err := os.Remove(headPath(s.path(id))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	written = true
	if s.Depot == nil && concernTickets(records) {
		leaveNote(s.dir, id)
	}
	if err := s.foretell(id); err != nil {
		return nil, err
	}
	if err := durable.Replace(path, lines, 0o600, ""); err != nil {
		return nil, fmt.Errorf("the session cannot be kept: %w", err)
	}
	var lease Lease
	if s.Depot != nil {
		if lease, err = s.handOver(id, nil); err != nil {
			return nil, err
		}
		unlock = releasing(lease, unlock)
	}
	t, err := s.open(id, lease, unlock)
	if err != nil {
		return nil, err
	}
	if err := t.head.write(t.state.end.Link); err != nil {
		_ = t.log.Close()
		return nil, fmt.Errorf("the session cannot be kept: %w", err)
	}
	return t, nil
}

// Resume takes a session up again. Nothing is written, but that the beginning of a
// record is removed which a process has left that died. The error is an [*InUse] when
// another process has it open, a [*Damaged] when it is not as it was written, an
// [*Exposed] when others could have written it, and wraps [ErrUnknown] or [ErrBadID].
func (s *Store) Resume(id string) (*Transcript, error) {
	t, err := s.resume(id)
	return t, forkable(err)
}

// forkable says of a session that is in use that one could go on with a copy of it.
func forkable(err error) error {
	if inUse, ok := errors.AsType[*InUse](err); ok {
		inUse.Forkable = true
	}
	return err
}

func (s *Store) resume(id string) (*Transcript, error) {
	if err := s.find(id); err != nil {
		return nil, err
	}
	lease, unlock, err := s.lockAndTake(id)
	if err != nil {
		return nil, err
	}
	t, err := s.open(id, lease, unlock)
	if err != nil {
		unlock()
	}
	return t, err
}

// lockAndTake makes a session this process's own, on this machine and among all. The lease is nil where
// sessions stay on this one. Nothing of a session comes here while another machine works on it.
func (s *Store) lockAndTake(id string) (Lease, func(), error) {
	if s.Depot == nil || s.isHere(id) {
		return s.lockAnd(id, s.take)
	}
	lease, err := s.Depot.Take(id)
	if err != nil {
		return nil, nil, err
	}
	var unlock func()
	if err = s.makeDir(id); err == nil {
		_, unlock, err = s.lockAnd(id, func(string) (Lease, error) { return lease, s.bring(id) })
	}
	if err != nil {
		lease.Release()
		return nil, nil, err
	}
	return lease, unlock, nil
}

func (s *Store) lockAnd(id string, take func(id string) (Lease, error)) (Lease, func(), error) {
	unlock, err := s.lock(id)
	if err != nil {
		return nil, nil, err
	}
	lease, err := take(id)
	if err != nil {
		unlock()
		return nil, nil, err
	}
	if lease != nil {
		unlock = releasing(lease, unlock)
	}
	return lease, unlock, nil
}

// releasing gives a session back to others, and then to others on this machine.
func releasing(lease Lease, unlock func()) func() {
	return func() {
		lease.Release()
		unlock()
	}
}

// find checks that there is a session, and not only a copy of it.
func (s *Store) find(id string) error {
	if err := s.there(id); err != nil {
		return err
	}
	return s.Elsewhere(id)
}

// foundHere checks that a session is here, and not only a copy of one that lies in a depot that nobody
// has named.
func (s *Store) foundHere(id string) error {
	if err := s.isThere(id); err != nil {
		return err
	}
	return s.Elsewhere(id)
}

// there checks that there is a session, or a copy of one.
func (s *Store) there(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	if _, stored, err := s.inDepot(id); stored || err != nil {
		return err
	}
	return s.isThere(id)
}

// isThere checks that there is a transcript of a session here.
func (s *Store) isThere(id string) error {
	if err := s.checkDir(id); err != nil {
		return err
	}
	_, err := os.Lstat(filepath.Join(s.path(id), transcriptName))
	if errors.Is(err, fs.ErrNotExist) {
		return s.unknown(id)
	}
	return err
}

// undo removes a session that could not be made, and is locked. It goes aside first: who
// waits for it must not find half of one.
func (s *Store) undo(id string) {
	if os.Rename(s.path(id), filepath.Join(s.dir, removedMark+id)) == nil {
		_ = s.Discard(id) // what is left of it is no session
	}
}

func (s *Store) unknown(id string) error {
	return fmt.Errorf("%w: %s (in %s)", ErrUnknown, id, s.dir)
}

// checkDir refuses a session that lies elsewhere or where others can write.
func (s *Store) checkDir(id string) error {
	info, err := os.Lstat(s.path(id))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.unknown(id)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("session %s cannot be used: %s is not a directory (a link is not followed; remove it)", id, s.path(id))
	}
	store, err := os.Stat(s.dir)
	if err != nil {
		return err
	}
	if err := private(s.dir, store); err != nil {
		return err
	}
	return private(s.path(id), info)
}

func (s *Store) lock(id string) (unlock func(), err error) {
	if err := s.checkDir(id); err != nil {
		return nil, err
	}
	return lock(id, s.path(id))
}

// open reads a session that is locked and gets ready to write. The lease is nil for one that
// lies on this machine only.
func (s *Store) open(id string, lease Lease, unlock func()) (*Transcript, error) {
	t := &Transcript{id: id, dir: s.path(id), now: s.now, unlock: unlock, lease: lease, head: head{dir: s.path(id)}}
	disk, err := chain.Open(t.Path(), 0)
	if err != nil {
		return nil, fmt.Errorf("session %s cannot be used: %w", id, err)
	}
	if err := own(id, t.Path(), disk); err != nil {
		_ = disk.Close()
		return nil, err
	}
	if lease != nil {
		t.trace = &trace{}
	}
	end, err := t.recover(disk)
	if f, ok := errors.AsType[*chain.Fault](err); err == nil || ok && f.Kind == chain.Cut {
		err = cmp.Or(t.state.check(id), err) // what is no session at all was not cut
	}
	if err != nil {
		_ = disk.Close()
		return nil, &Damaged{ID: id, Path: t.Path(), Err: err}
	}
	file := s.through(owned{disk})
	if lease != nil {
		t.ship = &shipping{File: file, lease: lease, shelf: newShelf(t.dir), at: end.Offset}
		file = t.ship
	}
	t.log = chain.NewLog(file, end)
	t.log.Watch(func(end chain.Position) error { return unchanged(t.Path(), disk, end.Offset) })
	t.records = diskRecords(disk)
	return t, nil
}

// recover reads a transcript to its end, and removes what a process that died has left of
// its last record. Nothing is changed in what is no transcript of this session.
func (t *Transcript) recover(disk chain.Disk) (chain.Position, error) {
	known, err := readHead(t.dir)
	if err != nil {
		return chain.Position{}, err
	}
	if err := beginsWhole(disk); err != nil {
		return chain.Position{}, err
	}
	return chain.RecoverPast(disk, chain.Position{}, known, func(e chain.Entry) error {
		r, err := skim(e)
		if err != nil {
			return err
		}
		if err := t.state.take(r, e.Position); err != nil {
			return err
		}
		if t.follow(r); r.Number > 1 {
			return nil
		}
		return t.state.check(t.id)
	})
}

// beginsWhole: the first record is not torn. A transcript appears together with it, so no
// process that died can have left it so.
func beginsWhole(disk chain.Disk) error {
	_, err := chain.NewReader(io.NewSectionReader(disk, 0, 1<<62), chain.Position{}).Next()
	if f, ok := errors.AsType[*chain.Fault](err); ok && f.Kind == chain.Torn {
		return err
	}
	return nil // whatever else is wrong is found in its turn
}
