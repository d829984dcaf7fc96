package link

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// world is the links of a new database at a time that the test sets.
type world struct {
	*Links
	t    *testing.T
	time time.Time
}

func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for name, open := range map[string]func(*testing.T) (*database.DB, error){
		"SQLite": func(t *testing.T) (*database.DB, error) {
			return database.OpenFile(filepath.Join(t.TempDir(), "links.db"))
		},
		"PostgreSQL": func(t *testing.T) (*database.DB, error) {
			return database.Connect(t.Context(), testpostgres.Database(t))
		},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := open(t)
			must(t, err)
			t.Cleanup(func() { must(t, db.Close()) })
			w := &world{t: t, time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
			w.Links = w.again(db)
			test(t, w)
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// again is the links of the same database in another process.
func (w *world) again(db *database.DB) *Links {
	w.t.Helper()
	l, err := On(w.t.Context(), db)
	must(w.t, err)
	l.now = func() time.Time { return w.time }
	return l
}

func (w *world) make(ticket, target string, until time.Time) (text string) {
	w.t.Helper()
	must(w.t, w.db.Within(w.t.Context(), func(tx *database.Tx) (err error) {
		text, err = w.Make(w.t.Context(), tx, ticket, "sha256:1", target, until)
		return err
	}))
	return text
}

func gone(err error) bool {
	_, is := errors.AsType[*Gone](err)
	return is
}

// Programs open links before people do: that uses nothing up, and neither does a link that was
// refused.
func TestT18_OpeningUsesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		until := w.time.Add(time.Hour)
		text := w.make("t1", "phone", until)
		want := Link{Ticket: "t1", Digest: "sha256:1", Target: "phone", Until: until}
		other := w.again(w.db)
		for range 1000 {
			if got, err := other.Open(t.Context(), text); err != nil || got != want {
				t.Fatalf("%+v, %v", got, err)
			}
		}
		if err := w.Use(t.Context(), text, "t2"); !gone(err) {
			t.Errorf("it was used for another call: %v", err)
		}
		must(t, w.Use(t.Context(), text, "t1"))
		want.Used = true
		if got, err := w.Open(t.Context(), text); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
		if err := w.Use(t.Context(), text, "t1"); !gone(err) || !strings.Contains(err.Error(), "already") {
			t.Errorf("it was used twice: %v", err)
		}
	})
}

// Whatever is changed in a link, or in what is kept about it, it is none any more.
func TestT18_TamperedLinks(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		text := w.make("t1", "phone", w.time.Add(time.Hour))
		second := w.make("t1", "mail", w.time.Add(time.Hour))
		var tries []string
		for i := range text {
			for _, c := range "Aa0-_ =\n" {
				if changed := text[:i] + string(c) + text[i+1:]; changed != text {
					tries = append(tries, changed)
				}
			}
		}
		half := spelling.EncodedLen(nonceSize) - 2
		tries = append(tries, "", "x", text[1:], text+"A", text+"=", text+text, text[:half]+second[half:], second[:half]+text[half:], strings.Repeat("A", len(text)))
		for _, one := range tries {
			if _, err := w.Open(t.Context(), one); !gone(err) {
				t.Errorf("%q can be opened: %v", one, err)
			}
			if err := w.Use(t.Context(), one, "t1"); !gone(err) {
				t.Errorf("%q can be used: %v", one, err)
			}
		}
		for _, change := range []string{"ticket = 't2'", "digest = 'sha256:2'", "target = 'ops'", "until = until + 1"} {
			_, err := w.db.Writer().Exec("UPDATE links SET " + change + " WHERE target = 'mail'")
			must(t, err)
			if _, err := w.Open(t.Context(), second); !gone(err) {
				t.Errorf("%s: %v", change, err)
			}
		}
		if _, err := w.Open(t.Context(), text); err != nil {
			t.Errorf("the link itself: %v", err)
		}
	})
}

