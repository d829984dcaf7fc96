package alarm

import (
	"context"

	"github.com/assent-dev/assent/internal/database"
)

// Ready is the alarm of a database for whoever only sets bells, in a transaction that is open:
// it makes nothing, and mostly that is a command which must not take long. Nil means that there
// is none, because nobody has ever heard bells there, or those who did were of an older program:
// bells would wait in vain. Tables of a newer program are an error.
func Ready(ctx context.Context, db *database.DB, tx *database.Tx) (*Alarm, error) {
	there := "SELECT COUNT(*) FROM sqlite_master WHERE name = 'river_migration'"
	if tx.Kind() == database.PostgreSQL {
		there = "SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('river_migration')"
	}
	var some int
	if err := tx.QueryRowContext(ctx, there).Scan(&some); err != nil || some == 0 {
		return nil, err
	}
	c, err := clockOf(db)
	if err != nil {
		return nil, err
	}
	current, err := c.current(ctx, tx)
	if err != nil || !current {
		return nil, err
	}
	return &Alarm{db, c}, nil
}
