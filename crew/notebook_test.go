package crew

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"

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

func isInUse(err error) bool {
	_, is := errors.AsType[*session.InUse](err)
	return is
}
