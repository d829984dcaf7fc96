//go:build unix

package foreign

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
)

// A project can give a database the name of a file of another agent. A process that has it
// open does not read it.
func TestA2_AFileOfAnAgentIsNotTheTickets(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state.db")
	names := []string{filepath.Join(dir, "hooks.json"), filepath.Join(dir, "soft.json")}
	if err := errors.Join(os.WriteFile(file, []byte("{}"), 0o600), os.Link(file, names[0]), os.Symlink("hooks.json", names[1])); err != nil {
		t.Fatal(err)
	}
	o := Options{Scope: Project, Places: Places{Dir: dir}}
	for _, name := range names {
		if _, text, err := o.load(name); err != nil || string(text) != "{}" {
			t.Fatalf("%q, %v", text, err)
		}
	}
	kept, err := durable.Keep(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	for _, name := range names {
		if _, text, err := o.load(name); !errors.Is(err, durable.ErrKept) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
