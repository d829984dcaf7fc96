package settings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/testdisk"
)

// A settings file may become the tickets after it was looked at. They keep their locks.
func TestA2_SettingsThatBecomeTheTickets(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "state.db"), filepath.Join(dir, "settings.json")
	testdisk.LockedDatabase(t, file)
	kept, err := durable.Keep(file)
	if err := errors.Join(err, os.Link(file, link)); err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	if _, err := readNamed(link, 100); !errors.Is(err, durable.ErrKept) {
		t.Errorf("%v", err)
	}
	if testdisk.Locks(t, file) == 0 {
		t.Error("the lock is lost")
	}
}
