package desk_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
)

// Tickets that were lent stay open, and when they were moved away nobody acts on others:
// people answer where who has lent them looks.
func TestS27_TicketsThatAreLent(t *testing.T) {
	dir := t.TempDir()
	store, err := approval.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	d, c := desk.Over(dir, store), deploy()
	if err := d.Park(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := store.Latest(t.Context()); err != nil {
		t.Errorf("they are closed: %v", err)
	}
	if err := os.Rename(filepath.Join(dir, "state.db"), filepath.Join(dir, "old.db")); err != nil {
		t.Fatal(err)
	}
	if err := d.Park(t.Context(), c); !errors.Is(err, approval.ErrMoved) {
		t.Errorf("%v", err)
	}
}
