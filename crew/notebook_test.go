package crew

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/session"
)

// What a crew has begun is noted as long as it runs; another one that shares the notebook finds
// it in use, and takes nothing out of it that is not its own.
func TestA3_CrewsShareANotebook(t *testing.T) {
	n := notebook{filepath.Join(t.TempDir(), "going")}
	first, err := n.begin(id(1))
	if err != nil || !first.made {
		t.Fatal(first, err)
	}
	if _, err := n.begin(id(1)); !isInUse(err) {
		t.Errorf("both run it: %v", err)
	}
	first.keep() // it has failed, or died
	second, err := n.begin(id(1))
	if err != nil || second.made || !slices.Equal(n.all(), []string{id(1)}) {
		t.Fatal(second, err, n.all())
	}
	second.strike()
	second.keep()
	if all := n.all(); len(all) > 0 {
		t.Errorf("%v", all)
	}
	// One is struck while another is about to lock it.
	var all sync.WaitGroup
	var running sync.Mutex
	for range 4 {
		all.Go(func() {
			for range 200 {
				begun, err := n.begin(id(1))
				if isInUse(err) {
					continue
				}
				if err != nil || !running.TryLock() {
					t.Errorf("two run it, or none can: %v", err)
					return
				}
				if len(n.all()) != 1 {
					t.Error("it runs, and is not noted")
				}
				running.Unlock()
				begun.strike()
				begun.keep()
			}
		})
	}
	all.Wait()
}

// Where nothing can be noted, because the place is gone, that is an error: no other crew is waited
// for.
func TestA3_ANotebookWhosePlaceIsGone(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip("a directory in which somebody is cannot be removed here")
	}
	done := make(chan error, 1)
	go func() {
		_, err := notebook{"going"}.begin(id(1))
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || isInUse(err) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on for ever")
	}
}

func isInUse(err error) bool {
	_, is := errors.AsType[*session.InUse](err)
	return is
}
