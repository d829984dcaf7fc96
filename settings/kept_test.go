//go:build unix

package settings

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
)

// A project can give a database the name of a settings file. A process that has it open
// does not read it.
func TestA2_SettingsAreNotTheTickets(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state.db")
	link := filepath.Join(dir, "settings.json")
	if err := errors.Join(os.WriteFile(file, []byte("{}"), 0o600), os.Link(file, link)); err != nil {
		t.Fatal(err)
	}
	if _, err := readFile(link, 100); err != nil {
		t.Fatal(err)
	}
	kept, err := durable.Keep(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	if _, err := readFile(link, 100); !errors.Is(err, durable.ErrKept) {
		t.Errorf("%v", err)
	}
}
