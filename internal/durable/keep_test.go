package durable

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A database that this process has open is opened by nobody else in it, by whatever name,
// until it is closed. Other files are.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(at(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("db")
	write("other")
	if err := errors.Join(os.Link(at("db"), at("hard")), os.Symlink("db", at("soft"))); err != nil {
		t.Fatal(err)
	}
	check := func(when string, want error, names ...string) {
		t.Helper()
		for _, name := range names {
			if err := MayOpen(at(name)); !errors.Is(err, want) {
				t.Errorf("%s, %s: %v", when, name, err)
			}
			if name == "soft" { // which Read never follows
				continue
			}
			if _, err := Read(at(name), 10); !errors.Is(err, want) {
				t.Errorf("%s, reading %s: %v", when, name, err)
			}
		}
	}
	check("before", nil, "db", "hard", "soft", "other")
	kept, err := Keep(at("soft"), "-wal") // also one that was opened through a link
	if err != nil {
		t.Fatal(err)
	}
	second, err := Keep(at("db"), "-wal")
	if err != nil {
		t.Fatal(err)
	}
	write("db-wal") // which comes later
	check("kept", ErrKept, "db", "hard", "soft", "db-wal")
	check("kept", nil, "other")
	if len(kept.strays)+len(second.strays) > 0 {
		t.Error("a file was opened that a look would have told")
	}
	if err := os.Rename(at("db"), at("away")); err != nil {
		t.Fatal(err)
	}
	check("moved away", ErrKept, "away", "hard", "db-wal")
	second.Release()
	check("kept by one of two", ErrKept, "away", "hard", "db-wal")
	kept.Release()
	check("released", nil, "away", "hard", "db-wal")
	if err := MayOpen(at("none")); err != nil || Keeping() {
		t.Errorf("what is not there: %v", err)
	}
	if _, err := Keep(at("none")); err == nil {
		t.Error("nothing was kept")
	}
}
