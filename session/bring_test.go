package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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

func (f *far) Outlined(Stored, Outline) error { return nil }

func (f *far) List(Sought) ([]Stored, error) {
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

func (noLease) Append(int64, []byte, map[string][]byte, *Outline) error { return nil }
func (noLease) StillOurs(context.Context) error                         { return nil }
func (noLease) Release()                                                {}
func (noLease) Remove() error                                           { return nil }

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

// Whoever only looks at a session in the depot leaves nothing of it on this machine, however much of it
// he wants to know. One who works on it has a copy.
func TestD8_LookingBringsNothing(t *testing.T) {
	s := newStore(t)
	d := &far{text: transcriptOf(t, "noted")}
	s.Depot = d
	looks := map[string]func() error{
		"standing": func() error { _, err := s.Standing(one); return err },
		"load":     func() error { _, err := s.Load(one); return err },
		"left":     func() error { _, err := s.Left(one); return err },
		"written":  func() error { _, err := s.Written(one); return err },
		"answers":  func() error { return s.Answers(one, 0) },
		"records": func() (err error) {
			for _, one := range s.Records(one) {
				err = errors.Join(err, one)
			}
			return err
		},
		"summary": func() error {
			if sum, ok := s.Summary(one); !ok || sum.State != Interrupted {
				return fmt.Errorf("%+v", sum)
			}
			return nil
		},
		"list": func() error {
			for sum, err := range s.List() {
				if err != nil || sum.ID != one || sum.State != Interrupted {
					return fmt.Errorf("%+v, %w", sum, err)
				}
			}
			return nil
		},
		"waits": func() error {
			all, err := s.WithCalls(nil)
			if err != nil || len(all) != 1 || !s.Waits(all[0]) { // nobody has written down that none does
				return fmt.Errorf("%+v, %w", all, err)
			}
			return nil
		},
	}
	for name, look := range looks {
		if err := look(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(s.dir); len(left) != 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", left, err)
	}
	tr, err := s.Resume(one)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(s.path(one), transcriptName)); err != nil || !bytes.Equal(text, d.all()) {
		t.Errorf("%q, %v", text, err)
	}
}

// Nothing of a session comes here that somebody else has.
func TestD8_WhatOthersHaveDoesNotCome(t *testing.T) {
	s := newStore(t)
	s.Depot = &taken{far: &far{text: transcriptOf(t, "noted")}}
	if _, err := s.Resume(one); !isInUse(err) {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.dir); len(left) != 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", left, err)
	}
}

// taken is a depot whose sessions somebody has.
type taken struct{ *far }

func (*taken) Take(id string) (Lease, error) { return nil, &InUse{ID: id, Who: "somebody"} }

// Whoever looks while a session is brought is shown all that the depot has, and no part.
func TestD8_NobodyTakesAPartForTheWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		d := &far{text: transcriptOf(t, "one"), takes: time.Second}
		s.Depot = d
		over := make(chan error)
		go func() {
			tr, err := s.Resume(one)
			if err == nil {
				err = tr.Close()
			}
			over <- err
		}()
		synctest.Wait() // it is on its way
		more := transcriptOf(t, "one", "two")
		d.grown.Store(&more)
		if got := countRecords(t, s); got != 3 {
			t.Errorf("%d records", got)
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
	})
}

func countRecords(t *testing.T, s *Store) (n int) {
	t.Helper()
	for _, err := range s.Records(one) {
		if err != nil {
			t.Error(err)
		}
		n++
	}
	return n
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
				_ = s.bring(one)
			}()
			<-ended
			d.ends = false
			if n := countRecords(t, s); n != len(notes)+1 {
				t.Errorf("%d records", n)
			}
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

// A fork has all of what it is a fork of, also where a process here has less of it than the depot.
func TestD8_AForkHasAllThatTheDepotHas(t *testing.T) {
	s := newStore(t)
	d := &far{text: transcriptOf(t, "one")}
	s.Depot = d
	held, err := s.Resume(one)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	s.Depot = &far{text: transcriptOf(t, "one", "two")}
	if got := countRecords(t, s); got != 3 {
		t.Errorf("%d records", got)
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
