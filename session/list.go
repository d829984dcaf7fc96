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
		all, err := s.Listed()
		if err != nil {
			yield(Summary{}, err)
			return
		}
		for some := range slices.Chunk(all, atOnce) {
			if err := s.withOutlines(some); err != nil {
				yield(Summary{}, err)
				return
			}
			for _, one := range some {
				if !yield(s.summary(one), nil) {
					return
				}
			}
		}
	}
}

// atOnce is of how many sessions the depot is asked at the same time.
const atOnce = 500

// withOutlines asks the depot how sessions in a list stand.
func (s *Store) withOutlines(list []Listed) error {
	ids := []string{}
	for _, one := range list {
		if one.stored != nil {
			ids = append(ids, one.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	stored, err := s.Depot.List(Sought{IDs: ids, Outlines: true})
	if err != nil {
		return err
	}
	now := map[string]*Stored{}
	for i := range stored {
		now[stored[i].ID] = &stored[i]
	}
	for i, one := range list {
		if is := now[one.ID]; is != nil {
			list[i].stored = is
		}
	}
	return nil
}

// Recent are so many of the sessions that were written last, without some that exist, and how many
// more there are.
func (s *Store) Recent(most int, without map[string]bool) (some []Summary, more int, err error) {
	all, count, err := s.newest(most + len(without))
	if err != nil {
		return nil, 0, err
	}
	all = slices.DeleteFunc(all, func(l Listed) bool { return without[l.ID] })
	all = all[:min(len(all), most)]
	if err := s.withOutlines(all); err != nil {
		return nil, 0, err
	}
	for _, one := range all {
		some = append(some, s.summary(one))
	}
	return some, max(count-len(without)-len(some), 0), nil // some may have come or gone meanwhile
}

// newest are at least so many of the sessions that were written last, and how many there are.
func (s *Store) newest(most int) (all []Listed, count int, err error) {
	if s.Depot == nil {
		all, err = s.Listed()
		return all, len(all), err
	}
	if all, err = s.onlyHereListed(); err != nil {
		return nil, 0, err
	}
	if count, err = s.Depot.Count(); err != nil {
		return nil, 0, err
	}
	count += len(all)
	stored, err := s.Depot.List(Sought{Most: most})
	return newestFirst(append(all, listed(stored)...)), count, err
}

// WithCalls are the sessions in which calls may wait, and those of some ids that exist, the one that was
// written last first. It is known then how those stand that lie in the depot.
func (s *Store) WithCalls(ids []string) ([]Listed, error) {
	if s.Depot == nil {
		return s.Listed()
	}
	all, err := s.onlyHereListed()
	if err != nil {
		return nil, err
	}
	stored, err := s.Depot.List(Sought{Only: WithCalls, Outlines: true})
	if err != nil {
		return nil, unlisted(err)
	}
	known := map[string]bool{}
	for _, one := range stored {
		known[one.ID] = true
	}
	others := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return known[id] || CheckID(id) != nil })
	further, err := s.Those(others)
	return newestFirst(slices.Concat(all, listed(stored), further)), err
}

// Those are the sessions in the depot with some ids, and how they stand.
func (s *Store) Those(ids []string) (all []Listed, err error) {
	for some := range slices.Chunk(ids, atOnce) {
		stored, err := s.Depot.List(Sought{IDs: some, Outlines: true})
		if err != nil {
			return nil, unlisted(err)
		}
		all = append(all, listed(stored)...)
	}
	return all, nil
}

func listed(stored []Stored) []Listed {
	all := make([]Listed, len(stored))
	for i := range stored {
		all[i] = Listed{stored[i].ID, stored[i].Written, &stored[i]}
	}
	return all
}

// onlyHereListed are the sessions on this machine that are no copies and do not lie in the depot.
func (s *Store) onlyHereListed() ([]Listed, error) {
	all, err := s.here()
	if err != nil {
		return nil, unlisted(err)
	}
	all = slices.DeleteFunc(all, func(l Listed) bool { return s.isCopy(l.ID) })
	there, err := s.known(idsOf(all))
	if err != nil {
		return nil, unlisted(err)
	}
	return slices.DeleteFunc(all, func(l Listed) bool { return there[l.ID] }), nil // it counts, whatever is here under its name
}

// known are those of some sessions that lie in the depot.
func (s *Store) known(ids []string) (map[string]bool, error) {
	there := map[string]bool{}
	for some := range slices.Chunk(ids, atOnce) {
		stored, err := s.Depot.List(Sought{IDs: some})
		if err != nil {
			return nil, err
		}
		for _, one := range stored {
			there[one.ID] = true
		}
	}
	return there, nil
}

// Summary is that of one session; false means that there is none, or only a copy.
func (s *Store) Summary(id string) (Summary, bool) {
	if CheckID(id) != nil || s.Elsewhere(id) != nil {
		return Summary{}, false
	}
	stored, there, err := s.inDepot(id)
	switch {
	case there:
		return s.summary(Listed{ID: id, stored: &stored}), true
	case err != nil && !errors.Is(err, ErrUnknown):
		return Summary{ID: id, State: Broken}, true
	case err != nil || !s.begun(id):
		return Summary{}, false
	}
	return s.summary(Listed{ID: id}), true
}

// Latest is the id of the session in a directory that was written last. Without one the
// error wraps [ErrUnknown]. It may be one of which only a copy is here: whoever goes on with it
// is told so, and not with an older one.
func (s *Store) Latest(cwd string) (string, error) {
	cwd = wellFormed(cwd)
	all, err := s.startedIn(cwd)
	if err != nil {
		return "", err
	}
	for _, one := range newestFirst(all) {
		if at, err := s.cwdOf(one); err == nil && at == cwd {
			return one.ID, nil
		}
	}
	return "", fmt.Errorf("%w: none was started in %s", ErrUnknown, cwd)
}

// startedIn are sessions among which those are that were started in a directory and were written last.
func (s *Store) startedIn(cwd string) ([]Listed, error) {
	if s.Depot == nil {
		all, err := s.here()
		return all, unlisted(err)
	}
	all, err := s.onlyHereListed()
	if err != nil {
		return nil, err
	}
	stored, err := s.Depot.List(Sought{Cwd: &cwd, Most: 1})
	return append(all, listed(stored)...), err
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

// Labels are what a machine must have to go on with it, sorted.
func (l Listed) Labels() []string {
	if l.stored == nil {
		return nil
	}
	return l.stored.Labels
}

// Stands tells apart how it stands in the depot by what changes with that.
func (l Listed) Stands() int64 {
	if l.stored == nil {
		return 0
	}
	return l.stored.Size
}

// Listed are all sessions, the one that was written last first. Copies are none: with a depot it says
// what there is, and without one nobody knows what has become of them.
func (s *Store) Listed() ([]Listed, error) { return s.listedFrom("") }

// listedFrom are those whose ids begin so.
func (s *Store) listedFrom(prefix string) ([]Listed, error) {
	var all []Listed
	var err error
	if s.Depot == nil {
		all, err = s.here()
		all = slices.DeleteFunc(all, func(l Listed) bool { return s.isCopy(l.ID) })
	} else {
		all, err = s.onlyHereListed()
	}
	if err != nil {
		return nil, unlisted(err)
	}
	all = slices.DeleteFunc(all, func(l Listed) bool { return !strings.HasPrefix(l.ID, prefix) })
	if s.Depot == nil {
		return newestFirst(all), nil
	}
	stored, err := s.Depot.List(Sought{Prefix: prefix})
	return newestFirst(append(all, listed(stored)...)), err
}

// IDsFrom are the ids of the sessions that begin so, the one that was written last first.
func (s *Store) IDsFrom(prefix string) ([]string, error) {
	all, err := s.listedFrom(prefix)
	return idsOf(all), err
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
	stored, there, err := s.inDepot(id)
	switch {
	case there:
		k, err := s.sketch(stored)
		return k.Start, err
	case err != nil && !errors.Is(err, ErrUnknown):
		return start, err
	case err != nil || !s.begun(id):
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

func (s *Store) summary(one Listed) Summary {
	if one.stored != nil {
		return s.summaryOf(*one.stored)
	}
	id := one.ID
	sum := Summary{ID: id, State: Broken}
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
	switch {
	case s.heldHere(id):
		sum.State = Running
	case r.Kind == Ended:
		sum.State = Done
	default:
		sum.State = Interrupted
	}
	return sum
}

// summaryOf is that of a session in the depot.
func (s *Store) summaryOf(stored Stored) Summary {
	sum := Summary{ID: stored.ID, Cwd: stored.Cwd, Last: stored.Written, Labels: stored.Labels, State: Broken}
	k, err := s.sketch(stored)
	if err != nil {
		return sum
	}
	sum.Parent, sum.Started, sum.Prompt = k.Start.Parent, k.Began, k.Prompt
	switch {
	case stored.Holder != "":
		sum.State = Running
	case k.Ended:
		sum.State = Done
	default:
		sum.State = Interrupted
	}
	return sum
}

// readFront reads up to the first prompt, which is not far.
func (sum *Summary) readFront(r io.Reader) bool {
	var start Start
	for e, err := range chain.NewReader(r, chain.Position{}).All() {
		if unfinished(err) || e.Number > farPrompt {
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
