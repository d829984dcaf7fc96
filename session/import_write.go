package session

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Import makes a session of an exported one: it is there as a whole, or not at all. An
// id that exists is refused with [ErrExists]. may is asked while nobody else can make a
// session of that id, and its error keeps this one from being made; nil means that it may.
//
// Whoever imports it is from then on one of those who want its calls: nobody can say who wrote the
// file, so all words in it may be his.
//
// With a cwd the session is bound to that directory, which is absolute: it works there
// from then on, and so do the calls that wait. Its first record says the new directory,
// because that is where everybody looks for it, so the records are chained anew; the
// last one says what was changed, by whom, and to which record the old chain led.
func (s *Store) Import(x *Exported, cwd, by string, may func() error) error {
	return s.whileFree(x.Session, func(path string, isNew bool) error {
		if may != nil {
			if err := may(); err != nil {
				s.leave(x.Session, isNew)
				return err
			}
		}
		err := s.foretell(x.Session)
		if err == nil {
			err = s.write(x, path, cwd, by)
		}
		if err != nil {
			s.takeBack(x.Session, isNew)
			return fmt.Errorf("the session cannot be kept: %w (nothing of it is left here; see that the disk is not full)", err)
		}
		if s.Depot == nil {
			return nil
		}
		lease, err := s.handOver(x.Session, nil)
		if err != nil {
			s.takeBack(x.Session, isNew)
			return err
		}
		lease.Release()
		return nil
	})
}

// Gone: there is no session of that id.
func (s *Store) Gone(id string) bool { return CheckID(id) != nil || !s.begun(id) }

// GoneOf are those of some sessions that do not exist any more. Of one of which nobody can say so it is
// not said.
func (s *Store) GoneOf(ids []string) (gone []string) {
	var there map[string]bool
	if s.Depot != nil {
		var err error
		if there, err = s.known(ids); err != nil {
			return nil
		}
	}
	for _, id := range ids {
		if !there[id] && s.Gone(id) {
			gone = append(gone, id)
		}
	}
	return gone
}

// WhileGone does something while nobody can make a session of an id that is free; it is
// [ErrExists] if there is one, and an [*InUse] if somebody is making one. A removal that has
// not ended before is still known as such if the error is another one.
func (s *Store) WhileGone(id string, do func() error) error {
	if err := CheckID(id); err != nil {
		return err
	}
	return s.whileFree(id, func(_ string, isNew bool) error {
		err := do()
		if !isNew || !slices.Contains(s.Discarded(), id) {
			s.leave(id, isNew)
			return err
		}
		aside := filepath.Join(s.dir, removedMark+id)
		_ = os.Remove(aside) // it is empty by now, and in the way
		if os.Rename(s.path(id), aside) == nil && err == nil {
			_ = s.Discard(id)
		}
		return err
	})
}

// leave removes a directory that was made for a session and is not used.
func (s *Store) leave(id string, isNew bool) {
	if isNew {
		s.undo(id)
	}
}

// whileFree does something with the place of a session that does not exist, while nobody
// else can make one there. path is that of its transcript; isNew: its directory was made
// for this.
func (s *Store) whileFree(id string, do func(path string, isNew bool) error) error {
	path := filepath.Join(s.path(id), transcriptName)
	switch _, there, err := s.inDepot(id); {
	case there:
		return exists(id)
	case err != nil && !errors.Is(err, ErrUnknown):
		return err
	}
	if err := s.free(path, id); err != nil {
		return err
	}
	_, missing := os.Lstat(s.path(id))
	isNew := errors.Is(missing, fs.ErrNotExist)
	if err := durable.MakeDir(s.path(id), 0o700); err != nil {
		return fmt.Errorf("the session cannot be kept: %w (make the directory writable, or set ASSENT_HOME to one that is)", err)
	}
	unlock, err := s.lock(id)
	if err != nil {
		if isNew {
			_ = os.Remove(s.path(id)) // unless somebody else has begun to use it
		}
		return err
	}
	defer unlock()
	if err := s.free(path, id); err != nil { // somebody may have been faster
		return err
	}
	return do(path, isNew)
}

// takeBack removes what was written of a session that could not be made. The transcript goes first:
// a session without its head would not show that something is missing.
func (s *Store) takeBack(id string, isNew bool) {
	for _, name := range []string{transcriptName, headName, stateName, comingMark} {
		_ = os.Remove(filepath.Join(s.path(id), name))
	}
	s.leave(id, isNew)
}

