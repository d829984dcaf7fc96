package depot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// Held: another machine, or another process, works on a session.
type Held struct {
	ID     string
	Holder string
}

func (e *Held) Error() string {
	return fmt.Sprintf("session %s is open: %s works on it", e.ID, e.Holder)
}

// Lost: a lease has ended, because the database did not hear of its holder for too long, and
// the session may be somebody else's.
type Lost struct{ ID string }

func (e *Lost) Error() string {
	return fmt.Sprintf("session %s was taken over by another machine, because the database did not hear of this one in time", e.ID)
}

// Unwrap returns it as package session knows it.
func (e *Lost) Unwrap() error { return &session.Taken{ID: e.ID} }

// Lease is a session that is this process's to work on.
type Lease struct {
	depot *Depot
	id    string
	fence int64

	// renewed is when the last renewal was sent that the database has acknowledged.
	renewed atomic.Pointer[moment]
	stop    context.CancelFunc
	done    sync.WaitGroup
	lost    chan struct{}
	// outline is the one that was kept last with this lease.
	outline []byte
}

// About is what a new session says about itself.
type About struct {
	Cwd string
	// Labels are what a machine must have to work on it.
	Labels []string
	// Outline is how it stands; nil when nobody knows.
	Outline *session.Outline
}

// Begin keeps a new session: all that there is of its transcript. Files are what else it
// consists of, by their names. The error may be an [*Exists].
func (d *Depot) Begin(ctx context.Context, id string, about About, transcript []byte, files map[string][]byte) (*Lease, error) {
	labels := slices.Sorted(slices.Values(about.Labels))
	text, err := strictjson.Marshal(slices.Compact(labels))
	if err != nil {
		return nil, err
	}
	l, sent := &Lease{depot: d, id: id, fence: 1}, thisMoment()
	err = d.db.Within(ctx, func(tx *database.Tx) error {
		made, err := tx.ExecContext(ctx, "INSERT INTO depot_sessions (id, fence, holder, until, size, started, written, cwd, labels) VALUES ($1, 1, $2, "+
			d.now()+" + $3, 0, "+d.now()+", "+d.now()+", $4, $5) ON CONFLICT (id) DO NOTHING", id, d.host, d.lasts.Microseconds(), about.Cwd, string(text))
		if err != nil {
			return err
		}
		if n, err := made.RowsAffected(); err != nil || n == 0 {
			return orElse(err, &Exists{id})
		}
		if err := forget(ctx, tx, id); err != nil {
			return err
		}
		return l.add(ctx, tx, 0, transcript, files, about.Outline)
	})
	if err != nil {
		return nil, err
	}
	l.renewing(sent)
	return l, nil
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Take takes a session on which nobody works, for a crew or a person; see [Depot.Undertake]. Where
// its holder should have been heard of by the clock of the database, it waits until it knows. The
// error may be an [*Unknown] or a [*Held].
func (d *Depot) Take(ctx context.Context, id string) (*Lease, error) {
	for {
		l, wait, err := d.take(ctx, id)
		if wait == 0 || pauseFor(ctx, wait) != nil {
			return l, err
		}
	}
}

// take takes a session, or says how long to wait until it may be free: zero means that somebody works
// on it.
func (d *Depot) take(ctx context.Context, id string) (_ *Lease, wait time.Duration, err error) {
	l, sent := &Lease{depot: d, id: id}, thisMoment()
	crew, died := d.undertakings.has(id), false
	err = d.db.Within(ctx, func(tx *database.Tx) error {
		var r row
		wait = 0
		found, err := database.Found(r.scan(tx.QueryRowContext(ctx, "SELECT "+d.rowColumns()+" FROM depot_sessions WHERE id = $1"+tx.ToChange(), id)))
		switch {
		case err != nil:
			return err
		case !found:
			return &Unknown{id}
		}
		if rest := d.untilFree(r); rest > 0 {
			if !r.current {
				wait = min(rest, d.lasts/4) // who is there renews it meanwhile
			}
			return &Held{id, r.holder}
		}
		died = r.holder != "" // which whoever gives it back removes
		l.fence = r.fence + 1
		going := int64(0)
		if crew {
			going = l.fence
		}
		_, err = tx.ExecContext(ctx, "UPDATE depot_sessions SET fence = $1, holder = $2, until = "+d.now()+" + $3, going = $4 WHERE id = $5", l.fence, d.host, d.lasts.Microseconds(), going, id)
		return err
	})
	if err != nil {
		return nil, wait, err
	}
	l.renewing(sent)
	d.undertakings.taken(id, l.fence, died)
	return l, 0, nil
}

// Append adds to the transcript what stands at a place in it, together with files that have
// changed, and how the session stands then; nil when nobody knows. It is kept when Append returns
// without an error. The error may be a [*Lost].
func (l *Lease) Append(ctx context.Context, place int64, data []byte, files map[string][]byte, outline *session.Outline) error {
	err := l.depot.db.Within(ctx, func(tx *database.Tx) error { return l.add(ctx, tx, place, data, files, outline) })
	if err == nil && outline != nil {
		l.outline = outline.Text
	}
	return err
}

func (l *Lease) add(ctx context.Context, tx *database.Tx, place int64, data []byte, files map[string][]byte, outline *session.Outline) error {
	size, outlined := place+int64(len(data)), int64(-1)
	if outline != nil {
		outlined = size
	}
	// The row is this transaction's until it ends: nobody takes the session meanwhile.
	changed, err := tx.ExecContext(ctx, "UPDATE depot_sessions SET size = $1, outlined = $2, written = "+l.depot.now()+" WHERE id = $3 AND fence = $4 AND size = $5", size, outlined, l.id, l.fence, place)
	if err != nil {
		return err
	}
	if n, err := changed.RowsAffected(); err != nil || n == 0 {
		return orElse(err, &Lost{l.id})
	}
	if len(data) > 0 {
		sum := sumOf(data)
		if _, err := tx.ExecContext(ctx, "INSERT INTO depot_pieces (digest, data) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING", sum, data); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO depot_parts (session, place, size, digest) VALUES ($1, $2, $3, $4)", l.id, place, len(data), sum); err != nil {
			return err
		}
	}
	if outline != nil && (l.outline == nil || !bytes.Equal(l.outline, outline.Text)) {
		if err := outlineIn(ctx, tx, l.id, size, *outline); err != nil {
			return err
		}
	}
	for name, data := range files {
		if _, err := tx.ExecContext(ctx, "INSERT INTO depot_files (session, name, data) VALUES ($1, $2, $3) ON CONFLICT (session, name) DO UPDATE SET data = excluded.data", l.id, name, data); err != nil {
			return err
		}
	}
	return nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// renewing renews the lease, several times in the time that it lasts, until it is released or
// lost. It was taken with what was sent at a moment.
func (l *Lease) renewing(sent moment) {
	l.renewed.Store(&sent)
	l.lost = make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.done.Go(func() {
		tick := time.NewTicker(l.depot.lasts / 4)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if !l.renewInTime(ctx) {
					close(l.lost)
					l.depot.watch.tell(l.id)
					return
				}
			}
		}
	})
}

