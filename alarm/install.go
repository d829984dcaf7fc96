package alarm

import (
	"context"
	"log/slog"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/assent-dev/assent/internal/database"
)

// install makes River's tables, or brings them forward; never back.
func (r *river[T]) install(ctx context.Context) error {
	if err := r.bringForward(ctx); err != nil {
		return &database.Unusable{Name: r.db.Name(), Err: err}
	}
	return nil
}

func (r *river[T]) bringForward(ctx context.Context) error {
	migrator, err := r.migrator()
	if err != nil {
		return err
	}
	if exists, err := r.driver.GetExecutor().TableExists(ctx, &riverdriver.TableExistsParams{Table: "river_migration"}); err != nil {
		return err
	} else if exists {
		if current, err := r.current(ctx, r.db.Reads()); err != nil || current {
			return err
		}
	}
	return r.db.Within(ctx, func(tx *database.Tx) error {
		if err := tx.Alone(ctx, "assent bells"); err != nil { // several may be started at the same time
			return err
		}
		if r.db.Kind() == database.PostgreSQL { // this transaction only waits while the steps are taken
			if _, err := tx.ExecContext(ctx, "SET LOCAL idle_in_transaction_session_timeout = '5min'"); err != nil {
				return err
			}
		}
		return r.join(ctx, tx, func(t T) error {
			if r.db.Kind() == database.PostgreSQL {
				// Its steps need transactions of their own. They run on other connections while
				// this one keeps the others waiting.
				_, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
				return err
			}
			//lint:ignore SA1019 only PostgreSQL cannot take all steps at once
			_, err := migrator.MigrateTx(ctx, t, rivermigrate.DirectionUp, nil)
			return err
		})
	})
}

// current: the tables, which are there, are those of this program. Those of a newer program are
// an error.
func (r *river[T]) current(ctx context.Context, q database.Querier) (bool, error) {
	migrator, err := r.migrator()
	if err != nil {
		return false, err
	}
	known, found := len(migrator.AllVersions()), 0
	if err := q.QueryRowContext(ctx, "SELECT COALESCE(MAX(version), 0) FROM river_migration").Scan(&found); err != nil {
		return false, err
	}
	if found > known {
		return false, &database.Newer{Name: "bells", Found: found, Known: known}
	}
	return found == known, nil
}

func (r *river[T]) migrator() (*rivermigrate.Migrator[T], error) {
	return rivermigrate.New(r.driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
}
