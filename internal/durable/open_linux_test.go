package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/testdisk"
)

// Whoever exchanges a file after it was looked at gets nothing read, and the database keeps
// its locks, until it is closed everywhere in this process.
func TestA2_AFileThatIsExchangedAfterTheLook(t *testing.T) {
	for name, open := range map[string]func(path string) error{
		"Open": func(path string) error { _, err := Open(path, 0); return err },
		"Read": func(path string) error { _, err := Read(path, 10); return err },
	} {
		for _, ending := range []string{"", "-shm"} {
			t.Run(name+ending, func(t *testing.T) {
				dir := t.TempDir()
				db, file := filepath.Join(dir, "db"), filepath.Join(dir, "x")
				testdisk.LockedDatabase(t, db)
				testdisk.LockedDatabase(t, db+"-shm")
				first, err := Keep(db, "-shm")
				must(t, err)
				second, err := Keep(db, "-shm")
				must(t, err)
				must(t, os.WriteFile(file, []byte("x"), 0o600))
				if err := open(file); err != nil {
					t.Fatal(err)
				}
				looked = func(path string) {
					must(t, errors.Join(os.Link(db+ending, path+".new"), os.Rename(path+".new", path)))
				}
				defer func() { looked = nil }()
				if err := open(file); !errors.Is(err, ErrKept) {
					t.Errorf("%v", err)
				}
				if testdisk.Locks(t, db+ending) == 0 {
					t.Error("the lock is lost")
				}
				first.Release()
				if testdisk.Locks(t, db+ending) == 0 {
					t.Error("the lock is lost, and the database is still open")
				}
				second.Release()
				if testdisk.Locks(t, db+ending) != 0 {
					t.Error("what was opened stays open for ever")
				}
			})
		}
	}
}

// A descriptor that somebody has opened without a look is not closed either.
func TestA2_ADescriptorOfADatabase(t *testing.T) {
	dir := t.TempDir()
	db, other := filepath.Join(dir, "db"), filepath.Join(dir, "other")
	testdisk.LockedDatabase(t, db)
	must(t, os.WriteFile(other, nil, 0o600))
	kept, err := Keep(db)
	must(t, err)
	defer kept.Release()
	for path, want := range map[string]error{db: ErrKept, other: nil} {
		f, err := os.Open(path)
		must(t, err)
		if err := Opened(f); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
		if want == nil {
			must(t, f.Close())
		}
	}
	if testdisk.Locks(t, db) == 0 {
		t.Error("the lock is lost")
	}
}

// What is no directory is not opened as one, so nothing can be lost by closing it.
func TestA2_ADirectoryThatIsADatabase(t *testing.T) {
	db := filepath.Join(t.TempDir(), "db")
	testdisk.LockedDatabase(t, db)
	if f, err := OpenDir(db); err == nil {
		_ = f.Close()
		t.Error("it was opened")
	}
	_ = SyncDir(db)
	removeLeftovers(db, "x")
	if testdisk.Locks(t, db) == 0 {
		t.Error("the lock is lost")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
