package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/assent-dev/assent/internal/chain"
)

// bare is an exported session without calls that wait and without a state.
func bare(t *testing.T) []byte {
	t.Helper()
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Noted, "a note")
	_ = tr.Close()
	var file bytes.Buffer
	if _, err := s.Export(one, &file, "ann", "v"); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// What an import has left whose process died is none of the session that is imported.
func TestD8_WhatADeadImportHasLeft(t *testing.T) {
	s := newStore(t)
	if err := os.MkdirAll(s.path(one), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{headName: "9:" + strings.Repeat("ab", 32), stateName: `{"tenure":"vip"}`, importMark + "1": "x"} {
		if err := os.WriteFile(filepath.Join(s.path(one), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Import(read(t, bare(t)), "", "bob", nil); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, s.path(one)), []string{headName, lockName, transcriptName}; !slices.Equal(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
	if tr := resume(t, s, one); strings.TrimSpace(content(t, s, one, headName)) != tr.Head() {
		t.Errorf("the head is %s", content(t, s, one, headName))
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// Somebody makes the session while an import waits for its lock: that one stays.
func TestD8_AnImportThatComesSecond(t *testing.T) {
	file := bare(t)
	synctest.Test(t, func(t *testing.T) {
		s := newStore(t)
		if err := os.MkdirAll(s.path(one), 0o700); err != nil {
			t.Fatal(err)
		}
		l := flock.New(filepath.Join(s.path(one), lockName))
		if held, err := l.TryLock(); !held || err != nil {
			t.Fatal(held, err)
		}
		done := make(chan error)
		go func() { done <- s.Import(read(t, file), "", "bob", nil) }()
		time.Sleep(10 * time.Millisecond) // it waits for the lock by now
		path := filepath.Join(s.path(one), transcriptName)
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := l.Unlock(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; !errors.Is(err, ErrExists) {
			t.Errorf("%v", err)
		}
		if got := string(slurp(t, path)); got != "mine" {
			t.Errorf("the session is %q now", got)
		}
	})
}

// badFile is a file that fails at one point.
type badFile struct {
	chain.File
	write, sync error
}

func (f badFile) Write(data []byte) (int, error) {
	if f.write != nil {
		return 0, f.write
	}
	return f.File.Write(data)
}

func (f badFile) Sync() error { return errors.Join(f.sync, f.File.Sync()) }

// An import that fails leaves nothing, whatever fails and whatever was there before.
func TestD8_AFailedImportLeavesNothing(t *testing.T) {
	sick := errors.New("the disk is sick")
	for name, prepare := range map[string]func(t *testing.T, s *Store){
		"writing": func(_ *testing.T, s *Store) {
			s.through = func(f chain.File) chain.File { return badFile{File: f, write: sick} }
		},
		"to the disk": func(_ *testing.T, s *Store) {
			s.through = func(f chain.File) chain.File { return badFile{File: f, sync: sick} }
		},
		"the head": func(t *testing.T, s *Store) { // nothing can replace a directory
			if err := os.MkdirAll(filepath.Join(s.path(one), headName, "in the way"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, cwd := range []string{"", "/srv/app"} {
			t.Run(name+cwd, func(t *testing.T) {
				s := newStore(t)
				prepare(t, s)
				_, missing := os.Stat(s.path(one))
				x := read(t, exported(t, newStore(t)))
				if err := s.Import(x, cwd, "bob", nil); err == nil || !strings.Contains(err.Error(), "nothing of it is left here") {
					t.Errorf("%v", err)
				}
				if ids, err := s.IDs(); err != nil || len(ids) != 0 {
					t.Errorf("there is a session: %v, %v", ids, err)
				}
				if missing != nil {
					if left := names(t, s.dir); len(left) != 0 {
						t.Errorf("left over: %q", left)
					}
				} else if left := names(t, s.path(one)); !slices.Equal(left, []string{headName, lockName}) {
					t.Errorf("left over: %q", left)
				}
			})
		}
	}
}

// A directory in which a session was to be made, by a process that died, can be removed.
func TestD7_WhatNeverBegan(t *testing.T) {
	s := newStore(t)
	create(t, s, two)
	if err := os.MkdirAll(s.path(one), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.path(one), lockName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.Unbegun(time.Hour); len(got) != 0 {
		t.Errorf("somebody may be about to make it: %v", got)
	}
	s.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	if got := s.Unbegun(time.Hour); !slices.Equal(got, []string{one}) {
		t.Fatalf("%v", got)
	}
	if err := s.RemoveUnbegun(two); !isInUse(err) {
		t.Errorf("one that is in use: %v", err)
	}
	if err := s.RemoveUnbegun(one); err != nil {
		t.Fatal(err)
	}
	if left := names(t, s.dir); !slices.Equal(left, []string{two}) {
		t.Errorf("left over: %q", left)
	}
	tr := create(t, s, one)
	_ = tr.Close()
	if err := s.RemoveUnbegun(one); !errors.Is(err, ErrExists) || !s.begun(one) {
		t.Errorf("a session was removed: %v", err)
	}
}