func (s *Store) free(path, id string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return exists(id)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

func exists(id string) error {
	return fmt.Errorf("%w: %s (a session is imported once; remove the one that is here first, if it is not needed)", ErrExists, id)
}

// write writes what belongs to the session. The transcript gets its name last: without one
// there is no session, and with one there is all of it.
func (s *Store) write(x *Exported, path, cwd, by string) (err error) {
	dir := filepath.Dir(path)
	// The state of a session that never began is none of this one.
	if err := os.Remove(filepath.Join(dir, stateName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if x.state != nil {
		if err := durable.Replace(filepath.Join(dir, stateName), x.state, 0o600, ""); err != nil {
			return err
		}
	}
	if err := removeLeftovers(dir); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(dir, importMark+"*") // for its owner only
	if err != nil {
		return err
	}
	f := s.through(temporary)
	defer func() {
		_ = f.Close()
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()
	end := x.end
	if cwd == "" {
		end, err = s.copyWhole(x, f, by)
	} else {
		end, err = s.rebind(x, f, cwd, by)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := durable.Replace(filepath.Join(dir, headName), headText(end.Link), 0o600, ""); err != nil {
		return err
	}
	if x.Pending != nil && s.Depot == nil {
		leaveNote(s.dir, x.Session)
	}
	if err := os.Rename(temporary.Name(), path); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

// importMark begins the name of a transcript that is being written.
const importMark = ".import-"

// removeLeftovers removes what an import has left whose process died.
func removeLeftovers(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), importMark) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func headText(l chain.Link) []byte {
	text := l.String()
	return []byte(text + strings.Repeat(" ", headSize-1-len(text)) + "\n")
}

// copyWhole writes the transcript as it is, and who has brought it.
func (s *Store) copyWhole(x *Exported, f chain.File, by string) (end chain.Position, err error) {
	if err := x.copyTranscript(f); err != nil {
		return end, err
	}
	brought, err := s.brought(x, x.Cwd, by)
	if err != nil {
		return end, err
	}
	return chain.NewLog(unhurried{f}, x.end).Append(brought)
}

// brought is the record that says who has imported a session, as one who takes it up and could
// say something in it.
func (s *Store) brought(x *Exported, cwd, by string) ([]byte, error) {
	return encode(s.now(), Resumed, Start{Session: x.Session, Cwd: wellFormed(cwd), Requester: wellFormed(by)})
}

// copyTranscript copies the transcript, if it still is what was checked.
func (x *Exported) copyTranscript(to io.Writer) error {
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(to, sum), io.NewSectionReader(x.transcript, 0, x.transcript.Size())); err != nil {
		return err
	}
	if sumText(sum) != x.Files[0].SHA256 {
		return errChangedMeanwhile
	}
	return nil
}

var errChangedMeanwhile = errors.New("the file was changed while it was read")

// rebind writes the transcript for another directory.
func (s *Store) rebind(x *Exported, f chain.File, cwd, by string) (end chain.Position, err error) {
	log := chain.NewLog(unhurried{f}, chain.Position{})
	var last chain.Link
	for e, err := range x.entries() {
		if err != nil {
			return end, errChangedMeanwhile
		}
		record := e.Record
		if last = e.Link; e.Number == 1 {
			if record, err = movedStart(e, cwd); err != nil {
				return end, err
			}
		}
		if end, err = log.Append(record); err != nil {
			return end, err
		}
	}
	if last != x.end.Link {
		return end, errChangedMeanwhile
	}
	brought, err := s.brought(x, cwd, by)
	if err != nil {
		return end, err
	}
	if end, err = log.Append(brought); err != nil {
		return end, err
	}
	if x.Pending != nil {
		moved := x.Pending.clone()
		for i := range moved.Calls {
			moved.Calls[i].Cwd = wellFormed(cwd)
		}
		parked, err := encode(s.now(), Parked, moved)
		if err != nil {
			return end, err
		}
		if end, err = log.Append(parked); err != nil {
			return end, err
		}
	}
	note, err := encode(s.now(), Noted, struct {
		Text string `json:"text"`
		From string `json:"from"`
		To   string `json:"to"`
		By   string `json:"by"`
		Head string `json:"head"`
	}{"the session was imported and bound to another directory", x.Cwd, wellFormed(cwd), wellFormed(by), x.Head})
	if err != nil {
		return end, err
	}
	return log.Append(note)
}

// movedStart is the first record with another directory.
func movedStart(e chain.Entry, cwd string) ([]byte, error) {
	r, err := unwrap(e)
	if err != nil {
		return nil, err
	}
	var start map[string]strictjson.Raw // with what a later version may have added
	if err := strictjson.Unmarshal(r.Body, &start); err != nil {
		return nil, badBody(r, err)
	}
	if start["cwd"], err = strictjson.Marshal(wellFormed(cwd)); err != nil {
		return nil, err
	}
	return encode(r.Time, Started, start)
}

// unhurried is a file that is on the disk when all of it is, and not after each record.
type unhurried struct{ chain.File }

func (unhurried) Sync() error { return nil }
