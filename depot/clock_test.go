package depot

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// stepping is machines that share a PostgreSQL whose clock a test sets.
type stepping struct{ world }

// onSteppingClock makes one: a function of its own stands before that of the server.
func onSteppingClock(t *testing.T) stepping {
	t.Helper()
	address := testpostgres.Database(t)
	s := stepping{world{t, func() *database.DB { return opened(t)(database.Connect(t.Context(), address)) }}}
	s.query(address, `CREATE TABLE clock (ahead INTERVAL NOT NULL); INSERT INTO clock VALUES ('0');
		CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM public.clock';
		DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`)
	return s
}

func (s stepping) query(address, text string) {
	s.Helper()
	conn, err := pgx.Connect(s.Context(), address)
	s.must(err)
	_, err = conn.Exec(s.Context(), text)
	s.must(errors.Join(err, conn.Close(s.Context())))
}

// step sets the clock of the database.
func (s stepping) step(d *Depot, to string) {
	s.Helper()
	s.must(d.db.Within(s.Context(), func(tx *database.Tx) error {
		_, err := tx.ExecContext(s.Context(), "UPDATE clock SET ahead = CAST($1 AS TEXT)::INTERVAL", to)
		return err
	}))
}

// machine is one whose leases last so long.
func (s stepping) machine(name string, lasts time.Duration) *Depot {
	s.Helper()
	d := s.world.machine(name)
	d.lasts = lasts
	return d
}

// crewed is a session that the crew of a machine has begun.
func (s stepping) crewed(d *Depot) *Lease {
	s.Helper()
	s.must(s.begin(d, "s1", "one\n").Release(s.Context()))
	d.Undertake("s1", func(bool) {})
	l, err := d.Take(s.Context(), "s1")
	s.must(err)
	s.Cleanup(func() { _ = l.Release(s.Context()) })
	return l
}

var steps = []string{"-1 hour", "1 hour", "-20 seconds", "5 seconds", "0"}

// The session of a machine that has died is free for the others in time, wherever the clock of the
// database is set to meanwhile.
func TestS26_AStepOfTheClockHangsNoDeadMachinesSession(t *testing.T) {
	const lasts = 800 * time.Millisecond
	for _, by := range steps {
		t.Run(by, func(t *testing.T) {
			s := onSteppingClock(t)
			here, there := s.machine("here", lasts), s.machine("there", lasts)
			there.opened = time.Now().Add(-time.Minute) // it is up for longer than a lease lasts
			l := s.crewed(here)
			l.stop()
			l.done.Wait() // it is dead
			s.step(here, by)
			died := time.Now()
			for fmt.Sprint(s.left(there)) != "[s1]" {
				if time.Since(died) > 10*time.Second { // and not in an hour
					t.Fatal("nobody finds out")
				}
			}
			fresh := s.machine("fresh", lasts)
			if info, err := fresh.Find(s.Context(), "s1"); err != nil || info.Holder != "" {
				t.Errorf("who has just come sees %q, %v", info.Holder, err)
			}
			came := time.Now()
			next, err := fresh.Take(s.Context(), "s1")
			s.must(err)
			if took := time.Since(came); took > lasts/2 {
				t.Errorf("who has just come waits %s for what others know", took)
			}
			s.must(next.Append(s.Context(), 4, []byte("yours\n"), nil, nil))
			var lost *Lost
			if err := l.Append(s.Context(), 4, []byte("mine\n"), nil, nil); !errors.As(err, &lost) {
				t.Errorf("%v", err)
			}
			s.must(next.Release(s.Context()))
		})
	}
}

// Nobody takes a session on which somebody works, wherever the clock of the database is set to.
func TestS26_AStepOfTheClockTakesNothingAway(t *testing.T) {
	const lasts = 2 * time.Second
	for _, by := range steps {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			s := onSteppingClock(t)
			here, there := s.machine("here", lasts), s.machine("there", lasts)
			there.opened = time.Now().Add(-time.Minute)
			l := s.crewed(here)
			s.step(here, by)
			if got, err := there.LeftBehind(s.Context()); err != nil || len(got) > 0 {
				t.Errorf("%v are left behind, %v", got, err)
			}
			if is, err := there.IsLeftBehind(s.Context(), "s1"); err != nil || is {
				t.Errorf("it is left behind: %v, %v", is, err)
			}
			if info, err := there.Find(s.Context(), "s1"); err != nil || info.Holder != "here" {
				t.Errorf("it is %q's, %v", info.Holder, err)
			}
			for _, d := range []*Depot{there, s.machine("fresh", lasts)} {
				var held *Held
				if _, err := d.Take(s.Context(), "s1"); !errors.As(err, &held) || held.Holder != "here" {
					t.Errorf("%s: %v", d.host, err)
				}
			}
			s.must(l.Append(s.Context(), 4, []byte("mine\n"), nil, nil))
			s.must(l.StillOurs(s.Context()))
		})
	}
}

// A machine remembers no more leases than somebody still looks at.
func TestS26_LeasesThatNobodyLooksAtAreForgotten(t *testing.T) {
	var seen sightings
	for i := range 3 * manySightings {
		seen.unchanged(fmt.Sprint(i), 1, 1, -1)
	}
	if len(seen.all) > manySightings {
		t.Errorf("%d are remembered", len(seen.all))
	}
}

// A machine that was only not heard of goes on when it is heard of again, unless somebody has taken
// the session meanwhile.
func TestS26_WhoIsHeardOfAgainStillHasTheSession(t *testing.T) {
	const lasts = 400 * time.Millisecond
	s := onSteppingClock(t)
	here, there := s.machine("here", lasts), s.machine("there", lasts)
	l := s.crewed(here)
	l.stop()
	l.done.Wait() // it hangs
	for fmt.Sprint(s.left(there)) != "[s1]" {
		time.Sleep(lasts / 8)
	}
	s.must(l.renew(s.Context()))
	if info, err := s.machine("fresh", lasts).Find(s.Context(), "s1"); err != nil || info.Holder != "here" {
		t.Errorf("it is %q's, %v", info.Holder, err)
	}
	s.must(l.Append(s.Context(), 4, []byte("mine\n"), nil, nil))
}
