package session

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
)

// The lock file is only a name. Without it the transcript itself is still held.
func TestD8_ARemovedLockLetsNobodyIn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open cannot be removed there")
	}
	s := newStore(t)
	tr := create(t, s, one)
	if err := os.Remove(filepath.Join(tr.Dir(), lockName)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resume(one); !isInUse(err) || !strings.Contains(err.Error(), "by another process") {
		t.Errorf("%v", err)
	}
	put(t, tr, Noted, "still mine")
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	again := resume(t, s, one)
	if got := lines(t, again); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if _, err := s.Resume(one); !isInUse(err) {
		t.Errorf("then %v", err)
	}
}

// What others did to the file is not written over, and nothing follows it.
func TestD8_AForeignHandEndsTheSession(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"a line was added": func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("foreign\n")
			return errors.Join(err, f.Close())
		},
		"the end was cut off": func(path string) error { return os.Truncate(path, 10) },
		"another file": func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.Rename(path, path+".old")
			}
			if err == nil {
				err = os.WriteFile(path, text, 0o600)
			}
			return err
		},
		"no file":       os.Remove,
		"the whole dir": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
	} {
		s := newStore(t)
		tr := create(t, s, one)
		put(t, tr, Noted, "kept")
		head := tr.Head()
		if err := change(tr.Path()); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(tr.Path())
		err := tr.Append(Noted, "lost")
		if !errors.Is(err, ErrForeign) || strings.Contains(err.Error(), "disk is not full") {
			t.Errorf("%s: %v", name, err)
		}
		if err := tr.Append(Noted, "too late"); !errors.Is(err, chain.ErrBroken) || !errors.Is(err, ErrForeign) {
			t.Errorf("%s: then %v", name, err)
		}
		if after, _ := os.ReadFile(tr.Path()); string(after) != string(before) || tr.Head() != head {
			t.Errorf("%s: the file was changed to %q", name, after)
		}
	}
}

// A transcript says which rules hold, so nobody else may write it.
func TestD8_WhatOthersCanWriteIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes there")
	}
	for name, expose := range map[string]func(s *Store) (string, os.FileMode){
		"the sessions by the group":   func(s *Store) (string, os.FileMode) { return s.dir, 0o770 },
		"the sessions by all":         func(s *Store) (string, os.FileMode) { return s.dir, 0o702 },
		"the session by the group":    func(s *Store) (string, os.FileMode) { return s.path(one), 0o720 },
		"the session by all":          func(s *Store) (string, os.FileMode) { return s.path(one), 0o777 },
		"the transcript by the group": func(s *Store) (string, os.FileMode) { return filepath.Join(s.path(one), transcriptName), 0o660 },
		"the transcript by all":       func(s *Store) (string, os.FileMode) { return filepath.Join(s.path(one), transcriptName), 0o602 },
	} {
		s := newStore(t)
		if err := create(t, s, one).Close(); err != nil {
			t.Fatal(err)
		}
		path, mode := expose(s)
		chmod(t, path, mode)
		for way, use := range map[string]func() error{
			"resume": func() error { _, err := s.Resume(one); return err },
			"load":   func() error { _, err := s.Load(one); return err },
			"fork":   func() error { _, err := s.Fork(one, two, begin); return err },
		} {
			err := use()
			exposed, ok := errors.AsType[*Exposed](err)
			if !ok || exposed.Path != path || !strings.Contains(err.Error(), "chmod go-w ") {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
		chmod(t, path, mode&^0o022)
		resume(t, s, one) // reading does no harm
	}

	brought := newStore(t)
	brought.Depot = &far{text: transcriptOf(t, "noted")}
	if err := os.MkdirAll(brought.path(one), 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, brought.path(one), 0o777)
	if _, err := brought.Resume(one); !isExposed(err) {
		t.Errorf("one that is brought: %v", err)
	}
	if made, err := os.ReadDir(brought.path(one)); err != nil || len(made) > 0 {
		t.Errorf("where others can write there is %v, %v", made, err)
	}

	s := newStore(t)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, s.dir, 0o777)
	if _, err := s.Create(one, begin); !isExposed(err) {
		t.Errorf("a new session: %v", err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func isInUse(err error) bool {
	_, ok := errors.AsType[*InUse](err)
	return ok
}

func isExposed(err error) bool {
	_, ok := errors.AsType[*Exposed](err)
	return ok
}
