package depot

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// before makes a session of a machine from before there was a database.
func (h host) before() {
	h.Helper()
	tr, err := session.NewStore(h.dir).Create(id, session.Start{Cwd: "/project", Requester: "ann@desk"})
	h.must(err)
	h.must(tr.Append(session.Noted, said("one")))
	h.must(tr.Close())
}

// T1: whoever puts a session into the database that lay on his machine only is one of those who want
// its calls from then on, whatever he wants of it: nobody can say who wrote the file. So he is when he
// only looks at it there. Who takes it up later is not.
func TestT1_WhoeverHandsASessionOverWantsItsCalls(t *testing.T) {
	take := func(h host) error {
		tr, err := h.Resume(id)
		if err == nil {
			err = tr.Close()
		}
		return err
	}
	for name, way := range map[string]func(h host) error{
		"takes it up": take,
		"exports it": func(h host) error {
			_, err := h.Export(id, &bytes.Buffer{}, "ann@desk", "v")
			return err
		},
	} {
		onBoth(t, func(w world) {
			here, there := w.host("here"), w.host("there")
			here.before()
			want := account.Join("ann@desk", account.Name())
			if stand, err := here.Standing(id); err != nil || stand.Start.Requester != want { // a ticket can be made of that
				t.Errorf("looked at: %q, %v", stand.Start.Requester, err)
			}
			if stand, err := session.NewStore(here.dir).Standing(id); err != nil || stand.Start.Requester != "ann@desk" {
				t.Errorf("without the database: %q, %v", stand.Start.Requester, err)
			}
			w.must(way(here))
			for _, h := range []host{here, there} {
				if c, err := h.Load(id); err != nil || c.Start.Requester != want || len(h.notes()) != 1 {
					t.Errorf("%s: %q, %v", name, c.Start.Requester, err)
				}
			}
			before, err := here.depot.Find(t.Context(), id)
			w.must(err)
			w.must(take(there))
			w.must(take(here))
			if after, err := here.depot.Find(t.Context(), id); err != nil || after.Size != before.Size {
				t.Errorf("%s: %d bytes have become %d, %v", name, before.Size, after.Size, err)
			}
			if kept := here.beyond(); len(kept) != 0 {
				t.Errorf("%s: %q is called lost", name, kept)
			}
		})
	}
}

// A session of this machine that is damaged stays as it is, and does not come into the database.
func TestD8_ADamagedSessionIsNotHandedOver(t *testing.T) {
	for name, damage := range map[string]func(text []byte) []byte{
		"changed":       func(text []byte) []byte { return bytes.Replace(text, []byte("ann@desk"), []byte("ben@desk"), 1) },
		"cut":           func(text []byte) []byte { return text[:bytes.IndexByte(text, '\n')+1] },
		"not a session": func([]byte) []byte { return []byte("{}\n") },
	} {
		onBoth(t, func(w world) {
			here := w.host("here")
			here.before()
			path := filepath.Join(here.dir, id, "transcript.jsonl")
			text, err := os.ReadFile(path)
			w.must(err)
			damaged := damage(text)
			w.must(os.WriteFile(path, damaged, 0o600))
			if _, err := here.Resume(id); !errors.As(err, new(*session.Damaged)) {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := os.Lstat(filepath.Join(here.dir, id, "copy")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: it is a copy now, %v", name, err)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, damaged) {
				t.Errorf("%s: it was changed, %v", name, err)
			}
			if _, err := here.depot.Find(t.Context(), id); !errors.As(err, new(*Unknown)) {
				t.Errorf("%s: it is in the database: %v", name, err)
			}
			w.must(os.WriteFile(path, text, 0o600))
			tr, err := here.Resume(id)
			w.must(err)
			w.must(tr.Close())
		})
	}
}

// A database that does not take the session leaves it as it is: nobody has handed it over yet.
func TestD8_ASessionThatCannotBeHandedOver(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		here.before()
		path := filepath.Join(here.dir, id, "transcript.jsonl")
		before, err := os.ReadFile(path)
		w.must(err)
		w.must(here.depot.db.Within(t.Context(), func(tx *database.Tx) error {
			_, err := tx.ExecContext(t.Context(), "ALTER TABLE depot_pieces RENAME TO depot_away")
			return err
		}))
		if tr, err := here.Resume(id); err == nil {
			t.Error("it is handed over", tr.Close())
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
			t.Errorf("it was changed: %v", err)
		}
		alone, err := session.NewStore(here.dir).Resume(id)
		w.must(err)
		w.must(alone.Close())
	})
}

