package builtin

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/testdisk"
)

// A file may become the tickets after a tool has looked at it. They keep their locks, and no
// tool gets at them.
func TestA2_AFileThatBecomesTheTickets(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "state.db")
	testdisk.LockedDatabase(t, file)
	kept, err := durable.Keep(file)
	if err := errors.Join(err, os.Link(file, filepath.Join(dir, "x"))); err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	folder, err := openFolder(dir, mustExist)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.close()
	listed, err := openDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer listed.Close()
	for name, open := range map[string]func() error{
		"to read":   func() error { _, err := folder.open("x"); return err },
		"to write":  func() error { return folder.mayWrite("x") },
		"to search": func() error { _, err := openPlainAt(listed, "x"); return err },
	} {
		if err := open(); !errors.Is(err, durable.ErrKept) {
			t.Errorf("%s: %v", name, err)
		}
		if testdisk.Locks(t, file) == 0 {
			t.Fatalf("%s: the lock is lost", name)
		}
	}
}
