package depot

import (
	"context"
	"maps"
	"slices"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// Beside each transcript lies an outline: how the session stands. It is written in the transaction that
// adds to the transcript, and is right as long as depot_sessions says that it is about all of it: a
// program that knows of no outlines leaves that behind. So whoever lists sessions, or shows what waits,
// reads no transcript.

// outlineIn keeps an outline that is about so much of a transcript. Where calls wait, it is noted that
// somebody has to compare them with their tickets.
func outlineIn(ctx context.Context, tx *database.Tx, id string, size int64, o session.Outline) error {
	waits, noted := 0, int64(0)
	if o.Waits {
		waits, noted = 1, size
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO depot_outlines (session, waits, noted, data) VALUES ($1, $2, $3, $4) ON CONFLICT (session) DO UPDATE SET waits = excluded.waits, noted = excluded.noted, data = excluded.data", id, waits, noted, o.Text)
	return err
}

// Outlined keeps the outline of a session that has none, or an older one. It is about so much of the
// transcript: where somebody has added to that since, nothing is kept.
func (d *Depot) Outlined(ctx context.Context, id string, size int64, o session.Outline) error {
	return d.db.Within(ctx, func(tx *database.Tx) error {
		changed, err := tx.ExecContext(ctx, "UPDATE depot_sessions SET outlined = size WHERE id = $1 AND size = $2 AND outlined <> size", id, size)
		if err != nil {
			return err
		}
		if n, err := changed.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return outlineIn(ctx, tx, id, size, o)
	})
}

// Rechecked says of sessions that nobody has to compare them with their tickets any more, unless they have
// changed since they were noted so.
func (d *Depot) Rechecked(ctx context.Context, noted map[string]int64) error {
	var changes []database.Change
	for _, id := range slices.Sorted(maps.Keys(noted)) {
		if noted[id] > 0 {
			changes = append(changes, database.Change{Text: "UPDATE depot_outlines SET noted = 0 WHERE session = $1 AND noted = $2", Args: []any{id, noted[id]}})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	return d.db.Within(ctx, func(tx *database.Tx) error {
		_, err := tx.Make(ctx, changes...)
		return err
	})
}