// cutOff is a database that is not heard of any more when a session comes into it.
type cutOff struct {
	session.Depot
	arrives bool // the session is there all the same
	late    bool // nobody can see yet whether it does
	away    bool
}

func (c *cutOff) Begin(id string, start session.Start, transcript []byte, files map[string][]byte, outline session.Outline) (session.Lease, error) {
	if c.arrives {
		lease, err := c.Depot.Begin(id, start, transcript, files, outline)
		if err != nil {
			return lease, err
		}
		lease.Release() // as it ends by itself
	}
	if c.late {
		return nil, &session.Unheard{Err: errors.New("nobody answers")}
	}
	c.away = true
	return nil, errors.New("nobody answers")
}

func (c *cutOff) Find(id string) (session.Stored, error) {
	if c.away {
		return session.Stored{}, errors.New("nobody answers")
	}
	return c.Depot.Find(id)
}

// Nobody knows whether a session has come into the database: nobody goes on with it here without the
// database, because somebody may there, and what waits in it would run in both places. With it the
// database says which of both it is.
func TestD8_NobodyKnowsWhetherASessionHasCome(t *testing.T) {
	for _, how := range []cutOff{{arrives: true}, {}, {late: true}} {
		onBoth(t, func(w world) {
			arrives := how.arrives
			here := w.host("here")
			here.before()
			whole := here.Store.Depot
			how.Depot, how.away = whole, false
			here.Store.Depot = &how
			if tr, err := here.Resume(id); err == nil {
				t.Error("it is handed over", tr.Close())
			}
			alone := session.NewStore(here.dir)
			if tr, err := alone.Resume(id); !errors.As(err, new(*session.Elsewhere)) {
				t.Errorf("arrives %v: it goes on here: %v, %v", arrives, tr, err)
			}
			if all, err := alone.IDs(); err != nil || len(all) != 0 {
				t.Errorf("arrives %v: %q, %v", arrives, all, err)
			}
			elsewhere := w.another().host("here")
			elsewhere.Store = session.NewStore(here.dir)
			elsewhere.Store.Depot = elsewhere.depot.Sessions(nil)
			if tr, err := elsewhere.Resume(id); !errors.As(err, new(*session.Elsewhere)) {
				t.Errorf("arrives %v: another database takes it: %v, %v", arrives, tr, err)
			}
			here.Store.Depot = whole
			tr, err := here.Resume(id)
			w.must(err)
			w.must(tr.Close())
			if got := w.host("there").notes(); len(got) != 1 {
				t.Errorf("arrives %v: %q", arrives, got)
			}
			if _, err := os.Lstat(filepath.Join(here.dir, id, "coming")); !arrives && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it is still about to come: %v", err)
			}
		})
	}
}

// What is certain about a second try says nothing about the first one, which may still arrive.
func TestD8_ASecondTryDoesNotEndTheDoubt(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		here.before()
		whole := here.Store.Depot
		for _, how := range []session.Depot{&cutOff{Depot: whole, late: true}, &refusing{whole}} {
			here.Store.Depot = how
			if tr, err := here.Resume(id); err == nil {
				t.Error("it is handed over", tr.Close())
			}
			if tr, err := session.NewStore(here.dir).Resume(id); !errors.As(err, new(*session.Elsewhere)) {
				t.Errorf("%T: it goes on here: %v, %v", how, tr, err)
			}
		}
		here.Store.Depot = whole
		tr, err := here.Resume(id)
		w.must(err)
		w.must(tr.Close())
		w.must(os.Remove(filepath.Join(here.dir, id, "copy")))
		if _, err := session.NewStore(here.dir).Resume(id); err != nil {
			t.Errorf("it is still about to come: %v", err)
		}
	})
}

