package herald

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Bells that nobody hears must not become more and more.
//
// Where nobody has heard any for a week, as after a server that was tried once, none are set:
// whoever begins to hear them looks through all tickets that are not over. Where somebody hears,
// but nobody tells people, as with workers alone, what was to be told is dropped as soon as it
// would not be told any more.
const (
	deafDays = 7
	// whoever would tell it would drop it after that time, too.
	untoldHours = int(givesUp / time.Hour)
)

// ago is a moment in the past, as SQL.
func ago(kind database.Kind, n int, unit string) string {
	if kind == database.PostgreSQL {
		return fmt.Sprintf("now() - interval '%d %s'", n, unit)
	}
	return fmt.Sprintf("datetime('now', '-%d %s')", n, unit)
}

// deaf: there was somebody who heard bells in the database, and has not done so for long. A process
// that hears them says so every few minutes.
func deaf(ctx context.Context, tx *database.Tx) (bool, error) {
	var n int
	err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM river_queue WHERE name = $1 AND updated_at < "+ago(tx.Kind(), deafDays, "days"), string(look)).Scan(&n)
	return n > 0, err
}

// dropUntold removes the bells about news that nobody was told in time, and that ask nothing of
// anybody: their call is over, or answered. Those of calls that wait stay for a server that comes
// later.
func (h *Herald) dropUntold(ctx context.Context) error {
	db := h.Tickets.Database()
	return db.Within(ctx, func(tx *database.Tx) error {
		_, err := tx.ExecContext(ctx, `
			DELETE FROM river_job WHERE queue IN ($1, $2) AND state IN ('available', 'scheduled', 'retryable') AND scheduled_at < `+ago(tx.Kind(), untoldHours, "hours")+`
				AND NOT EXISTS (SELECT 1 FROM tickets t WHERE t.id = river_job.args->>'ticket' AND t.state IN ('pending', 'unknown'))`, string(news), string(tell))
		return err
	})
}
