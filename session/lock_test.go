package session

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

// Between taking a session and saying so there is a moment, and another one between saying
// that it is given back and giving it. Whoever comes then is not told half of it.
func TestD8_AHolderThatHasNotSaidSoYet(t *testing.T) {
	for name, c := range map[string]struct {
		then func(path string, l *flock.Flock) error
		pid  int // who is in the way; -1 for nobody
	}{
		"it says so": {func(path string, _ *flock.Flock) error {
			return os.WriteFile(path, []byte(`{"pid":4711,"host":"h"}`), 0o600)
		}, 4711},
		"it gives it back": {func(_ string, l *flock.Flock) error { return l.Unlock() }, -1},
		"it says nothing":  {func(string, *flock.Flock) error { return nil }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, lockName)
				l := flock.New(path)
				if held, err := l.TryLock(); !held || err != nil {
					t.Fatal(held, err)
				}
				done := make(chan error)
				go func() {
					time.Sleep(10 * time.Millisecond)
					done <- c.then(path, l)
				}()
				began := time.Now()
				result := make(chan error)
				go func() {
					unlock, err := lock(one, dir)
					if err == nil {
						unlock()
					}
					result <- err
				}()
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				err := <-result
				var inUse *InUse
				switch {
				case c.pid < 0 && err != nil:
					t.Error(err)
				case c.pid >= 0 && (!errors.As(err, &inUse) || inUse.PID != c.pid):
					t.Errorf("%v", err)
				}
				if took := time.Since(began); took > 200*time.Millisecond {
					t.Errorf("it took %v", took)
				}
				_ = l.Unlock()
			})
		})
	}
}

// A process that was killed has left its name in the lock. Nobody is told that name while
// others only look whether the session is held, however long they do, or before whoever has
// it now could say so.
func TestD8_TheNameOfADeadHolder(t *testing.T) {
	const dead = `{"pid":999999,"host":"h"}`
	for name, c := range map[string]struct {
		take  func(*flock.Flock) (bool, error)
		after time.Duration
		then  func(path string, l *flock.Flock) error
		pid   int // who is in the way; -1 for nobody
	}{
		"others look for a while": {(*flock.Flock).TryRLock, 300 * time.Millisecond, func(_ string, l *flock.Flock) error { return l.Unlock() }, -1},
		"another one says so": {(*flock.Flock).TryLock, 5 * time.Millisecond, func(path string, _ *flock.Flock) error {
			return os.WriteFile(path, []byte(`{"pid":4711,"host":"h"}`), 0o600)
		}, 4711},
		"another one gives it back": {(*flock.Flock).TryLock, 5 * time.Millisecond, func(_ string, l *flock.Flock) error { return l.Unlock() }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, lockName)
				if err := os.WriteFile(path, []byte(dead), 0o600); err != nil {
					t.Fatal(err)
				}
				l := flock.New(path)
				if held, err := c.take(l); !held || err != nil {
					t.Fatal(held, err)
				}
				done := make(chan error, 1)
				go func() {
					time.Sleep(c.after)
					done <- c.then(path, l)
				}()
				unlock, err := lock(one, dir)
				if err == nil {
					unlock()
				}
				var inUse *InUse
				switch {
				case c.pid < 0 && err != nil:
					t.Error(err)
				case c.pid >= 0 && (!errors.As(err, &inUse) || inUse.PID != c.pid):
					t.Errorf("%v", err)
				}
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				_ = l.Unlock()
			})
		})
	}
}
