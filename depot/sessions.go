package depot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// Sessions is a depot as package session wants it. A session that is begun here gets these
// labels.
func (d *Depot) Sessions(labels []string) session.Depot { return sessions{d, labels} }

type sessions struct {
	depot  *Depot
	labels []string
}

// patience is how long a session waits for the database before it ends: what is not recorded
// must not be worked on.
const patience = 20 * time.Second

// hardly is how long one waits for it in a process that has no time any more.
const hardly = 200 * time.Millisecond

// asking is for a question to the database.
func (d *Depot) asking() (context.Context, context.CancelFunc) {
	if d.time.Err() != nil {
		return context.WithTimeout(context.Background(), hardly)
	}
	return context.WithTimeout(d.time, patience)
}

// Hurry: the process is about to end. What waits for the database then waits no longer than this,
// and hardly at all after that. What it could not be told is found out by whoever comes next, as
// after a crash.
func (d *Depot) Hurry(within time.Duration) { time.AfterFunc(within, d.timeIsUp) }

func (s sessions) Name() string { return s.depot.name }

func (s sessions) Removed(id string) (bool, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	return s.depot.Removed(ctx, id)
}

func (s sessions) Find(id string) (session.Stored, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	i, err := s.depot.Find(ctx, id)
	return stored(i), translated(err)
}

func (s sessions) Opening(id string) ([]byte, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	text, err := s.depot.Opening(ctx, id, session.MostOfBirth)
	return text, translated(err)
}

func (s sessions) Count() (int, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	return s.depot.Count(ctx)
}

func (s sessions) Outlined(of session.Stored, outline session.Outline) error {
	ctx, stop := s.depot.asking()
	defer stop()
	return s.depot.Outlined(ctx, of.ID, of.Size, outline)
}

func (s sessions) Rechecked(of []session.Stored) error {
	ctx, stop := s.depot.asking()
	defer stop()
	noted := map[string]int64{}
	for _, one := range of {
		noted[one.ID] = one.Noted
	}
	return s.depot.Rechecked(ctx, noted)
}

func (s sessions) List(sought session.Sought) ([]session.Stored, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	infos, err := s.depot.List(ctx, sought)
	var all []session.Stored
	for _, i := range infos {
		all = append(all, stored(i))
	}
	return all, err
}

func stored(i Info) session.Stored {
	return session.Stored{ID: i.ID, Cwd: i.Cwd, Size: i.Size, Written: i.Written, Holder: i.Holder, Labels: i.Labels, Outline: i.Outline, Noted: i.Noted}
}

func (s sessions) Begin(id string, start session.Start, transcript []byte, files map[string][]byte, outline session.Outline) (session.Lease, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	labels, err := s.labelsOf(ctx, start)
	if err != nil {
		return nil, err
	}
	l, err := s.depot.Begin(ctx, id, About{Cwd: start.Cwd, Labels: labels, Outline: &outline}, transcript, files)
	if _, uncertain := errors.AsType[*database.Uncertain](err); uncertain {
		return nil, &session.Unheard{Err: fmt.Errorf("nobody knows whether session %s is in the database now, so it is not worked on without: %w (name the database again to go on with it)", id, translated(err))}
	}
	if err != nil {
		return nil, translated(err)
	}
	return held{l}, nil
}

// labelsOf are those of this process, and with a fork those of the session that it is a fork of: what its
// calls need is what they needed there.
func (s sessions) labelsOf(ctx context.Context, start session.Start) ([]string, error) {
	for _, from := range start.Forks() {
		i, err := s.depot.Find(ctx, from)
		if _, unknown := errors.AsType[*Unknown](err); unknown {
			continue
		}
		if err != nil {
			return nil, translated(err)
		}
		all := slices.Concat(s.labels, i.Labels)
		slices.Sort(all)
		return slices.Compact(all), nil
	}
	return s.labels, nil
}

func (s sessions) Take(id string) (session.Lease, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	l, err := s.depot.Take(ctx, id)
	if err != nil {
		return nil, translated(err)
	}
	return held{l}, nil
}

func (s sessions) Comes(id string) error {
	if s.depot.Comes == nil {
		return nil
	}
	ctx, stop := s.depot.asking()
	defer stop()
	return s.depot.Comes(ctx, id)
}

func (s sessions) Bring(id string, to session.Copy, size int64) error {
	// A long session takes its time to be brought here.
	return translated(s.depot.Bring(s.depot.time, id, to, size))
}

func (s sessions) Lost(id, path string) { s.depot.Lost(id, path) }

func (s sessions) Watch(id string, lost func()) (stop func()) { return s.depot.watch.add(id, lost) }

// Hurry, Undertake, LeftBehind and IsLeftBehind are those of the depot, for crews.
func (s sessions) Hurry(within time.Duration) { s.depot.Hurry(within) }

// Undertake is that of the depot.
func (s sessions) Undertake(id string, taken func(died bool)) (finish func(over bool)) {
	return s.depot.Undertake(id, taken)
}

func (s sessions) LeftBehind(ctx context.Context) ([]string, error) { return s.depot.LeftBehind(ctx) }

func (s sessions) IsLeftBehind(ctx context.Context, id string) (bool, error) {
	return s.depot.IsLeftBehind(ctx, id)
}

func (s sessions) Files(id string) (map[string][]byte, error) {
	ctx, stop := s.depot.asking()
	defer stop()
	return s.depot.Files(ctx, id)
}

// held is a lease as package session wants it.
type held struct{ *Lease }

func (h held) Append(place int64, data []byte, files map[string][]byte, outline *session.Outline) error {
	ctx, stop := h.depot.asking()
	defer stop()
	return h.Lease.Append(ctx, place, data, files, outline)
}

// Release gives the session back. If the database does not hear of it the lease ends by
// itself.
func (h held) Release() {
	ctx, stop := h.depot.asking()
	defer stop()
	_ = h.Lease.Release(ctx)
}

func (h held) Remove() error {
	ctx, stop := h.depot.asking()
	defer stop()
	return h.Lease.Remove(ctx)
}

// translated is an error as package session knows it.
func translated(err error) error {
	if unknown, ok := errors.AsType[*Unknown](err); ok {
		return fmt.Errorf("%w: %s (in the database)", session.ErrUnknown, unknown.ID)
	}
	if exists, ok := errors.AsType[*Exists](err); ok {
		return fmt.Errorf("%w: %s (in the database)", session.ErrExists, exists.ID)
	}
	if busy, ok := errors.AsType[*Held](err); ok {
		return &session.InUse{ID: busy.ID, Who: busy.Holder}
	}
	return err
}
