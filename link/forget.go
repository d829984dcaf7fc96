package link

import (
	"context"

	"github.com/assent-dev/assent/internal/database"
)

// Forget removes the links to calls whose tickets go. It makes nothing in a database that never had
// links, and leaves those of a newer program alone.
func Forget(ctx context.Context, db *database.DB, tickets []string) error {
	if len(tickets) == 0 || db.Check(ctx, tables) != nil {
		return nil
	}
	return db.Within(ctx, func(tx *database.Tx) error {
		for _, ticket := range tickets {
			if _, err := tx.ExecContext(ctx, "DELETE FROM links WHERE ticket = $1", ticket); err != nil {
				return err
			}
		}
		return nil
	})
}
