package depot

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// Without the database a copy says nothing: it is not listed, not read and not gone on with, and
// only whoever removes sessions finds it.
func TestD8_ACopySaysNothingWithoutItsDatabase(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		w.must(here.create().Close())
		alone := session.NewStore(here.dir)
		if ids, err := alone.IDs(); err != nil || len(ids) != 0 {
			t.Errorf("listed: %v, %v", ids, err)
		}
		for s, err := range alone.List() {
			t.Errorf("listed: %v, %v", s, err)
		}
		if _, ok := alone.Summary(id); ok {
			t.Error("it has a summary")
		}
		var elsewhere *session.Elsewhere
		if _, err := alone.Standing(id); !errors.As(err, &elsewhere) {
			t.Errorf("read: %v", err)
		}
		if _, err := alone.Load(id); !errors.As(err, &elsewhere) {
			t.Errorf("loaded: %v", err)
		}
		if latest, err := alone.Latest("/project"); err != nil || latest != id { // which is then refused
			t.Errorf("the latest is %q, %v", latest, err)
		}
		if err := alone.Elsewhere(id); !errors.As(err, &elsewhere) || here.Elsewhere(id) != nil {
			t.Errorf("%v, %v", err, here.Elsewhere(id))
		}
		if ids, err := alone.Copies(); err != nil || !slices.Equal(ids, []string{id}) {
			t.Errorf("copies: %v, %v", ids, err)
		}
		if ids, err := here.Copies(); err != nil || len(ids) != 0 {
			t.Errorf("copies with the database: %v, %v", ids, err)
		}
		if _, err := alone.Written(id); err != nil || alone.Gone(id) {
			t.Errorf("it is gone: %v", err)
		}
		_, err := alone.Remove(id, nil)
		w.must(err)
		if _, err := here.depot.Find(t.Context(), id); err != nil {
			t.Errorf("the session went with its copy: %v", err)
		}
	})
}

// What somebody has removed does not stay on the machines that once worked on it.
func TestD8_CopiesOfRemovedSessionsGo(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		w.must(here.create().Close())
		there.notes()
		other := session.NewStore(there.dir)
		const own = "22222222-2222-4222-8222-222222222222"
		mine, err := other.Create(own, session.Start{Cwd: "/project"}) // it never was in the database
		w.must(err)
		w.must(mine.Close())
		if gone, err := there.RemoveLeftovers(); err != nil || len(gone) != 0 {
			t.Fatalf("what the database has went: %v, %v", gone, err)
		}
		open, err := there.Resume(id)
		w.must(err)
		away := w.host("away")
		here.do("UPDATE depot_sessions SET until = 0, holder = ''") // it was taken for dead, and given back
		away.notes()
		_, err = away.Remove(id, nil)
		w.must(err)
		if gone, err := there.RemoveLeftovers(); err != nil || len(gone) != 0 {
			t.Fatalf("what is in use went: %v, %v", gone, err)
		}
		_ = open.Close()
		for _, h := range []host{here, there} {
			if gone, err := h.RemoveLeftovers(); err != nil || !slices.Equal(gone, []string{id}) {
				t.Errorf("%v, %v", gone, err)
			}
			if _, err := os.Stat(filepath.Join(h.dir, id)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it is still there: %v", err)
			}
		}
		if entries, err := os.ReadDir(there.dir); err != nil || len(entries) != 1 || entries[0].Name() != own {
			t.Errorf("%v, %v", entries, err)
		}
	})
}

// How long nobody has used a session is for the database to say: its copy may have come only now.
func TestD8_TheDatabaseSaysWhenASessionWasWritten(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		w.must(here.create().Close())
		long := time.Now().Add(-90 * 24 * time.Hour).Truncate(time.Microsecond)
		w.must(here.depot.db.Within(t.Context(), func(tx *database.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE depot_sessions SET written = $1", long.UnixMicro())
			return err
		}))
		for _, h := range []host{here, there} {
			if at, err := h.Written(id); err != nil || !at.Equal(long) {
				t.Errorf("%v, %v", at, err)
			}
		}
	})
}
