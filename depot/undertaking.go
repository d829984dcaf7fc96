package depot

import (
	"context"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// A crew lets sessions go on without anybody at a terminal, so what it has begun has to come to
// its end whatever becomes of its machine. Whoever takes a session for a crew leaves the fence of
// that lease with it, and it stays there until the crew says that the session has come to its end
// or waits again. A session with such a mark on which nobody works was left behind. Who takes a
// session for a person removes the mark: it is theirs then, also if they leave it in the middle.

// undertakings are what the crew of this process lets go on. The zero value is none.
type undertakings struct {
	mu  sync.Mutex
	all map[string]*undertaking
}

// undertaking is one session that a crew lets go on.
type undertaking struct {
	taken func(died bool)
	fence int64 // of its lease; zero as long as it has none
}

func (u *undertakings) begin(id string, one *undertaking) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[string]*undertaking{}
	}
	u.all[id] = one
}

func (u *undertakings) has(id string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.all[id] != nil
}

// taken notes the lease of an undertaking, and tells whoever waits for it. died: whoever had the
// session before has not given it back.
func (u *undertakings) taken(id string, fence int64, died bool) {
	u.mu.Lock()
	one := u.all[id]
	if one != nil {
		one.fence = fence
	}
	u.mu.Unlock()
	if one != nil {
		one.taken(died)
	}
}

func (u *undertakings) end(id string, one *undertaking) (fence int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all[id] == one {
		delete(u.all, id)
	}
	return one.fence
}

// Undertake says that whoever takes a session in this process does so for a crew, until finish is
// called: with true when there is nothing more to do in it. Otherwise it is one that was left
// behind as soon as nobody works on it. taken is called whenever it is taken: with
// true if whoever had it before has not given it back, because it has died or is not heard of.
func (d *Depot) Undertake(id string, taken func(died bool)) (finish func(over bool)) {
	one := &undertaking{taken: taken}
	d.undertakings.begin(id, one)
	return func(over bool) {
		fence := d.undertakings.end(id, one)
		if !over || fence == 0 {
			return
		}
		ctx, stop := d.asking()
		defer stop()
		_ = d.settle(ctx, id, fence) // at worst somebody looks at it once more
	}
}

// settle: there is nothing more to do in a session that was taken with a fence. What somebody has
// left behind who has taken it since stays so.
func (d *Depot) settle(ctx context.Context, id string, fence int64) error {
	return d.db.Within(ctx, func(tx *database.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE depot_sessions SET going = 0 WHERE id = $1 AND going = $2", id, fence)
		return err
	})
}

// LeftBehind are the sessions that a crew has begun and not ended, and on which nobody works. It
// waits for a moment where the holder of one has not been heard of for half the time that it has.
func (d *Depot) LeftBehind(ctx context.Context) ([]string, error) {
	ids, soon, err := d.leftBehind(ctx)
	if err != nil || soon == 0 {
		return ids, err
	}
	if err := pauseFor(ctx, soon); err != nil {
		return nil, err
	}
	ids, _, err = d.leftBehind(ctx)
	return ids, err
}

// leftBehind are those of now, and how soon it is known whether there are more.
func (d *Depot) leftBehind(ctx context.Context) (ids []string, soon time.Duration, err error) {
	all, err := d.begun(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range all {
		if d.free(r) {
			ids = append(ids, r.id)
			if err := d.over(ctx, r); err != nil {
				return nil, 0, err
			}
		} else if rest := d.untilFree(r); rest <= d.lasts/2 {
			soon = max(soon, rest)
		}
	}
	return ids, soon, nil
}

// begun are the sessions that a crew has begun and not ended.
func (d *Depot) begun(ctx context.Context) (all []row, err error) {
	rows, err := d.db.Reads().QueryContext(ctx, "SELECT "+d.rowColumns()+" FROM depot_sessions WHERE going > 0 ORDER BY id")
	if err != nil {
		return nil, d.db.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := r.scan(rows); err != nil {
			return nil, d.db.Explain(err)
		}
		all = append(all, r)
	}
	return all, d.db.Explain(rows.Err())
}

// IsLeftBehind: a session is one of those.
func (d *Depot) IsLeftBehind(ctx context.Context, id string) (bool, error) {
	var r row
	begun, err := database.Found(r.scan(d.db.Reads().QueryRowContext(ctx, "SELECT "+d.rowColumns()+" FROM depot_sessions WHERE id = $1 AND going > 0", id)))
	return begun && d.free(r), d.db.Explain(err)
}
