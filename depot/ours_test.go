package depot

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// passed is a moment so long before this one, by all clocks.
func passed(d time.Duration) *moment {
	m := thisMoment()
	return &moment{at: m.at.Add(-d), up: m.up - d}
}

// The time that has passed is the longest that any clock says: one of them stands still while the
// machine is asleep, and one may be set back.
func TestD8_HowLongAgoAMomentIs(t *testing.T) {
	m := thisMoment()
	wall := moment{at: m.at.Round(0), up: m.up} // as if the other clock had stood still
	for name, test := range map[string]struct {
		then, now moment
		want      time.Duration
	}{
		"all clocks go":                   {m, moment{at: m.at.Add(5 * time.Second), up: m.up + 5*time.Second}, 5 * time.Second},
		"it was asleep":                   {m, moment{at: m.at.Add(time.Second), up: m.up + time.Hour}, time.Hour},
		"asleep, where only one tells":    {moment{at: wall.at}, moment{at: wall.at.Add(time.Hour)}, time.Hour},
		"the clock on the wall goes back": {wall, moment{at: wall.at.Add(-time.Hour), up: m.up + 3*time.Second}, 3 * time.Second},
	} {
		if got := test.then.ago(test.now); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Who is about to do something in a session asks the database only where the lease may have ended:
// it was not renewed for too long. It goes on then if nobody has taken it, and only then.
func TestD8_WhoseASessionIsBeforeACall(t *testing.T) {
	takes := func(w world, l *Lease) { // another machine has
		w.must(l.depot.db.Within(w.Context(), func(tx *database.Tx) error {
			_, err := tx.ExecContext(w.Context(), "UPDATE depot_sessions SET fence = fence + 1")
			return err
		}))
	}
	goes := func(w world, l *Lease) { w.must(l.depot.db.Close()) }
	for name, test := range map[string]struct {
		ago     time.Duration
		happens func(world, *Lease)
		taken   bool
		fails   bool
	}{
		"it was just renewed, and nobody asks":    {ago: 0, happens: goes},
		"not long ago, and nobody asks":           {ago: 44 * time.Second, happens: goes},
		"too long ago, and nobody has come":       {ago: 46 * time.Second},
		"long ago, and nobody has come":           {ago: time.Hour},
		"too long ago, and another has taken it":  {ago: 46 * time.Second, happens: takes, taken: true, fails: true},
		"too long ago, and the database is away":  {ago: 46 * time.Second, happens: goes, fails: true},
		"it is known that another has taken it":   {happens: func(_ world, l *Lease) { close(l.lost) }, taken: true, fails: true},
		"it was removed meanwhile from elsewhere": {ago: time.Hour, happens: func(w world, l *Lease) { w.must(l.Remove(w.Context())) }, taken: true, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(w world) {
				d := w.machine("here")
				d.lasts = time.Minute
				l, err := d.Begin(w.Context(), "s1", About{}, []byte("one\n"), nil)
				w.must(err)
				l.stop()
				l.done.Wait()
				l.renewed.Store(passed(test.ago))
				if test.happens != nil {
					test.happens(w, l)
				}
				before := time.Now()
				err = held{l}.StillOurs(w.Context())
				var taken *session.Taken
				if (err != nil) != test.fails || errors.As(err, &taken) != test.taken {
					t.Fatalf("%v", err)
				}
				if renewed := !l.renewed.Load().at.Before(before); renewed != (test.ago > 45*time.Second && !test.fails) {
					t.Errorf("renewed: %v", renewed)
				}
			})
		})
	}
}

// The answer to a renewal may come so late that the lease has ended again: it is renewed once more.
func TestD8_ARenewalThatIsAnsweredLate(t *testing.T) {
	onBoth(t, func(w world) {
		d := w.machine("here")
		d.lasts = time.Second
		l := w.begin(d, "s1", "one\n")
		l.stop()
		l.done.Wait()
		l.renewed.Store(passed(time.Hour))
		held, released := make(chan struct{}), make(chan time.Time, 1)
		go func() {
			_ = d.db.Within(w.Context(), func(tx *database.Tx) error {
				_, err := tx.ExecContext(w.Context(), "UPDATE depot_sessions SET cwd = cwd")
				close(held)
				<-time.After(d.lasts)
				released <- time.Now()
				return err
			})
		}()
		<-held
		w.must(l.StillOurs(w.Context()))
		if at := l.renewed.Load().at; at.Before(<-released) {
			t.Errorf("the last renewal was sent at %v", at)
		}
	})
}

// A lease that had ended and was nobody else's lasts again for all machines.
func TestD8_ALeaseThatIsAskedForLasts(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.machine("here"), w.machine("there")
		here.lasts, there.lasts = time.Minute, time.Minute
		l := w.begin(here, "s1", "one\n")
		w.must(here.db.Within(w.Context(), func(tx *database.Tx) error {
			_, err := tx.ExecContext(w.Context(), "UPDATE depot_sessions SET until = 0")
			return err
		}))
		l.renewed.Store(passed(time.Hour))
		w.must(l.StillOurs(w.Context()))
		var held *Held
		if _, err := there.Take(w.Context(), "s1"); !errors.As(err, &held) {
			t.Errorf("%v", err)
		}
	})
}

// Each renewal of a lease counts, and nobody waits for the database meanwhile. One that is not
// waited for does not.
func TestD8_RenewalsCount(t *testing.T) {
	onBoth(t, func(w world) {
		d := w.machine("here")
		d.lasts = 200 * time.Millisecond
		l := w.begin(d, "s1", "one\n")
		first := l.renewed.Load()
		for end := time.Now().Add(20 * time.Second); l.renewed.Load() == first; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("it is not renewed")
			}
		}
		l.stop()
		l.done.Wait()
		l.renewed.Store(passed(time.Hour))
		ctx, cancel := context.WithCancel(w.Context())
		cancel()
		if err := l.StillOurs(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