func TestT18_LinksOfAnotherKey(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		text := w.make("t1", "phone", w.time.Add(time.Hour))
		_, err := w.db.Writer().Exec("DELETE FROM link_key")
		must(t, err)
		other := w.again(w.db)
		if bytes.Equal(other.key, w.key) || len(other.key) != 32 || bytes.Equal(other.key, make([]byte, 32)) {
			t.Fatalf("the key is %x after %x", other.key, w.key)
		}
		if _, err := other.Open(t.Context(), text); !gone(err) {
			t.Errorf("it can be opened: %v", err)
		}
		if err := other.Use(t.Context(), text, "t1"); !gone(err) {
			t.Errorf("it can be used: %v", err)
		}
		_, err = w.db.Writer().Exec("UPDATE link_key SET secret = $1", []byte("short"))
		must(t, err)
		if _, err := On(t.Context(), w.db); err == nil || !strings.Contains(err.Error(), "link_key") {
			t.Errorf("a key that is none was taken: %v", err)
		}
	})
}

func TestT18_LinksEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		begin := w.time
		tests := map[string]struct{ until, last time.Time }{
			"with the call":                    {begin.Add(time.Hour), begin.Add(time.Hour)},
			"after a week":                     {begin.Add(30 * 24 * time.Hour), begin.Add(Longest)},
			"after a week, of a call for ever": {time.Time{}, begin.Add(Longest)},
		}
		for name, tt := range tests {
			w.time = begin
			text := w.make("t1", "phone", tt.until)
			w.time = tt.last.Add(-time.Microsecond)
			if got, err := w.Open(t.Context(), text); err != nil || !got.Until.Equal(tt.last) {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
			w.time = tt.last
			if _, err := w.Open(t.Context(), text); !gone(err) || !strings.Contains(err.Error(), "too old") {
				t.Errorf("%s: %v", name, err)
			}
			if err := w.Use(t.Context(), text, "t1"); !gone(err) {
				t.Errorf("%s: it can be used: %v", name, err)
			}
		}
		w.time = begin.Add(3 * Longest)
		w.make("t2", "phone", w.time.Add(time.Hour))
		var kept int
		must(t, w.db.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM links").Scan(&kept))
		if kept != 1 {
			t.Errorf("%d links are kept", kept)
		}
	})
}

// Of many who use a link at the same moment one does.
func TestT18_TwoAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		text := w.make("t1", "phone", w.time.Add(time.Hour))
		var all sync.WaitGroup
		var used atomic.Int32
		for range 16 {
			all.Go(func() {
				switch err := w.Use(t.Context(), text, "t1"); {
				case err == nil:
					used.Add(1)
				case !gone(err):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if used.Load() != 1 {
			t.Errorf("it was used %d times", used.Load())
		}
	})
}

// A message that is sent again has the same link, and each target has its own.
func TestTheSameMessageHasTheSameLink(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		until := w.time.Add(time.Hour)
		first := w.make("t1", "phone", until)
		if again := w.make("t1", "phone", until); again != first {
			t.Errorf("%s, and then %s", first, again)
		}
		for _, other := range []string{w.make("t1", "mail", until), w.make("t2", "phone", until), w.make("t1", "phone", until.Add(time.Second))} {
			if other == first {
				t.Errorf("two have the link %s", other)
			}
		}
		must(t, w.Use(t.Context(), first, "t1"))
		if again := w.make("t1", "phone", until); again == first {
			t.Error("a link that was used is sent again")
		}
	})
}

func TestAnAnswerThatDidNotComeAboutUsesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		text := w.make("t1", "phone", w.time.Add(time.Hour))
		why := errors.New("the reason is missing")
		ctx, stop := context.WithCancel(t.Context())
		err := w.UseFor(ctx, text, "t1", func() error {
			if got, err := w.Open(t.Context(), text); err != nil || !got.Used {
				t.Errorf("while somebody answers: %+v, %v", got, err)
			}
			stop()
			return why
		})
		if !errors.Is(err, why) {
			t.Error(err)
		}
		must(t, w.UseFor(t.Context(), text, "t1", func() error { return nil }))
		err = w.UseFor(t.Context(), text, "t1", func() error { t.Error("somebody answers twice"); return nil })
		if !gone(err) {
			t.Error(err)
		}
	})
}