// refusing is a database that takes no session, for certain.
type refusing struct{ session.Depot }

func (refusing) Begin(string, session.Start, []byte, map[string][]byte, session.Outline) (session.Lease, error) {
	return nil, errors.New("no")
}

// marking looks whether a session is marked by the time it comes.
type marking struct {
	session.Depot
	dir    string
	marked bool
}

func (m *marking) Begin(of string, start session.Start, transcript []byte, files map[string][]byte, outline session.Outline) (session.Lease, error) {
	_, err := os.Lstat(filepath.Join(m.dir, of, "coming"))
	m.marked = err == nil
	return m.Depot.Begin(of, start, transcript, files, outline)
}

// A session that is begun with the database is marked as well before it comes there: a process that
// is killed at the commit leaves none that goes on in both places.
func TestD8_ANewSessionIsMarkedBeforeItComes(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		m := &marking{Depot: here.Store.Depot, dir: here.dir}
		here.Store.Depot = m
		tr, err := here.Create(id, session.Start{Cwd: "/project"})
		w.must(err)
		w.must(tr.Close())
		if !m.marked {
			t.Error("nobody would know that it comes")
		}
		if _, err := os.Lstat(filepath.Join(here.dir, id, "coming")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it is still about to come: %v", err)
		}
	})
}

// What cannot be begun in the database is no session here either, also where its directory was there
// before, as a process leaves it that dies.
func TestD8_ASessionThatCannotBeBegun(t *testing.T) {
	for name, made := range map[string]bool{"a new directory": false, "one that is there": true} {
		onBoth(t, func(w world) {
			here := w.host("here")
			dir := filepath.Join(here.dir, id)
			if made {
				w.must(os.MkdirAll(dir, 0o700))
				w.must(os.Chmod(here.dir, 0o700))
			}
			here.Store.Depot = &refusing{here.Store.Depot}
			if tr, err := here.Create(id, session.Start{Cwd: "/project"}); err == nil {
				t.Error("it is begun", tr.Close())
			}
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			w.must(err)
			for _, path := range left {
				if filepath.Base(path) != "lock" {
					t.Errorf("%s: %s is left", name, filepath.Base(path))
				}
			}
			if all, err := session.NewStore(here.dir).IDs(); err != nil || len(all) != 0 {
				t.Errorf("%s: %q, %v", name, all, err)
			}
		})
	}
}

// Who has to know of a session that comes into the database is told before it is there, and can keep
// it away, also of one that is begun there, which may be a fork. Of one that is there nobody is told.
func TestD8_SomebodyIsToldOfASessionThatComes(t *testing.T) {
	onBoth(t, func(w world) {
		here := w.host("here")
		here.before()
		away := errors.New("away")
		var told []error // whether it was there each time
		here.depot.Comes = func(ctx context.Context, of string) error {
			_, err := here.depot.Find(ctx, of)
			told = append(told, err)
			return away
		}
		if _, err := here.Resume(id); !errors.Is(err, away) {
			t.Error(err)
		}
		alone, err := session.NewStore(here.dir).Resume(id)
		w.must(err)
		w.must(alone.Close())
		away = nil
		for range 2 {
			tr, err := here.Resume(id)
			w.must(err)
			w.must(tr.Close())
		}
		begun, err := here.Create(session.NewID(), session.Start{Cwd: "/project"})
		w.must(err)
		w.must(begun.Close())
		if len(told) != 3 || slices.ContainsFunc(told, func(err error) bool { return !errors.As(err, new(*Unknown)) }) {
			t.Error(told)
		}
	})
}

