//go:build !windows

package approval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who keeps a store open learns that people use another one by now.
func TestS27_ADatabaseThatWasMovedAway(t *testing.T) {
	s := newFileStore(t)
	if s.Moved() {
		t.Error("it is where it was")
	}
	file := databaseOf(t, s)
	must(t, os.Rename(file, file+".old"))
	if !s.Moved() {
		t.Error("it is gone")
	}
	other, err := Open(filepath.Dir(file))
	must(t, err)
	defer other.Close()
	if !s.Moved() || other.Moved() {
		t.Error("another one is in its place")
	}
	must(t, os.Rename(file+".old", file))
	if s.Moved() || !other.Moved() {
		t.Error("it is back")
	}
}

// Somebody removes the log of changes under a server, or puts another one in its place:
// what is written then reaches nobody, although the database itself is where it was.
func TestS27_ALogThatWasTakenAway(t *testing.T) {
	for _, ending := range []string{"-wal", "-shm"} {
		s := newFileStore(t)
		must(t, s.Share(2))
		s.park(deploy("s1"))
		if s.Moved() {
			t.Fatal("it is where it was")
		}
		file := databaseOf(t, s) + ending
		must(t, os.Rename(file, file+".old"))
		if !s.Moved() {
			t.Errorf("%s is gone", ending)
		}
		must(t, os.WriteFile(file, nil, 0o600))
		if !s.Moved() {
			t.Errorf("another %s is in its place", ending)
		}
		must(t, os.Remove(file))
		must(t, os.Rename(file+".old", file))
		if s.Moved() {
			t.Errorf("%s is back", ending)
		}
	}
}

// What has the name of the database and leads nowhere is called that.
func TestS27_ALinkToNothing(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Symlink("elsewhere.db", filepath.Join(dir, fileName)))
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "it is a link to elsewhere.db, which does not exist (make that, or remove the link)") {
		t.Errorf("%v", err)
	}
}
