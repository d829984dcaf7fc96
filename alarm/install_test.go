package alarm

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/internal/database"
)

// Several who start at the same time make the tables once.
func TestSeveralStartAtOnce(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		db, err := open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if _, err := On(t.Context(), db); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

// A program leaves tables alone that a newer one has made.
func TestNewerTablesAreRefused(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		if _, err := b.db.Writer().ExecContext(t.Context(), "INSERT INTO river_migration (line, version) VALUES ('main', 99)"); err != nil {
			t.Fatal(err)
		}
		_, err := On(t.Context(), b.db)
		var newer *database.Newer
		if !errors.As(err, &newer) || newer.Found != 99 || !strings.Contains(err.Error(), "update assent") {
			t.Error(err)
		}
	})
}
