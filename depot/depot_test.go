package depot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// world is a database with machines that share it.
type world struct {
	*testing.T
	open func() *database.DB
}

// onBoth runs a test on both kinds of databases.
func onBoth(t *testing.T, test func(world)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "state.db")
		test(world{t, func() *database.DB { return opened(t)(database.OpenFile(path)) }})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		address := testpostgres.Database(t)
		test(world{t, func() *database.DB { return opened(t)(database.Connect(t.Context(), address)) }})
	})
}

func opened(t *testing.T) func(*database.DB, error) *database.DB {
	return func(db *database.DB, err error) *database.DB {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
}

// machine is one of those that share the database.
func (w world) machine(name string) *Depot {
	w.Helper()
	d, err := On(w.Context(), w.open(), name)
	w.must(err)
	return d
}

func (w world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w world) begin(d *Depot, id, text string) *Lease {
	w.Helper()
	l, err := d.Begin(w.Context(), id, About{Cwd: "/project", Labels: []string{"gpu", "eu", "gpu"}}, []byte(text), map[string][]byte{"state.json": []byte("{}")})
	w.must(err)
	w.Cleanup(func() { _ = l.Release(context.WithoutCancel(w.Context())) })
	return l
}

// paper is a copy in memory.
type paper struct{ data []byte }

func (p *paper) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(p.data).ReadAt(b, at) }

func (p *paper) WriteAt(b []byte, at int64) (int, error) {
	if int64(len(p.data)) < at {
		return 0, io.ErrShortWrite
	}
	p.data = append(p.data[:at], b...)
	return len(b), nil
}

func (p *paper) Truncate(size int64) error {
	p.data = p.data[:size]
	return nil
}

// A session that was written on one machine is the same on another, with whatever that one
// has of it already.
func TestD8_AnotherMachineBringsASessionHome(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.machine("here"), w.machine("there")
		l := w.begin(here, "s1", "one\n")
		w.must(l.Append(w.Context(), 4, []byte("two\n"), nil, nil))
		w.must(l.Append(w.Context(), 8, []byte("three\n"), map[string][]byte{"state.json": []byte(`{"a":1}`)}, nil))
		for name, before := range map[string]string{
			"nothing":           "",
			"a part":            "one\n",
			"half a part":       "one\ntw",
			"all":               "one\ntwo\nthree\n",
			"more than counts":  "one\ntwo\nthree\nfour\n",
			"something else":    "one\nTWO\nthree\n",
			"something shorter": "ONE",
		} {
			p := &paper{[]byte(before)}
			if err := there.Bring(w.Context(), "s1", p, int64(len(p.data))); err != nil || string(p.data) != "one\ntwo\nthree\n" {
				w.Errorf("%s: %q, %v", name, p.data, err)
			}
		}
		files, err := there.Files(w.Context(), "s1")
		if err != nil || string(files["state.json"]) != `{"a":1}` || len(files) != 1 {
			w.Errorf("%q, %v", files, err)
		}
		info, err := there.Find(w.Context(), "s1")
		if err != nil || info.Holder != "here" || info.Size != 14 || fmt.Sprint(info.Labels) != "[eu gpu]" || info.Cwd != "/project" || info.Written.Before(info.Started) {
			w.Errorf("%+v, %v", info, err)
		}
	})
}

// A session is one machine's at a time, until that gives it back or is not heard of.
func TestD8_ASessionIsOneMachinesAtATime(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.machine("here"), w.machine("there")
		here.lasts, there.lasts = time.Minute, time.Minute
		l := w.begin(here, "s1", "one\n")
		var held *Held
		if _, err := there.Take(w.Context(), "s1"); !errors.As(err, &held) || held.Holder != "here" {
			w.Fatalf("%v", err)
		}
		var exists *Exists
		if _, err := there.Begin(w.Context(), "s1", About{}, nil, nil); !errors.As(err, &exists) {
			w.Errorf("%v", err)
		}
		var unknown *Unknown
		if _, err := there.Take(w.Context(), "s2"); !errors.As(err, &unknown) {
			w.Errorf("%v", err)
		}
		w.must(l.Release(w.Context()))
		again, err := there.Take(w.Context(), "s1")
		w.must(err)
		w.must(again.Append(w.Context(), 4, []byte("two\n"), nil, nil))
		w.must(again.Release(w.Context()))
	})
}

// Who was asleep, and has lost his lease, adds nothing, also if nobody else has come; and
// whoever is heard of keeps it.
func TestD8_AMachineThatWasAsleepAddsNothing(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.machine("here"), w.machine("there")
		here.lasts, there.lasts = 400*time.Millisecond, 400*time.Millisecond
		l := w.begin(here, "s1", "one\n")
		l.stop() // it is asleep
		l.done.Wait()
		next := w.eventually(there, "s1")
		var lost *Lost
		if err := l.Append(w.Context(), 4, []byte("mine\n"), nil, nil); !errors.As(err, &lost) {
			w.Fatalf("%v", err)
		}
		w.must(next.Append(w.Context(), 4, []byte("yours\n"), nil, nil))
		w.must(l.Release(w.Context())) // it gives nothing back that is not its own
		if info, err := here.Find(w.Context(), "s1"); err != nil || info.Holder != "there" {
			w.Errorf("%+v, %v", info, err)
		}
		w.must(next.Release(w.Context()))
	})
}

