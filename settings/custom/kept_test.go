//go:build !windows

package custom

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
)

// A project can give a database the name of a command. A process that has it open does not
// read it.
func TestA2_ACommandIsNotTheTickets(t *testing.T) {
	work := t.TempDir()
	dir := filepath.Join(work, ".claude", "commands")
	file := filepath.Join(work, "state.db")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(file, []byte("x"), 0o600), os.Link(file, filepath.Join(dir, "x.md"))); err != nil {
		t.Fatal(err)
	}
	kept, err := durable.Keep(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	set := ReadBelow(work)
	if len(set.Commands) != 1 || set.Commands[0].Fault == nil || !strings.Contains(set.Commands[0].Fault.Error(), durable.ErrKept.Error()) {
		t.Errorf("%+v", set)
	}
}