// renewInTime reports whether the session is still this process's. A database that does not answer
// says nothing about that: what is added while nobody knows is refused by the fence, and no call
// starts, see [Lease.StillOurs].
func (l *Lease) renewInTime(ctx context.Context) bool {
	ctx, stop := context.WithTimeout(ctx, l.depot.lasts/4)
	defer stop()
	_, lost := errors.AsType[*Lost](l.renew(ctx)) // else it is tried again
	return !lost
}

// renew makes the lease last from now on. The error is a [*Lost] when the session is somebody
// else's.
func (l *Lease) renew(ctx context.Context) error {
	sent := thisMoment()
	err := l.depot.db.Within(ctx, func(tx *database.Tx) error {
		changed, err := tx.ExecContext(ctx, "UPDATE depot_sessions SET until = "+l.depot.now()+" + $1 WHERE id = $2 AND fence = $3", l.depot.lasts.Microseconds(), l.id, l.fence)
		if err != nil {
			return err
		}
		if n, err := changed.RowsAffected(); err != nil || n == 0 {
			return orElse(err, &Lost{l.id})
		}
		return nil
	})
	if err == nil {
		l.renewed.Store(&sent)
	}
	return err
}

// StillOurs makes sure that the session is this process's, for somebody who is about to do
// something in it. As long as the lease cannot have ended nobody is asked. After that, because the
// machine was asleep or the database was away, it has to be renewed first, and once more if the
// answer took so long that it may have ended again. The error is a [*Lost] when the session is
// somebody else's; else it is why nobody can say.
func (l *Lease) StillOurs(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for !l.lasting() {
		if err := l.renew(ctx); err != nil {
			return err
		}
	}
	select {
	case <-l.lost:
		return &Lost{l.id}
	default:
		return nil
	}
}

// lasting: the lease cannot have ended. The database counts from when a renewal has reached it, which
// is later than it was sent. What is left is for whoever asks to begin, and for clocks that do not run
// at the same pace.
func (l *Lease) lasting() bool { return l.renewed.Load().ago(thisMoment()) < l.depot.lasts*3/4 }

// Lost is closed when the session is somebody else's. It may be so before anybody knows.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// Release gives the session back, so that others need not wait until the lease ends.
func (l *Lease) Release(ctx context.Context) error {
	l.stop()
	l.done.Wait()
	return l.depot.db.Within(ctx, func(tx *database.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE depot_sessions SET until = 0, holder = '' WHERE id = $1 AND fence = $2", l.id, l.fence)
		return err
	})
}

// Remove removes the session, which is this process's. What other sessions have in common
// with it stays.
func (l *Lease) Remove(ctx context.Context) error {
	l.stop()
	l.done.Wait()
	return l.depot.db.Within(ctx, func(tx *database.Tx) error {
		var mine int
		row := tx.QueryRowContext(ctx, "SELECT 1 FROM depot_sessions WHERE id = $1 AND fence = $2"+tx.ToChange(), l.id, l.fence)
		switch found, err := database.Found(row.Scan(&mine)); {
		case err != nil:
			return err
		case !found:
			return &Lost{l.id}
		}
		digests, err := digestsOf(ctx, tx, l.id)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM depot_sessions WHERE id = $1", l.id); err != nil {
			return err
		}
		if err := l.depot.remember(ctx, tx, l.id); err != nil {
			return err
		}
		for _, digest := range digests {
			if _, err := tx.ExecContext(ctx, "DELETE FROM depot_pieces WHERE digest = $1 AND NOT EXISTS (SELECT 1 FROM depot_parts WHERE digest = $1)", digest); err != nil {
				return err
			}
		}
		return nil
	})
}

// digestsOf are the names of the pieces of a session.
func digestsOf(ctx context.Context, q database.Querier, id string) (all []string, err error) {
	rows, err := q.QueryContext(ctx, "SELECT DISTINCT digest FROM depot_parts WHERE session = $1 ORDER BY digest", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var digest string
		if err := rows.Scan(&digest); err != nil {
			return nil, err
		}
		all = append(all, digest)
	}
	return all, rows.Err()
}
