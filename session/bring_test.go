package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// giving is a depot that has only the beginning of a session, and may fail when it is asked for more.
type giving struct {
	Depot
	size int64
	err  error
	lost []string
}

func (*giving) Name() string { return "giving" }

func (*giving) Files(string) (map[string][]byte, error) { return nil, nil }

func (g *giving) Bring(_ string, to Copy, _ int64) error {
	if err := to.Truncate(g.size); err != nil {
		return err
	}
	return g.err
}

func (g *giving) Lost(_, path string) { g.lost = append(g.lost, path) }

// What a copy has beyond the depot is called lost only when all that the depot has is here: one that
// goes away in the middle may have the rest all the same. It is kept in either case.
func TestD8_NothingIsCalledLostBeforeTheDepotHasSaidAll(t *testing.T) {
	away := errors.New("connection refused")
	for name, c := range map[string]struct {
		err  error
		told int
	}{"all was said": {nil, 1}, "it went away": {away, 0}} {
		s := newStore(t)
		tr := create(t, s, one)
		first := tr.place().Offset
		put(t, tr, Noted, "beyond")
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
		g := &giving{size: first, err: c.err}
		s.Depot = g
		if err := s.bring(one); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
		if len(g.lost) != c.told || s.Beyond(one) == "" {
			t.Errorf("%s: told of %q, kept %q", name, g.lost, s.Beyond(one))
		}
	}
}

// far is a depot from which a session takes its time to come.
type far struct {
	Depot
	grown   atomic.Pointer[[]byte] // what it has by now; else
	text    []byte
	takes   time.Duration
	written time.Time
	fails   bool // when half of it is here
	ends    bool // whoever brings it, when all of it is here
}

// all is what the depot has.
func (f *far) all() []byte {
	if grown := f.grown.Load(); grown != nil {
		return *grown
	}
	return f.text
}

func (*far) Name() string { return "far" }

func (*far) Lost(_, _ string) {}

func (f *far) Find(id string) (Stored, error) {
	return Stored{ID: id, Cwd: "/project", Size: int64(len(f.all())), Written: f.written}, nil
}

func (f *far) Take(string) (Lease, error) {
	time.Sleep(f.takes)
	return noLease{}, nil
}

func (f *far) List() ([]Stored, error) {
	one, err := f.Find(one)
	return []Stored{one}, err
}

func (f *far) Files(string) (map[string][]byte, error) {
	time.Sleep(f.takes)
	return nil, nil
}

func (f *far) Bring(_ string, to Copy, _ int64) error {
	if f.fails {
		_, err := to.WriteAt(f.text[:len(f.text)/2], 0)
		return errors.Join(errAway, err)
	}
	err := to.Truncate(0)
	if _, unwritten := to.WriteAt(f.all(), 0); unwritten != nil {
		err = unwritten
	}
	if f.ends {
		runtime.Goexit()
	}
	return err
}

var errAway = errors.New("connection refused")

type noLease struct{}

func (noLease) Append(int64, []byte, map[string][]byte) error { return nil }
func (noLease) StillOurs(context.Context) error               { return nil }
func (noLease) Release()                                      {}
func (noLease) Remove() error                                 { return nil }

// transcriptOf is one with notes.
func transcriptOf(t *testing.T, notes ...string) []byte {
	t.Helper()
	s := newStore(t)
	tr := create(t, s, one)
	for _, note := range notes {
		put(t, tr, Noted, note)
	}
	err := tr.Close()
	text, unread := os.ReadFile(filepath.Join(s.path(one), transcriptName))
	if err := errors.Join(err, unread); err != nil {
		t.Fatal(err)
	}
	return text
}