// eventually takes a session when the lease of somebody else has ended.
func (w world) eventually(d *Depot, id string) *Lease {
	w.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		l, err := d.Take(w.Context(), id)
		if err == nil {
			return l
		}
		var held *Held
		if !errors.As(err, &held) || time.Now().After(end) {
			w.Fatal(err)
		}
	}
}

// A lease that is renewed lasts, and who has lost one is told.
func TestD8_ALeaseIsRenewed(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.machine("here"), w.machine("there")
		here.lasts, there.lasts = time.Second, time.Second
		l := w.begin(here, "s1", "one\n")
		for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			var held *Held
			if _, err := there.Take(w.Context(), "s1"); !errors.As(err, &held) {
				w.Fatalf("%v", err)
			}
		}
		w.must(there.db.Within(w.Context(), func(tx *database.Tx) error {
			_, err := tx.ExecContext(w.Context(), "UPDATE depot_sessions SET fence = fence + 1")
			return err
		}))
		select {
		case <-l.Lost():
		case <-time.After(20 * time.Second):
			w.Error("nobody was told")
		}
	})
}

// Many want a session: one gets it. Two add at the same place: one does.
func TestD8_ManyWantASession(t *testing.T) {
	onBoth(t, func(w world) {
		first := w.begin(w.machine("first"), "s1", "one\n")
		w.must(first.Release(w.Context()))
		var mu sync.Mutex
		var got []*Lease
		var group sync.WaitGroup
		for i := range 4 {
			d := w.machine(fmt.Sprint("machine", i))
			group.Go(func() {
				for range 5 {
					if l, err := d.Take(w.Context(), "s1"); err == nil {
						mu.Lock()
						got = append(got, l)
						mu.Unlock()
					}
				}
			})
		}
		group.Wait()
		if len(got) != 1 {
			w.Fatalf("%d machines have it", len(got))
		}
		added := 0
		for i := range 4 {
			group.Go(func() {
				if got[0].Append(w.Context(), 4, fmt.Append(nil, "by ", i, "\n"), nil, nil) == nil {
					mu.Lock()
					added++
					mu.Unlock()
				}
			})
		}
		group.Wait()
		if added != 1 {
			w.Errorf("%d were added", added)
		}
		w.must(got[0].Release(w.Context()))
	})
}

// What was changed in the database is noticed.
func TestD8_DamageIsNoticed(t *testing.T) {
	for name, text := range map[string]string{
		"another byte":         "UPDATE depot_pieces SET data = (SELECT b.data FROM depot_pieces b JOIN depot_parts p ON p.digest = b.digest WHERE p.place = 0) WHERE digest = (SELECT digest FROM depot_parts WHERE place = 4)",
		"a part is gone":       "DELETE FROM depot_parts WHERE place = 4",
		"the last one is gone": "DELETE FROM depot_parts WHERE place = 8",
		"it is shorter":        "UPDATE depot_sessions SET size = 6",
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(w world) {
				d := w.machine("here")
				l := w.begin(d, "s1", "one\n")
				w.must(l.Append(w.Context(), 4, []byte("two\n"), nil, nil))
				w.must(l.Append(w.Context(), 8, []byte("six\n"), nil, nil))
				w.must(d.db.Within(w.Context(), func(tx *database.Tx) error {
					_, err := tx.ExecContext(w.Context(), text)
					return err
				}))
				var damaged *Damaged
				if err := d.Bring(w.Context(), "s1", &paper{}, 0); !errors.As(err, &damaged) {
					w.Errorf("%v", err)
				}
			})
		})
	}
}

// A session that is removed leaves nothing, but what another one has in common with it.
func TestASessionThatIsRemovedLeavesNothing(t *testing.T) {
	onBoth(t, func(w world) {
		d := w.machine("here")
		one, two := w.begin(d, "s1", "same\n"), w.begin(d, "s2", "same\n")
		w.must(one.Append(w.Context(), 5, []byte("mine\n"), nil, nil))
		w.must(one.Remove(w.Context()))
		var pieces, parts, files int
		w.must(d.db.Reads().QueryRowContext(w.Context(), "SELECT (SELECT COUNT(*) FROM depot_pieces), (SELECT COUNT(*) FROM depot_parts), (SELECT COUNT(*) FROM depot_files)").Scan(&pieces, &parts, &files))
		if pieces != 1 || parts != 1 || files != 1 {
			w.Errorf("%d pieces, %d parts, %d files", pieces, parts, files)
		}
		p := &paper{}
		if err := d.Bring(w.Context(), "s2", p, 0); err != nil || string(p.data) != "same\n" {
			w.Errorf("%q, %v", p.data, err)
		}
		var lost *Lost
		if err := one.Append(w.Context(), 10, []byte("x"), nil, nil); !errors.As(err, &lost) {
			w.Errorf("%v", err)
		}
		w.must(two.Append(w.Context(), 5, []byte("more\n"), nil, nil))
		all, err := d.List(w.Context(), session.Sought{})
		if err != nil || len(all) != 1 || all[0].ID != "s2" {
			w.Errorf("%+v, %v", all, err)
		}
	})
}
