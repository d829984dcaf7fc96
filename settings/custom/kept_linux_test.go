package custom

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/testdisk"
)

// A command, or a directory of them, may become the tickets after it was looked at. They keep
// their locks.
func TestA2_ACommandThatBecomesTheTickets(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state.db")
	testdisk.LockedDatabase(t, file)
	kept, err := durable.Keep(file)
	if err := errors.Join(err, os.Link(file, filepath.Join(dir, "x.md"))); err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	w := &walk{root: root, at: dir}
	if _, err := w.open("x.md"); !errors.Is(err, durable.ErrKept) {
		t.Errorf("%v", err)
	}
	if _, err := w.entries("x.md"); !errors.Is(err, durable.ErrKept) {
		t.Errorf("%v", err)
	}
	if testdisk.Locks(t, file) == 0 {
		t.Error("the lock is lost")
	}
}
