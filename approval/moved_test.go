//go:build !windows

package approval

import (
	"os"
	"path/filepath"
	"testing"
)

// Who keeps a store open learns that people use another one by now.
func TestS27_ADatabaseThatWasMovedAway(t *testing.T) {
	s := newStore(t)
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
