package people

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// cheap is a cost at which tests are quick.
var cheap = cost{memory: 8, time: 1, threads: 1}

// world is a store with a clock of its own that counts what it hashes.
type world struct {
	*Store
	t      testing.TB
	again  func() *database.DB // opens the database once more
	hashed atomic.Int64

	mu   sync.Mutex
	time time.Time
}

// onBoth runs a test on each kind of database.
func onBoth(t *testing.T, test func(*testing.T, *world)) {
	t.Run("SQLite", func(t *testing.T) { test(t, newWorld(t, inFile(t))) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, newWorld(t, onServer(t))) })
}

func inFile(tb testing.TB) func() *database.DB {
	path := filepath.Join(tb.TempDir(), "people.db")
	return opening(tb, func() (*database.DB, error) { return database.OpenFile(path) })
}

func onServer(tb testing.TB) func() *database.DB {
	address := testpostgres.Database(tb)
	return opening(tb, func() (*database.DB, error) { return database.Connect(context.Background(), address) })
}

func opening(tb testing.TB, open func() (*database.DB, error)) func() *database.DB {
	return func() *database.DB {
		tb.Helper()
		db, err := open()
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = db.Close() })
		return db
	}
}

func newWorld(tb testing.TB, open func() *database.DB) *world {
	tb.Helper()
	w := &world{t: tb, again: open, time: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	w.Store = w.on(open())
	return w
}

// on is a store with the clock and the counter of the world.
func (w *world) on(db *database.DB) *Store {
	w.t.Helper()
	s, err := On(context.Background(), db, Clock(w.clock))
	w.must(err)
	s.hasher = hasher{cheap, func(password, salt []byte, c cost) []byte {
		w.hashed.Add(1)
		if len(password) > longestPassword {
			w.t.Errorf("%d bytes are hashed", len(password))
		}
		return argon2id(password, salt, c)
	}}
	return s
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.time
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.time = w.time.Add(d)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

var operator = Operator("olga@machine")

func passwordFor(name string) string { return "the password of " + name }

// add adds people with a role.
func (w *world) add(role Role, names ...string) {
	w.t.Helper()
	for _, name := range names {
		w.must(w.Add(w.t.Context(), operator, Person{Name: name, Shown: "Mx " + name, Email: name + "@example.org", Role: role}, passwordFor(name)))
	}
}

// in signs a person in.
func (w *world) in(name string) (string, SignedIn) {
	w.t.Helper()
	token, _, err := w.SignIn(w.t.Context(), name, passwordFor(name), "192.0.2.1")
	w.must(err)
	_, in, err := w.Who(w.t.Context(), token)
	w.must(err)
	return token, in
}

func (w *world) by(name string) By {
	w.t.Helper()
	_, in := w.in(name)
	return in.By()
}

func (w *world) person(name string) Person {
	w.t.Helper()
	p, err := w.Find(w.t.Context(), name)
	w.must(err)
	return p
}

// lapse is why a token does not count; ok is false when it does.
func (w *world) lapse(token string) (why Lapse, ok bool) {
	w.t.Helper()
	_, _, err := w.Who(w.t.Context(), token)
	if err == nil {
		return 0, false
	}
	e, ok := errors.AsType[*NotSignedIn](err)
	if !ok {
		w.t.Fatal(err)
	}
	return e.Why, true
}

// is fails unless an error is of a type.
func is[E error](t testing.TB, err error) E {
	t.Helper()
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Fatalf("%T %v, want %T", err, err, e)
	}
	return e
}
