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

// Whoever only sets bells makes no tables, and sets none where nobody hears them.
func TestOnlySetting(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		db, err := open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		ready := func(do func(*Alarm, *database.Tx) error) error {
			return db.Within(t.Context(), func(tx *database.Tx) error {
				a, err := Ready(t.Context(), db, tx)
				if err != nil {
					return err
				}
				return do(a, tx)
			})
		}
		none := func(a *Alarm, _ *database.Tx) error {
			if a != nil {
				t.Error("there are bells where nobody hears any")
			}
			return nil
		}
		if err := errors.Join(ready(none), ready(none)); err != nil {
			t.Fatal(err)
		}
		heard := on(t, address)
		err = ready(func(a *Alarm, tx *database.Tx) error {
			return a.Set(t.Context(), tx, Bell{Kind: "look", Ticket: "t1"})
		})
		if err != nil {
			t.Fatal(err)
		}
		heard.pending(Count{"look", Waiting, 1})
		for version, want := range map[string]string{"DELETE FROM river_migration WHERE version > 3": "", "INSERT INTO river_migration (line, version) VALUES ('main', 99)": "update assent"} {
			if _, err := db.Writer().ExecContext(t.Context(), version); err != nil {
				t.Fatal(err)
			}
			if err := ready(none); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v", version, err)
			}
			if _, err := db.Writer().ExecContext(t.Context(), "DELETE FROM river_migration WHERE version > 3"); err != nil {
				t.Fatal(err)
			}
		}
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
