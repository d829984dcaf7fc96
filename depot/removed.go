package depot

import (
	"context"
	"crypto/rand"

	"github.com/assent-dev/assent/internal/database"
)

// A machine has copies of sessions, and must not keep what somebody has removed. That a database
// does not have a session proves nothing: it may be another database, or one that was restored
// and is older than the session. So a database has a name, which every copy of its sessions bears
// and which a backup keeps, and it remembers which sessions were removed from it.

// nameOf is the name of a database. Whoever comes first gives it one.
func nameOf(ctx context.Context, db *database.DB) (name string, err error) {
	const ask = "SELECT name FROM depot_name WHERE place = 1"
	found, err := database.Found(db.Reads().QueryRowContext(ctx, ask).Scan(&name))
	if found || err != nil {
		return name, db.Explain(err)
	}
	err = db.Within(ctx, func(tx *database.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO depot_name (place, name) VALUES (1, $1) ON CONFLICT (place) DO NOTHING", rand.Text()); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, ask).Scan(&name)
	})
	return name, err
}

// Removed: somebody has removed a session from this database, and nobody has begun one of that
// name since.
func (d *Depot) Removed(ctx context.Context, id string) (bool, error) {
	var one int
	const ask = "SELECT 1 FROM depot_removed WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM depot_sessions WHERE id = $1)"
	removed, err := database.Found(d.db.Reads().QueryRowContext(ctx, ask, id).Scan(&one))
	return removed, d.db.Explain(err)
}

// remember notes that a session was removed.
func (d *Depot) remember(ctx context.Context, tx *database.Tx, id string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO depot_removed (id, at) VALUES ($1, "+d.now()+") ON CONFLICT (id) DO UPDATE SET at = excluded.at", id)
	return err
}

// forget: a session is begun under a name that one had which was removed.
func forget(ctx context.Context, tx *database.Tx, id string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM depot_removed WHERE id = $1", id)
	return err
}
