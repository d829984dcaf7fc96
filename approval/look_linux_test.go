package approval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testdisk"
)

// On a disk that is full or cannot be written the tickets can be looked at, and what keeps
// them from being changed is said.
func TestA2_TicketsOnASickDisk(t *testing.T) {
	disk, ok := testdisk.New(t)
	if !ok {
		return
	}
	ctx := context.Background()
	parked := func(name string) (dir string) {
		dir = filepath.Join(disk, name)
		s, err := Open(dir)
		must(t, err)
		_, err = s.Park(ctx, Parking{Call: deploy("s1"), By: "hook"})
		must(t, errors.Join(err, s.Close()))
		return dir
	}
	closed := parked("closed")
	// A process that died has left changes beside the database, and its locks.
	left := parked("left")
	s, err := Open(left)
	must(t, err)
	_, err = s.Park(ctx, Parking{Call: deploy("s2"), By: "hook"})
	must(t, err)
	died := filepath.Join(disk, "died")
	must(t, os.CopyFS(died, os.DirFS(left)))
	bare := filepath.Join(disk, "bare") // without the locks what is beside it cannot be read
	must(t, os.CopyFS(bare, os.DirFS(left)))
	must(t, os.Remove(filepath.Join(bare, fileName+"-shm")))
	must(t, s.Close())

	look := func(dir, hint string, want int) {
		t.Helper()
		_, err := Open(dir)
		if err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: opened: %v", dir, err)
		}
		l, err := Look(dir, err)
		if want < 0 {
			if err == nil {
				t.Errorf("%s: it is shown, and not as it is", dir)
				_ = l.Close()
			}
			return
		}
		must(t, err)
		defer l.Close()
		if all, err := l.List(ctx, Query{}); err != nil || len(all) != want {
			t.Errorf("%s: %d tickets, %v", dir, len(all), err)
		}
	}
	testdisk.Exhaust(t, disk)
	look(closed, "see that the disk is not full", 1)
	must(t, os.Remove(filepath.Join(disk, "ballast")))
	testdisk.ReadOnly(t, disk)
	look(closed, "can be written", 1)
	look(died, "can be written", 2)
	look(bare, "can be written", -1)
	look(filepath.Join(disk, "none"), "can be written", -1)
}
