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
