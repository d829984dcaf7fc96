package database

import (
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/internal/testpostgres"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opener opens the database of a test; each time once more, as another process would.
type opener func() (*DB, error)

// onBoth runs a test on a file and on PostgreSQL.
func onBoth(t *testing.T, test func(t *testing.T, open opener)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a directory # 100%?x=1", "test.db")
		test(t, func() (*DB, error) { return OpenFile(path) })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		address := testpostgres.Database(t)
		test(t, func() (*DB, error) { return Connect(t.Context(), address) })
	})
}

// opened is a database that is closed with its test.
func opened(t *testing.T, open opener) *DB {
	t.Helper()
	d, err := open()
	must(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func file(t *testing.T) *DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	return opened(t, func() (*DB, error) { return OpenFile(path) })
}
