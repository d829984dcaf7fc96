package depot

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/session"
)

// another is a second database of the same kind.
func (w world) another() world {
	w.Helper()
	if w.open().Kind() == database.SQLite {
		path := filepath.Join(w.TempDir(), "state.db")
		return world{w.T, func() *database.DB { return opened(w.T)(database.OpenFile(path)) }}
	}
	address := testpostgres.Database(w.T)
	return world{w.T, func() *database.DB { return opened(w.T)(database.Connect(w.Context(), address)) }}
}

// do changes the database as nobody does by the depot.
func (h host) do(statement string, args ...any) {
	h.Helper()
	h.must(h.depot.db.Within(h.Context(), func(tx *database.Tx) error {
		_, err := tx.ExecContext(h.Context(), statement, args...)
		return err
	}))
}

func (h host) mustKeep(why string) {
	h.Helper()
	if gone, err := h.RemoveLeftovers(); err != nil || len(gone) != 0 {
		h.Errorf("%s: %v went, %v", why, gone, err)
	}
	if _, err := os.Stat(filepath.Join(h.dir, id, "transcript.jsonl")); err != nil {
		h.Errorf("%s: %v", why, err)
	}
}

// beyond are the transcripts that were kept because the database had less.
func (h host) beyond() (all []string) {
	h.Helper()
	paths, err := filepath.Glob(filepath.Join(h.dir, id, "beyond-*.jsonl"))
	h.must(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		h.must(err)
		all = append(all, string(text))
	}
	return all
}

// A database has a name of its own, which it keeps, and no other has it.
func TestD8_ADatabaseHasAName(t *testing.T) {
	onBoth(t, func(w world) {
		here, there, elsewhere := w.machine("here"), w.machine("there"), w.another().machine("here")
		if here.name == "" || here.name != there.name || here.name == elsewhere.name {
			w.Errorf("%q, %q and %q", here.name, there.name, elsewhere.name)
		}
	})
}

// Whoever works with a wrong database by mistake loses nothing of the right one, whatever the
// wrong one says about a session of the same name.
func TestD8_AnotherDatabaseRemovesNoCopies(t *testing.T) {
	onBoth(t, func(w world) {
		here, elsewhere := w.host("here"), w.another().host("elsewhere")
		w.must(here.create().Close())
		wrong := here
		wrong.Store, wrong.depot = session.NewStore(here.dir), elsewhere.depot
		wrong.Depot = elsewhere.Depot
		wrong.mustKeep("a database that never had it")
		w.must(elsewhere.create().Close())
		_, err := elsewhere.Remove(id, nil)
		w.must(err)
		wrong.mustKeep("a database that had another one of that name")
		_, err = w.host("there").Depot.Take(id)
		w.must(err)
	})
}

// A database that was restored does not know what was begun since, and that it does not know a
// session says nothing.
func TestD8_AnOlderDatabaseRemovesNoCopies(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		w.must(here.create().Close())
		here.do("DELETE FROM depot_sessions WHERE id = $1", id)
		here.mustKeep("a database of before")
		w.must(os.WriteFile(filepath.Join(here.dir, id, "copy"), nil, 0o600))
		here.do("INSERT INTO depot_removed (id, at) VALUES ($1, 1)", id)
		here.mustKeep("a copy that does not say whose it is")
	})
}

// A session that is begun again under the name of one that was removed is not removed with it.
func TestD8_WhatIsBegunAgainIsNotRemoved(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		w.must(here.create().Close())
		there.comes()
		_, err := here.Remove(id, nil)
		w.must(err)
		w.must(here.create().Close())
		there.mustKeep("it was begun again")
		here.do("DELETE FROM depot_sessions WHERE id = $1", id) // a database of before the second one
		there.mustKeep("nobody has removed the second one")
	})
}

// What a copy has and the database does not is put beside it, before the copy becomes what the
// database has: the database may have been restored.
func TestD8_WhatTheDatabaseHasLostIsKept(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		var told []string
		here.depot.Lost = func(of, path string) { told = append(told, of+" "+path) }
		first := here.create()
		path := first.Path()
		w.must(first.Append(session.Noted, said("one")))
		before, err := here.depot.Find(w.Context(), id)
		w.must(err)
		w.must(first.Append(session.Noted, said("two")))
		w.must(first.Append(session.Noted, said("three")))
		w.must(first.Close())
		whole, err := os.ReadFile(path)
		w.must(err)
		here.do("DELETE FROM depot_parts WHERE place >= $1", before.Size)
		here.do("UPDATE depot_sessions SET size = $1", before.Size)

		if got := here.notes(); len(got) != 1 {
			w.Fatalf("%q", got)
		}
		here.comes()
		if got := here.beyond(); len(got) != 1 || got[0] != string(whole) {
			w.Fatalf("kept: %q", got)
		}
		again, err := here.Resume(id)
		w.must(err)
		w.must(again.Append(session.Noted, said("another two")))
		w.must(again.Close())
		w.must(os.WriteFile(path, whole, 0o600)) // a second time
		if got := here.notes(); len(got) != 2 || !strings.Contains(got[1], "another") {
			w.Errorf("%q", got)
		}
		here.comes()
		if got := here.beyond(); len(got) != 1 || got[0] != string(whole) {
			w.Errorf("the same is kept twice, or something else: %q", got)
		}
		if want := id + " " + here.Beyond(id); len(told) != 1 || told[0] != want {
			w.Errorf("told %q, not %q once", told, want)
		}
		mustRead(w.T, whole, 3)
	})
}

// mustRead: what was kept is a session again in a directory of its own.
func mustRead(t *testing.T, kept []byte, want int) {
	t.Helper()
	dir, notes := t.TempDir(), 0
	if err := errors.Join(os.Mkdir(filepath.Join(dir, id), 0o700), os.WriteFile(filepath.Join(dir, id, "transcript.jsonl"), kept, 0o600)); err != nil {
		t.Fatal(err)
	}
	for r, err := range session.NewStore(dir).Records(id) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == session.Noted {
			notes++
		}
	}
	if notes != want {
		t.Errorf("%d notes are left of %d", notes, want)
	}
}

// A copy that is behind, or that was brought here only in part, has nothing that is worth keeping.
func TestD8_NothingIsKeptOfACopyThatIsBehind(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		there.depot.Lost = func(_, path string) { w.Errorf("told of %s", path) }
		w.must(here.create().Close())
		there.comes()
		first, err := here.Resume(id)
		w.must(err)
		w.must(first.Append(session.Noted, said("one")))
		w.must(first.Append(session.Noted, said("two")))
		w.must(first.Close())
		whole, err := os.ReadFile(first.Path())
		w.must(err)
		there.comes()
		w.must(os.WriteFile(filepath.Join(there.dir, id, "transcript.jsonl"), whole[:len(whole)-10], 0o600))
		if got := there.notes(); len(got) != 2 {
			w.Errorf("%q", got)
		}
		there.comes()
		if got, err := os.ReadFile(filepath.Join(there.dir, id, "transcript.jsonl")); err != nil || !bytes.Equal(got, whole) {
			w.Errorf("%v", err)
		}
		if got := there.beyond(); len(got) != 0 {
			w.Errorf("kept: %q", got)
		}
	})
}
