package terminal

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/durable"
)

// Who is asked about a change of the tickets is shown no difference: the process that asks
// may have them open, and must not open them once more.
func TestA2_ADifferenceIsNotThatOfTheTickets(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "state.db"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := new(Terminal).Asker(in(dir, dir))
	if _, state := a.read("state.db"); state != present {
		t.Fatal(state)
	}
	kept, err := durable.Keep(filepath.Join(dir, "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Release()
	if _, state := a.read("state.db"); state != unreadable {
		t.Error(state)
	}
}
