package session

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/internal/chain"
)

// recheckMark ends the name of a directory beside that of the sessions. It has the names of those whose
// tickets are to be compared with their transcript. Whoever writes something on which tickets depend
// leaves the name there first, so that nobody has to read all transcripts to find the one whose
// process died before it could tell the tickets. Notes are hints: one that is lost, because the
// machine died, is made up for by a walk through all sessions.
const recheckMark = ".recheck"

// leaveNote leaves the name of a session there. That it cannot be left keeps nobody from going on: what
// depends on it is only found later.
func leaveNote(sessions, id string) {
	path := filepath.Join(notesOf(sessions), id)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		_ = os.Mkdir(filepath.Dir(path), 0o700) // unless somebody else does
		file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	}
	if err == nil {
		_ = file.Close()
	}
}

// notesOf is the directory of the notes about a directory of sessions.
func notesOf(sessions string) string { return filepath.Clean(sessions) + recheckMark }

// concernsTickets: tickets depend on records of a kind; there is a call to be answered, or a person has said that
// one ran.
func (k Kind) concernsTickets() bool { return k == Parked || k == Found }

// concernTickets: tickets depend on the records of a new session, which end with the calls that wait.
func concernTickets(records [][]byte) bool {
	last := chain.Entry{Record: records[len(records)-1]}
	last.Number = len(records)
	r, err := unwrap(last)
	return err == nil && r.Kind.concernsTickets()
}

// NotedInDepot are sessions in the depot whose tickets are to be compared with how they stand, so many at
// most. The depot knows of them, and nobody has to go through all sessions there.
func (s *Store) NotedInDepot(most int) ([]Listed, error) {
	stored, err := s.Depot.List(Sought{Only: ToRecheck, Outlines: true, Most: most})
	return listed(stored), unlisted(err)
}

// RecheckedInDepot says that nobody needs to recheck a session in such a list any more, unless it has
// changed since.
func (s *Store) RecheckedInDepot(list []Listed) error {
	for some := range slices.Chunk(list, atOnce) {
		var of []Stored
		for _, one := range some {
			of = append(of, *one.stored)
		}
		if err := s.Depot.Rechecked(of); err != nil {
			return err
		}
	}
	return nil
}

// OutlineOlder writes down how some sessions in the depot stand, so many at most, of which an earlier
// version did not do so.
func (s *Store) OutlineOlder(most int) error {
	stored, err := s.Depot.List(Sought{Only: Unoutlined, Most: most})
	if err != nil {
		return unlisted(err)
	}
	for _, one := range stored {
		_, _ = s.sketch(one) // one that cannot be read says so to whoever lists it
	}
	return nil
}

// ToRecheck are the sessions whose tickets are to be compared with their transcript.
func (s *Store) ToRecheck() ([]string, error) {
	entries, err := os.ReadDir(notesOf(s.dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unlisted(err)
	}
	var ids []string
	for _, e := range entries {
		if isID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// Rechecked forgets that a session is to be rechecked. It comes before the look at it, so that what
// is written meanwhile is not forgotten; see [Store.RecheckAgain].
func (s *Store) Rechecked(id string) {
	if CheckID(id) == nil {
		_ = os.Remove(filepath.Join(notesOf(s.dir), id)) // mostly there is no note
	}
}

// RecheckAgain says that a session is to be rechecked once more: nobody could do it now.
func (s *Store) RecheckAgain(id string) {
	if CheckID(id) == nil {
		leaveNote(s.dir, id)
	}
}

// Walk goes through all sessions on this machine, part by part, without keeping a list of them. It
// begins again at the end. Sessions that come meanwhile may turn up only then.
type Walk struct {
	store *Store
	dir   *os.File // nil before the beginning
}

// Walk begins one.
func (s *Store) Walk() *Walk { return &Walk{store: s} }

// Next are further sessions, copies among them; none at the end. At most so many directories are
// looked at for that.
func (w *Walk) Next(most int) (ids []string, err error) {
	if w.dir == nil {
		w.dir, err = os.Open(w.store.dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	for err == nil && len(ids) == 0 {
		var names []string
		names, err = w.dir.Readdirnames(most)
		for _, name := range names {
			if isID(name) {
				ids = append(ids, name)
			}
		}
	}
	if err == nil {
		return ids, nil
	}
	w.Close()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return ids, unlisted(err)
}

// Close ends the walk. The next one begins at the beginning.
func (w *Walk) Close() {
	if w.dir != nil {
		_ = w.dir.Close()
		w.dir = nil
	}
}
