package approval

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/testdisk"
)

// A process may open the tickets twice: a server, and an agent that runs in it. The system
// gives up all locks of a process on a file when the process closes that file, however often
// it has it open. Without its lock another process could put the log of changes away under
// this one, and with it what was acknowledged.
func TestA2_OpeningTwiceKeepsTheLocks(t *testing.T) {
	c := newFileStore(t)
	c.park(deploy("one"))
	before := testdisk.Locks(t, c.db.Name())
	if before == 0 {
		t.Fatal("the database holds no lock on its file")
	}
	second, err := Open(filepath.Dir(c.db.Name()))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got := testdisk.Locks(t, c.db.Name()); got < before {
		t.Errorf("%d locks are left of %d", got, before)
	}
}

// Whatever else of this process has opened a file of the tickets by mistake, the locks stay,
// also when one of several stores is closed.
func TestA2_AnotherOpeningKeepsTheLocks(t *testing.T) {
	for _, ending := range []string{"", "-shm"} {
		c := newFileStore(t)
		c.park(deploy("one"))
		second, err := Open(filepath.Dir(c.db.Name()))
		must(t, err)
		_, err = second.List(t.Context(), Query{})
		must(t, err)
		f, err := os.Open(c.db.Name() + ending)
		must(t, err)
		if err := durable.Opened(f); err == nil {
			t.Fatal("nobody noticed")
		}
		if testdisk.Locks(t, c.db.Name()+ending) == 0 {
			t.Errorf("state.db%s: the locks are lost", ending)
		}
		must(t, c.Close())
		if testdisk.Locks(t, c.db.Name()+ending) == 0 {
			t.Errorf("state.db%s: the locks of the other store are lost", ending)
		}
		must(t, second.Close())
	}
}