// Only where a session lies is it known what was said about its calls.
func TestD8_WhereItIsKnownWhatWasSaidInASession(t *testing.T) {
	const fork = "22222222-2222-4222-8222-222222222222"
	onBoth(t, func(w world) {
		here := w.host("here")
		alone, elsewhere := session.NewStore(here.dir), session.NewStore(here.dir)
		elsewhere.Depot = w.another().machine("here").Sessions(nil)
		answers := func(when string, inDatabase, inOther, withoutAny string) {
			t.Helper()
			for _, c := range []struct {
				of   *session.Store
				want string
			}{{here.Store, inDatabase}, {elsewhere, inOther}, {alone, withoutAny}} {
				if err := c.of.Answers(fork, 1); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", when, err, c.want)
				}
			}
		}
		const notThere, gone, copied = "does not lie in this database", "not on this machine any more", "this is only a copy"
		here.before()
		forked, err := alone.Fork(id, fork, session.Start{Cwd: "/project"})
		w.must(err)
		w.must(forked.Close())
		answers("it lies here", notThere, notThere, "")
		came, err := here.Resume(id)
		w.must(err)
		answers("it came", "", notThere, copied)
		w.must(came.Append(session.Noted, said("two"))) // which is a piece of its own
		w.must(came.Close())
		answers("it went on", "", notThere, copied)
		_, err = here.Remove(id, nil)
		w.must(err)
		answers("it was removed", notThere, notThere, gone)
		here.before()
		answers("it was begun anew", notThere, notThere, "another one by now")
		came, err = here.Resume(id)
		w.must(err)
		w.must(came.Close())
		answers("what was begun anew came", "another one by now", notThere, copied)
	})
}

// A mark that a process has left which died before its session began says nothing about a later one of
// that id.
func TestD8_AMarkOfASessionThatNeverBegan(t *testing.T) {
	for name, begin := range map[string]func(h host){
		"it begins": host.before,
		"it is imported": func(h host) {
			there := session.NewStore(filepath.Join(h.TempDir(), "sessions"))
			tr, err := there.Create(id, session.Start{Cwd: "/project"})
			h.must(err)
			h.must(tr.Close())
			var file bytes.Buffer
			_, err = there.Export(id, &file, "ann@desk", "v")
			h.must(err)
			x, err := session.ReadExport(bytes.NewReader(file.Bytes()), int64(file.Len()))
			h.must(err)
			h.must(session.NewStore(h.dir).Import(x, "/project", "ann@desk", nil))
		},
	} {
		onBoth(t, func(w world) {
			here := w.host("here")
			dir := filepath.Join(here.dir, id)
			w.must(os.MkdirAll(dir, 0o700))
			w.must(os.Chmod(here.dir, 0o700))
			w.must(os.WriteFile(filepath.Join(dir, "coming"), []byte("a database"), 0o600))
			begin(here)
			tr, err := session.NewStore(here.dir).Resume(id)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			w.must(tr.Close())
		})
	}
}

// A fork needs what that needs which it is a fork of, besides what whoever makes it asks for.
func TestD8_AForkHasTheLabelsOfWhatItComesFrom(t *testing.T) {
	const fork, next = "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	onBoth(t, func(w world) {
		here := w.host("here")
		w.must(here.create().Close())
		for _, c := range []struct {
			from, to string
			labels   []string
			want     string
		}{{id, fork, []string{"gpu"}, "eu gpu"}, {fork, next, nil, "eu gpu"}} {
			here.Depot = here.depot.Sessions(c.labels)
			forked, err := here.Fork(c.from, c.to, session.Start{Cwd: "/project"})
			w.must(err)
			w.must(forked.Close())
			if got, err := here.Look(c.to); err != nil || strings.Join(got.Labels(), " ") != c.want {
				t.Errorf("%q, %v; want %q", got.Labels(), err, c.want)
			}
		}
	})
}