// Two of one machine want a session that has never been there. Neither takes it for one that does not
// exist while the other brings it: an answered call of it would be forgotten.
func TestD8_WhoeverComesWhileASessionIsBroughtWaitsForIt(t *testing.T) {
	text := transcriptOf(t, "noted")
	for name, c := range map[string]struct {
		takes time.Duration
		inUse bool
	}{"for a moment": {time.Second, false}, "for ever": {time.Hour, true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStore(t)
				s.Depot = &far{text: text, takes: c.takes}
				looked := make(chan error)
				go func() {
					_, err := s.Load(one)
					looked <- err
				}()
				synctest.Wait() // it is on its way
				tr, err := s.Resume(one)
				if _, inUse := errors.AsType[*InUse](err); inUse != c.inUse || err != nil && !inUse {
					t.Errorf("%v", err)
				}
				if err == nil {
					err = tr.Close()
				} else {
					err = nil
				}
				if err := errors.Join(err, <-looked); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Whoever comes while a session is brought of which a part is here waits for the rest: nobody takes that
// for the whole. Where somebody works on it he is shown what is here.
func TestD8_NobodyTakesAPartForTheWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, d := withPart(t)
		d.takes = time.Second
		over := make(chan error)
		go func() { _, err := s.Load(one); over <- err }()
		synctest.Wait() // it is on its way
		loadsAll(t, s, d)
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
}

// Somebody takes a session, and brings what another machine has added to it in the meantime. Until he has,
// what is here is a part, also while he has brought nothing yet.
func TestD8_WhoeverTakesASessionHasAPartUntilItIsBrought(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		d := &far{text: transcriptOf(t)}
		s.Depot = d
		loadsAll(t, s, d)
		d.takes = time.Second
		over := make(chan error)
		go func() {
			tr, err := s.Resume(one)
			if err == nil {
				err = tr.Close()
			}
			over <- err
		}()
		synctest.Wait() // it has found all of it here, and takes it
		more := transcriptOf(t, "one")
		d.grown.Store(&more)
		loadsAll(t, s, d)
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
}

func loadsAll(t *testing.T, s *Store, d *far) {
	t.Helper()
	if c, err := s.Load(one); err != nil || c.Start.Session != one {
		t.Errorf("%+v, %v", c, err)
	}
	if text, err := os.ReadFile(filepath.Join(s.path(one), transcriptName)); err != nil || !bytes.Equal(text, d.all()) {
		t.Errorf("%q, %v", text, err)
	}
}

// withPart is a store with a part of a session, and the depot that has all of it.
func withPart(t *testing.T) (*Store, *far) {
	t.Helper()
	s := newStore(t)
	d := &far{text: transcriptOf(t, "one", "two"), fails: true}
	s.Depot = d
	if _, err := s.Load(one); !errors.Is(err, errAway) {
		t.Error(err)
	}
	d.fails = false
	return s, d
}

// Whoever begins a session has it before there is anything of it. One of that id that the depot has got
// meanwhile cannot be brought then, and is in use: nobody takes it for one that does not exist.
func TestD8_ASessionThatIsBegunHereMeanwhileIsInUse(t *testing.T) {
	s := newStore(t)
	s.Depot = &far{text: transcriptOf(t, "noted")}
	alone := NewStore(s.dir) // which knows nothing of the depot
	alone.Prepare = func(string) error {
		if _, err := s.Load(one); !isInUse(err) {
			t.Errorf("%v", err)
		}
		return nil
	}
	if err := create(t, alone, one).Close(); err != nil {
		t.Error(err)
	}
}

// A list says of a session that somebody brings, and does not come to an end with, that it is in use:
// what is here is not its end, and it is not damaged either. Nobody waits for it twice.
func TestD8_AListTakesNoPartForTheWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, d := withPart(t)
		d.takes = time.Hour
		over := make(chan error)
		go func() { _, err := s.Load(one); over <- err }()
		synctest.Wait()
		began := time.Now()
		for range 3 {
			for sum, err := range s.List() {
				if err != nil || sum.ID != one || sum.State != Running || !sum.Last.IsZero() {
					t.Errorf("%+v, %v", sum, err)
				}
			}
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
		if _, err := s.Load(one); err != nil {
			t.Error(err)
		}
	})
}

// A call may wait in what the depot has of a session and this machine does not.
func TestD8_ACallInWhatIsNotHereIsNotForgotten(t *testing.T) {
	s, d := withPart(t)
	waits := func() bool {
		t.Helper()
		all, err := s.Listed()
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return s.Waits(all[0])
	}
	loadsAll(t, s, d)
	before := waits()
	s.Depot = &far{text: transcriptOf(t, "one", "two", "three")}
	if before || !waits() {
		t.Error("a call may wait in the rest of it, and only there")
	}
}

// Whoever goes on with the last session of a directory goes on with that one, also where it cannot be
// brought here at the moment, and not with an older one.
func TestD8_TheLatestSessionIsOneThatIsNotHere(t *testing.T) {
	s := newStore(t)
	tr, err := s.Create(two, Start{Cwd: "/project"})
	if err == nil {
		err = tr.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Depot = &far{text: transcriptOf(t), fails: true, written: time.Now().Add(time.Hour)}
	if id, err := s.Latest("/project"); err != nil || id != one {
		t.Errorf("%s, %v", id, err)
	}
	if id, err := s.Latest("/elsewhere"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%s, %v", id, err)
	}
}

// A process that ends while it brings another session than the one that was here leaves nothing by which
// the new one would look like one that was cut off.
func TestD8_WhoeverEndsWhileHeBringsLeavesNoDamage(t *testing.T) {
	for name, notes := range map[string][]string{"a shorter one": {}, "a longer one": {"a", "b", "c", "d"}} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			tr := create(t, s, one) // under the same id, and begun before
			put(t, tr, Noted, "before")
			put(t, tr, Noted, "the other one")
			if err := tr.Close(); err != nil {
				t.Fatal(err)
			}
			d := &far{text: transcriptOf(t, notes...), ends: true}
			s.Depot = d
			if err := s.markCopy(one); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = s.Load(one)
			}()
			<-ended
			d.ends = false
			loadsAll(t, s, d)
			tr, err := s.Resume(one)
			if err == nil {
				err = tr.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A fork has all of what it is a fork of: where a process here has the session, and less of it than the
// depot, it is in use. Whoever only looks is shown what is here.
func TestD8_NobodyForksWhatIsBehind(t *testing.T) {
	s := newStore(t)
	d := &far{text: transcriptOf(t, "one")}
	s.Depot = d
	held, err := s.Resume(one)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	s.Depot = &far{text: append(slices.Clone(d.text), "more\n"...)}
	if _, err := s.Load(one); err != nil {
		t.Error(err)
	}
	for _, fork := range []func() error{
		func() error { _, err := s.Fork(one, two, Start{}); return err },
		func() error { _, err := s.LoadToFork(one); return err },
	} {
		if err := fork(); !errors.As(err, new(*InUse)) || !strings.Contains(err.Error(), "older one than the database") {
			t.Errorf("%v", err)
		}
	}
}

// A session that was begun here without the depot, under an id that the depot has, is listed once: the one
// of the depot counts.
func TestD8_ASessionIsListedOnce(t *testing.T) {
	s := newStore(t)
	if err := create(t, s, one).Close(); err != nil {
		t.Fatal(err)
	}
	s.Depot = &far{text: transcriptOf(t, "one")}
	if all, err := s.Listed(); err != nil || len(all) != 1 || all[0].stored == nil {
		t.Errorf("%+v, %v", all, err)
	}
}
