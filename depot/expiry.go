package depot

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// The clock of the database may step, by an hour in either direction. So it does not decide
// when a lease has ended: whoever holds one changes its row several times while it lasts, and a
// row that has not changed for that long, by the clock of whoever looks, is that of a holder
// that is gone. The clock of the database only says what a process believes that has not
// looked for long enough yet.

// sightings are the leases of others as this process has seen them. The zero value has seen none.
type sightings struct {
	mu  sync.Mutex
	all map[string]sighting
}

// sighting is one lease.
type sighting struct {
	fence, until int64
	// since is when it was first seen as it is, and last when it was looked at last.
	since, last time.Time
}

// manySightings is how many are kept before those are forgotten that nobody looks at any more.
const manySightings = 1000

// unchanged is how long a lease has been as it is, as far as this process knows.
func (s *sightings) unchanged(id string, fence, until int64, forget time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now() // its monotonic part counts, which nobody sets
	one, known := s.all[id]
	if !known || one.fence != fence || one.until != until {
		one = sighting{fence: fence, until: until, since: now}
	}
	one.last = now
	if len(s.all) >= manySightings {
		for other, seen := range s.all {
			if now.Sub(seen.last) > forget {
				delete(s.all, other)
			}
		}
	}
	if s.all == nil {
		s.all = map[string]sighting{}
	}
	s.all[id] = one
	return now.Sub(one.since)
}

// row is who has a session, as the database says it.
type row struct {
	id, holder string
	fence      int64
	// until is zero when nobody has it, or whoever has it was not heard of for as long as a lease lasts.
	until int64
	// current: by the clock of the database the lease has not ended.
	current bool
}

// rowColumns are the columns of a row, of depot_sessions.
func (d *Depot) rowColumns() string { return "id, holder, fence, until, " + d.current() }

// current is the lease of a row that has not ended by the clock of the database, as SQL. One that
// ends later than any that was just renewed is from before that clock was set back.
func (d *Depot) current() string {
	return fmt.Sprintf("until > %s AND until <= %s + %d", d.now(), d.now(), 2*d.lasts.Microseconds())
}

func (r *row) scan(from interface{ Scan(...any) error }) error {
	return from.Scan(&r.id, &r.holder, &r.fence, &r.until, &r.current)
}

// unchanged is how long the holder of a session has not been heard of, as far as this process knows.
func (d *Depot) unchanged(r row) time.Duration {
	return d.seen.unchanged(r.id, r.fence, r.until, 4*d.lasts)
}

// untilFree is how long the holder of a session may still be there without having been heard of; zero
// when nobody works on it.
func (d *Depot) untilFree(r row) time.Duration {
	if r.holder == "" || r.until == 0 {
		return 0
	}
	return max(d.lasts-d.unchanged(r), 0)
}

// free reports whether nobody works on a session, as far as this process can say without waiting. A
// process that is younger than a lease believes the clock of the database; [Depot.Take] does not.
func (d *Depot) free(r row) bool {
	return d.untilFree(r) == 0 || !r.current && time.Since(d.opened) < d.lasts
}

// over writes down that a lease has ended, for those who have not looked for as long as this process
// has: they would wait. A holder that is heard of again, before somebody else takes the session,
// still has it.
func (d *Depot) over(ctx context.Context, r row) error {
	if r.until == 0 || d.untilFree(r) > 0 { // by the clock of the database alone it may not have ended
		return nil
	}
	return d.db.Within(ctx, func(tx *database.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE depot_sessions SET until = 0 WHERE id = $1 AND fence = $2 AND until = $3", r.id, r.fence, r.until)
		return err
	})
}

func pauseFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
