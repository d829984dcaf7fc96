package alarm

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// Whoever works in a transaction of somebody else can undo parts of it, and cannot end it.
func TestJoined(t *testing.T) {
	t.Parallel()
	db, err := database.Connect(t.Context(), testpostgres.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	put := func(tx pgx.Tx, n int) {
		if _, err := tx.Exec(t.Context(), "INSERT INTO things VALUES ($1)", n); err != nil {
			t.Fatal(err)
		}
	}
	part := func(tx pgx.Tx) pgx.Tx {
		inner, err := tx.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return inner
	}
	err = db.Within(t.Context(), func(tx *database.Tx) error {
		if _, err := tx.ExecContext(t.Context(), "CREATE TABLE things (n BIGINT)"); err != nil {
			return err
		}
		return onPostgres(t.Context(), tx, func(outer pgx.Tx) error {
			if err := errors.Join(outer.Commit(t.Context()), outer.Rollback(t.Context())); !errors.Is(err, errNotOurs) {
				t.Errorf("it was ended: %v", err)
			}
			put(outer, 1)
			kept := part(outer)
			put(kept, 2)
			undone := part(kept)
			put(undone, 100)
			if err := undone.Rollback(t.Context()); err != nil {
				t.Error(err)
			}
			if err := undone.Commit(t.Context()); !errors.Is(err, pgx.ErrTxClosed) {
				t.Errorf("it was ended twice: %v", err)
			}
			put(kept, 4)
			return kept.Commit(t.Context())
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	var sum int
	if err := db.Reads().QueryRowContext(t.Context(), "SELECT SUM(n)::BIGINT FROM things").Scan(&sum); err != nil || sum != 7 {
		t.Errorf("%d, %v", sum, err)
	}
}
