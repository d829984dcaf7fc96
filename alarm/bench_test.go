package alarm

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// BenchmarkSet is what a bell adds to a transaction: at once, and for later.
func BenchmarkSet(b *testing.B) {
	for name, address := range map[string]func() string{
		"SQLite":     func() string { return filepath.Join(b.TempDir(), "bells.db") },
		"PostgreSQL": func() string { return testpostgres.Database(b) },
	} {
		db, err := open(b.Context(), address())
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		a, err := On(b.Context(), db)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for when, at := range map[string]time.Time{"now": {}, "later": time.Now().Add(time.Hour)} {
			b.Run(name+"/"+when, func(b *testing.B) {
				err := db.Within(b.Context(), func(tx *database.Tx) error {
					b.ResetTimer()
					for b.Loop() {
						n++
						if err := a.Set(b.Context(), tx, Bell{Kind: "look", Ticket: fmt.Sprint("ticket ", n), At: at}); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
