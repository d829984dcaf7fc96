package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Summary is a session in a list. It is read in haste: only [Store.Resume] proves that
// a session is whole.
type Summary struct {
	ID      string
	Cwd     string
	Parent  string
	Started time.Time
	Last    time.Time // of the last record
	// Prompt is the first line of the first prompt. Anybody may have written it.
	Prompt string
	State  State
	// Labels are what a machine must have to go on with it, as far as anybody can say.
	Labels []string
}

// State is how a session stands.
type State uint8

// The states.
const (
	// Interrupted: its last prompt was not worked off.
	Interrupted State = iota + 1
	// Done: its last prompt was worked off.
	Done
	// Running: a process has it open.
	Running
	// Broken: its transcript cannot be read.
	Broken
)

func (s State) String() string {
	switch s {
	case Interrupted:
		return "interrupted"
	case Done:
		return "done"
	case Running:
		return "running"
	case Broken:
		return "damaged"
	}
	return fmt.Sprintf("state %d", s)
}

// List are the sessions, the one that was written last first. What is no session is
// left out.
func (s *Store) List() iter.Seq2[Summary, error] {
	return func(yield func(Summary, error) bool) {
		ids, err := s.IDs()
		if err != nil {
			yield(Summary{}, err)
			return
		}
		for _, id := range ids {
			if !yield(s.summary(id), nil) {
				return
			}
		}
	}
}

// Summary is that of one session; false means that there is none, or only a copy.
func (s *Store) Summary(id string) (Summary, bool) {
	if CheckID(id) != nil || s.Elsewhere(id) != nil || !s.begun(id) {
		return Summary{}, false
	}
	return s.summary(id), true
}

// Latest is the id of the session in a directory that was written last. Without one the
// error wraps [ErrUnknown]. It may be one of which only a copy is here: whoever goes on with it
// is told so, and not with an older one.
func (s *Store) Latest(cwd string) (string, error) {
	all, err := s.here()
	if err = unlisted(err); s.Depot != nil {
		all, err = s.Listed()
	}
	if err != nil {
		return "", err
	}
	cwd = wellFormed(cwd)
	for _, one := range newestFirst(all) {
		if at, err := s.cwdOf(one); err == nil && at == cwd {
			return one.ID, nil
		}
	}
	return "", fmt.Errorf("%w: none was started in %s", ErrUnknown, cwd)
}

// cwdOf is where a session was started. That of one in the depot is known without bringing it here, which
// may take long, or fail.
func (s *Store) cwdOf(one Listed) (string, error) {
	if one.stored != nil {
		return one.stored.Cwd, nil
	}
	first, err := s.first(one.ID)
	return first.Cwd, err
}

// Listed is a session as a list of all has it.
type Listed struct {
	ID      string
	written time.Time
	stored  *Stored // nil: it does not lie in the depot
}

// Listed are all sessions, the one that was written last first. Copies are none: with a depot it says
// what there is, and without one nobody knows what has become of them.
func (s *Store) Listed() ([]Listed, error) {
	all, err := s.here()
	if err != nil {
		return nil, unlisted(err)
	}
	all = slices.DeleteFunc(all, func(l Listed) bool { return s.isCopy(l.ID) })
	if s.Depot == nil {
		return newestFirst(all), nil
	}
	stored, err := s.Depot.List()
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, one := range stored {
		there[one.ID] = true
	}
	all = slices.DeleteFunc(all, func(l Listed) bool { return there[l.ID] }) // it counts, whatever is here under its name
	for _, one := range stored {
		all = append(all, Listed{one.ID, one.Written, &one})
	}
	return newestFirst(all), nil
}

// IDs are those of all sessions, the one that was written last first.
func (s *Store) IDs() ([]string, error) {
	all, err := s.Listed()
	return idsOf(all), err
}

func unlisted(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the sessions cannot be listed: %w", err)
}

