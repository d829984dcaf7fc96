package depot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// host is a machine with a directory of its own for its copies.
type host struct {
	world
	*session.Store
	depot *Depot
	dir   string
}

func (w world) host(name string) host {
	w.Helper()
	d, dir := w.machine(name), filepath.Join(w.TempDir(), name)
	s := session.NewStore(dir)
	s.Depot = d.Sessions([]string{"eu"})
	return host{w, s, d, dir}
}

const id = "11111111-1111-4111-8111-111111111111"

func (h host) create() *session.Transcript {
	h.Helper()
	h.Store.Prepare = func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "state.json"), []byte(`{"n":1}`), 0o600)
	}
	t, err := h.Create(id, session.Start{Cwd: "/project"})
	h.must(err)
	return t
}

func said(text string) any { return strictjson.Raw(`{"note":"` + text + `"}`) }

func (h host) notes() (all []string) {
	h.Helper()
	for r, err := range h.Records(id) {
		h.must(err)
		if r.Kind == session.Noted {
			all = append(all, string(r.Body))
		}
	}
	return all
}

// comes lets somebody here take the session, which has a copy then.
func (h host) comes() {
	h.Helper()
	t, err := h.Resume(id)
	h.must(err)
	h.must(t.Close())
}

// A session goes on on another machine with everything that was acknowledged, and back.
func TestD8_ASessionGoesOnOnAnotherMachine(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		first := here.create()
		w.must(first.Append(session.Noted, said("one")))
		var inUse *session.InUse
		if _, err := there.Resume(id); !errors.As(err, &inUse) || inUse.Who != "here" {
			t.Fatalf("%v", err)
		}
		if !there.Held(id) || there.Gone(id) {
			t.Error("another machine does not see that it is open")
		}
		if got := there.notes(); len(got) != 1 { // who looks sees what there is
			t.Errorf("%q", got)
		}
		w.must(os.WriteFile(filepath.Join(here.dir, id, "state.json"), []byte(`{"n":22}`), 0o600))
		w.must(first.Append(session.Noted, said("two")))
		w.must(first.Close())

		second, err := there.Resume(id)
		w.must(err)
		if second.Head() != first.Head() {
			t.Errorf("%s and %s", second.Head(), first.Head())
		}
		state, err := os.ReadFile(filepath.Join(there.dir, id, "state.json"))
		if err != nil || string(state) != `{"n":22}` {
			t.Errorf("%q, %v", state, err)
		}
		w.must(second.Append(session.Noted, said("three")))
		w.must(second.Close())
		if got := here.notes(); len(got) != 3 {
			t.Errorf("%q", got)
		}
		ids, err := here.IDs()
		if err != nil || len(ids) != 1 || here.Held(id) {
			t.Errorf("%v, %v", ids, err)
		}
	})
}

// What was written here and not acknowledged, because the database was away or somebody else
// had taken over, does not count: whoever goes on finds what the database has.
func TestD8_WhatTheDatabaseDoesNotHaveDoesNotCount(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		first := here.create()
		w.must(first.Append(session.Noted, said("one")))
		w.must(here.depot.db.Within(t.Context(), func(tx *database.Tx) error { // somebody else takes it, and gives it back
			_, err := tx.ExecContext(t.Context(), "UPDATE depot_sessions SET fence = fence + 1, until = 0, holder = ''")
			return err
		}))
		var lost *Lost
		err := first.Append(session.Noted, said("mine"))
		if !errors.As(err, &lost) || strings.Contains(err.Error(), "disk") {
			t.Fatalf("%v", err)
		}
		if taken, ok := errors.AsType[*session.Taken](first.Broken()); !ok || taken.ID != id {
			t.Errorf("%v", first.Broken())
		}
		if err := first.Append(session.Noted, said("mine again")); err == nil {
			t.Fatal("it is written to all the same")
		}
		_ = first.Close()
		second, err := there.Resume(id)
		w.must(err)
		w.must(second.Append(session.Noted, said("yours")))
		w.must(second.Close())
		third, err := here.Resume(id)
		w.must(err)
		w.must(third.Close())
		if got := here.notes(); len(got) != 2 || got[1] != `{"note":"yours"}` {
			t.Errorf("%q", got)
		}
	})
}

// A copy is nothing to work on without the database, and a session that was removed elsewhere
// is gone here as well. One from before there was a database is handed over when it goes on.
func TestD8_ACopyIsOnlyACopy(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		w.must(here.create().Close())
		alone := session.NewStore(here.dir)
		var elsewhere *session.Elsewhere
		if _, err := alone.Resume(id); !errors.As(err, &elsewhere) {
			t.Errorf("%v", err)
		}
		_, err := there.Remove(id, nil) // of which it has no copy
		w.must(err)
		if left, err := os.ReadDir(filepath.Join(there.dir, id)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, %v", left, err)
		}
		if _, err := here.Resume(id); !errors.Is(err, session.ErrUnknown) || !here.Gone(id) {
			t.Errorf("%v", err)
		}
		if ids, err := here.IDs(); err != nil || len(ids) != 0 {
			t.Errorf("%v, %v", ids, err)
		}

		before := session.NewStore(filepath.Join(here.dir, "before"))
		old, err := before.Create(id, session.Start{Cwd: "/project"})
		w.must(err)
		w.must(old.Append(session.Noted, said("old")))
		w.must(old.Close())
		before.Depot = here.depot.Sessions(nil)
		again, err := before.Resume(id)
		w.must(err)
		w.must(again.Append(session.Noted, said("new")))
		w.must(again.Close())
		if got := there.notes(); len(got) != 2 {
			t.Errorf("%q", got)
		}
	})
}

// When the machine that works on a session dies, another one goes on when the lease has ended.
func TestD8_ADeadMachinesSessionIsTakenOver(t *testing.T) {
	onBoth(t, func(w world) {
		here, there := w.host("here"), w.host("there")
		here.depot.lasts, there.depot.lasts = 400*time.Millisecond, 400*time.Millisecond
		first := here.create()
		w.must(first.Append(session.Noted, said("one")))
		w.must(here.depot.db.Close()) // it dies
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			second, err := there.Resume(id)
			if err == nil {
				w.must(second.Close())
				break
			}
			var inUse *session.InUse
			if !errors.As(err, &inUse) || time.Now().After(end) {
				t.Fatal(err)
			}
		}
		if got := there.notes(); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
}
