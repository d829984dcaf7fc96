package link

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Links go with the tickets that they are about, and no others.
func TestForget(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		until := w.time.Add(time.Hour)
		first, other := w.make("t1", "phone", until), w.make("t2", "phone", until)
		must(t, Forget(t.Context(), w.db, []string{"t1"}))
		if _, err := w.Open(t.Context(), first); !gone(err) {
			t.Errorf("it is still there: %v", err)
		}
		if _, err := w.Open(t.Context(), other); err != nil {
			t.Error(err)
		}
	})
}

// Where no message was ever sent there are no tables, and none are made.
func TestForgetMakesNothing(t *testing.T) {
	db, err := database.OpenFile(filepath.Join(t.TempDir(), "none.db"))
	must(t, err)
	defer db.Close()
	must(t, Forget(t.Context(), db, []string{"abc"}))
	if db.Check(t.Context(), tables) == nil {
		t.Error("tables were made")
	}
}
