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
	migrator, err := rivermigrate.New(r.driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	known := len(migrator.AllVersions())
	if found, err := r.version(ctx, known); err != nil || found == known {
		return err
	}
	return r.db.Within(ctx, func(tx *database.Tx) error {
		if err := tx.Alone(ctx, "assent bells"); err != nil { // several may be started at the same time
			return err
		}
		return r.join(tx, func(t T) error {
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

// version is that of the tables, 0 when there are none. Those of a newer program are an error.
func (r *river[T]) version(ctx context.Context, known int) (int, error) {
	exists, err := r.driver.GetExecutor().TableExists(ctx, &riverdriver.TableExistsParams{Table: "river_migration"})
	if err != nil || !exists {
		return 0, err
	}
	var found int
	if err := r.db.Reads().QueryRowContext(ctx, "SELECT COALESCE(MAX(version), 0) FROM river_migration").Scan(&found); err != nil {
		return 0, err
	}
	if found > known {
		return found, &database.Newer{Name: "bells", Found: found, Known: known}
	}
	return found, nil
}
