package people

import (
	"context"

	"github.com/assent-dev/assent/internal/database"
)

// Here opens the store of a database in which somebody has put people; nil when nobody has. It
// makes nothing there: most state directories know no people, and need no tables for them.
func Here(ctx context.Context, db *database.DB) (*Store, error) {
	var steps int
	if err := db.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM assent_tables WHERE name = $1", tables.Name).Scan(&steps); err != nil || steps == 0 {
		return nil, db.Explain(err)
	}
	return On(ctx, db)
}

// Any: there are people. It asks the querier and nothing else.
func (s *Store) Any(ctx context.Context, q database.Querier) (bool, error) {
	var n int
	err := q.QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT name FROM people LIMIT 1) AS one").Scan(&n)
	return n > 0, err
}
