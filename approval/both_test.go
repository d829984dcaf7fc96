package approval

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// counter is a store whose clock the test moves.
type counter struct {
	*Store
	t    *testing.T
	time time.Time
	// open opens the same tickets once more, as another process would.
	open func() (*Store, error)
}

// storeMaker makes an empty store.
type storeMaker func(*testing.T) *counter

// onBoth runs a test on tickets in a file and on those in PostgreSQL: nobody must notice a
// difference.
func onBoth(t *testing.T, test func(t *testing.T, newStore storeMaker)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, newFileStore) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, newServerStore) })
}

func newFileStore(t *testing.T) *counter {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state # 100%?x=1")
	return newCounter(t, func() (*Store, error) { return Open(dir) })
}

func newServerStore(t *testing.T) *counter {
	t.Helper()
	address := testpostgres.Database(t)
	return newCounter(t, func() (*Store, error) {
		db, err := database.Connect(t.Context(), address)
		if err != nil {
			return nil, err
		}
		s, err := On(t.Context(), db)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		s.own = true
		return s, nil
	})
}

func newCounter(t *testing.T, open func() (*Store, error)) *counter {
	t.Helper()
	s, err := open()
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	c := &counter{Store: s, t: t, time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), open: open}
	s.now = func() time.Time { return c.time }
	return c
}

// obstruct makes the database do nothing where it should change a row, or fail there.
func (c *counter) obstruct(change, table string, fails bool) {
	c.t.Helper()
	text := "CREATE TRIGGER obstacle BEFORE " + change + " ON " + table + " BEGIN SELECT RAISE(IGNORE); END"
	if fails {
		text = strings.Replace(text, "IGNORE", "ABORT, 'full'", 1)
	}
	if c.db.Kind() == database.PostgreSQL {
		does := "RETURN NULL"
		if fails {
			does = "RAISE EXCEPTION 'full'"
		}
		text = "CREATE FUNCTION obstacle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN " + strings.ReplaceAll(does, "'", "''") + "; END';" +
			"CREATE TRIGGER obstacle BEFORE " + change + " ON " + table + " FOR EACH ROW EXECUTE FUNCTION obstacle()"
	}
	_, err := c.db.Writer().Exec(text)
	must(c.t, err)
}

// other is the same tickets as another process has them.
func (c *counter) other(t *testing.T) *Store {
	t.Helper()
	s, err := c.open()
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
