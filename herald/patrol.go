package herald

import (
	"context"
	"database/sql"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/internal/database"
)

// patrol looks now and then for tickets that something has happened to and nobody has rung a
// bell for: those of before anybody heard bells, and those that a program changes which knows
// nothing of bells. More seldom it removes what nobody was told.
func (h *Herald) patrol(ctx context.Context) {
	const seldom = time.Hour
	failed := false // a database that is away is so for every look, and was said already
	for swept := (time.Time{}); ctx.Err() == nil; {
		if now := h.now(); now.Sub(swept) >= seldom {
			if err := h.dropUntold(ctx); err != nil && ctx.Err() == nil {
				h.Log.Warn("the bells that nobody hears cannot be removed", "err", err)
			}
			swept = now
		}
		err := h.ringForMissed(ctx)
		if err != nil && ctx.Err() == nil && !failed {
			h.Log.Warn("the tickets cannot be looked through for what nobody has rung a bell for", "err", err)
		}
		failed = err != nil
		wait(ctx, h.often)
	}
}

// missed are the tickets whose last changes had no consequences yet. One whose bell is about to
// be heard is among them: it rings once all the same.
const missed = `
SELECT t.id FROM tickets t LEFT JOIN heralded s ON s.ticket = t.id
WHERE t.state IN ('pending', 'approved', 'denied', 'expired', 'unknown')
	AND EXISTS (SELECT 1 FROM history h WHERE h.ticket = t.id AND h.number > COALESCE(s.seen, 0) AND h.kind = '')
ORDER BY t.created, t.id LIMIT 1000`

func (h *Herald) ringForMissed(ctx context.Context) error {
	db := h.Tickets.Database()
	bells, err := bellsFor(db.Reads().QueryContext(ctx, missed))
	if err != nil || len(bells) == 0 {
		return db.Explain(err)
	}
	return db.Within(ctx, func(tx *database.Tx) error { return h.alarm.Set(ctx, tx, bells...) })
}

func bellsFor(rows *sql.Rows, err error) ([]alarm.Bell, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var bells []alarm.Bell
	for rows.Next() {
		b := alarm.Bell{Kind: look}
		if err := rows.Scan(&b.Ticket); err != nil {
			return nil, err
		}
		bells = append(bells, b)
	}
	return bells, rows.Err()
}
