package depot

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// Who works on a session is stopped when another machine has taken it over; who works on
// another one, or has stopped by himself, is not told.
func TestD8_WorkEndsWhenTheLeaseIsLost(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.machine("here")
		here.lasts = 400 * time.Millisecond
		store := session.NewStore(w.TempDir())
		store.Depot = here.Sessions(nil)
		mine, stop := store.Keeping(w.Context(), "s1") // before there is a lease
		defer stop()
		other, stopOther := store.Keeping(w.Context(), "s2")
		defer stopOther()
		here.Sessions(nil).Watch("s1", func() { w.Error("who has stopped was told") })()
		w.begin(here, "s1", "one\n")
		second := w.begin(here, "s2", "one\n")
		if mine.Err() != nil {
			w.Fatal(mine.Err())
		}
		w.must(here.db.Within(w.Context(), func(tx *database.Tx) error {
			_, err := tx.ExecContext(w.Context(), "UPDATE depot_sessions SET fence = fence + 1 WHERE id = 's1'")
			return err
		}))
		select {
		case <-mine.Done():
		case <-time.After(20 * time.Second):
			w.Fatal("it works on")
		}
		var taken *session.Taken
		if err := context.Cause(mine); !errors.As(err, &taken) || taken.ID != "s1" {
			w.Errorf("%v", err)
		}
		if other.Err() != nil {
			w.Error("the other session ends as well")
		}
		w.must(second.Release(w.Context()))
	})
}

// A session that lies on one machine alone is nobody else's.
func TestWorkWithoutADepot(t *testing.T) {
	ctx, stop := session.NewStore(t.TempDir()).Keeping(t.Context(), "s1")
	if stop(); ctx.Err() != nil {
		t.Error(ctx.Err())
	}
}