// newestFirst orders sessions, the one that was written last first.
func newestFirst(all []Listed) []Listed {
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(b.written.Compare(a.written), strings.Compare(a.ID, b.ID))
	})
	return all
}

func idsOf(all []Listed) []string {
	ids := make([]string, len(all))
	for i, one := range all {
		ids[i] = one.ID
	}
	return ids
}

// here are the sessions in the directory of the store, also those that are copies.
func (s *Store) here() (all []Listed, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !isID(e.Name()) || !e.IsDir() {
			continue
		}
		if info, err := os.Lstat(filepath.Join(s.path(e.Name()), transcriptName)); err == nil {
			all = append(all, Listed{ID: e.Name(), written: info.ModTime()})
		}
	}
	return all, err
}

// first is how a session began.
func (s *Store) first(id string) (start Start, err error) {
	if !s.begun(id) {
		return start, s.unknown(id)
	}
	return s.firstHere(id)
}

// firstHere is how a session began of which at least that is here.
func (s *Store) firstHere(id string) (start Start, err error) {
	disk, err := chain.OpenToRead(filepath.Join(s.path(id), transcriptName))
	if err != nil {
		return start, err
	}
	defer disk.Close()
	e, err := chain.NewReader(disk, chain.Position{}).Next()
	if err != nil {
		return start, err
	}
	r, err := unwrap(e)
	if err != nil {
		return start, err
	}
	return start, strictjson.Unmarshal(r.Body, &start)
}

func (s *Store) summary(id string) Summary {
	sum := Summary{ID: id, State: Broken}
	if err := s.refresh(id); err != nil { // what is here may be a part of it
		if _, inUse := errors.AsType[*InUse](err); inUse {
			sum.State = Running
		}
		return sum
	}
	disk, err := chain.OpenToRead(filepath.Join(s.path(id), transcriptName))
	if err != nil {
		return sum
	}
	defer disk.Close()
	info, err := disk.Stat()
	if err != nil || !sum.readFront(disk) {
		return sum
	}
	last, ok, err := chain.Last(disk, info.Size())
	if !ok || err != nil {
		return sum
	}
	r, err := unwrap(last)
	if err != nil {
		return sum
	}
	sum.Last = r.Time
	sum.Labels, _ = s.Labels(id) // a database that does not answer says the same about everything else
	switch {
	case s.Held(id):
		sum.State = Running
	case r.Kind == Ended:
		sum.State = Done
	default:
		sum.State = Interrupted
	}
	return sum
}

// readFront reads up to the first prompt, which is not far.
func (sum *Summary) readFront(r io.Reader) bool {
	const far = 64
	var start Start
	for e, err := range chain.NewReader(r, chain.Position{}).All() {
		if unfinished(err) || e.Number > far {
			break
		}
		if err != nil {
			return false
		}
		record, err := unwrap(e)
		if err != nil {
			return false
		}
		switch {
		case record.Number == 1:
			if strictjson.Unmarshal(record.Body, &start) != nil || start.Session != sum.ID {
				return false
			}
			sum.Cwd, sum.Parent, sum.Started = start.Cwd, start.Parent, record.Time
		case record.Kind == Said:
			if sum.Prompt = promptLine(record.Body); sum.Prompt != "" {
				return true
			}
		}
	}
	return !sum.Started.IsZero()
}

// promptLine is the first line of a message that a person has written.
func promptLine(body []byte) string {
	var m model.Message
	if strictjson.Unmarshal(body, &m) != nil || m.Role != model.User {
		return ""
	}
	for _, b := range m.Content {
		line, _, _ := strings.Cut(strings.TrimSpace(b.Text), "\n")
		if line = strings.TrimSpace(line); b.Kind == model.Text && line != "" {
			const most = 200
			if runes := []rune(line); len(runes) > most {
				line = string(runes[:most]) + "…"
			}
			return line
		}
	}
	return ""
}
