//go:build unix

package script_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/model/script"
)

// A script can be given the name of a database. A process that has it open does not read it.
func TestA2_AScriptIsNotTheTickets(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "state.db"), filepath.Join(dir, "script.yaml")
	if err := errors.Join(os.WriteFile(file, []byte(small), 0o600), os.Link(file, link)); err != nil {
		t.Fatal(err)
	}
	if _, err := script.Open(link); err != nil {
		t.Fatal(err)
	}
	kept, err := durable.Keep(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	if _, err := script.Open(link); !errors.Is(err, durable.ErrKept) {
		t.Errorf("%v", err)
	}
}
