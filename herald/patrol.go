package herald

import (
	"context"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// seldom is how often the patrol walks through all tickets that are not over, and removes what
// nobody was told.
const seldom = time.Hour

// patrol looks now and then for tickets that something has happened to and nobody has rung a
// bell for: those of before anybody heard bells, and those that a program changes which knows
// nothing of bells. More seldom it removes what nobody was told.
func (h *Herald) patrol(ctx context.Context) {
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

// round is how far the patrol has come. It walks through all tickets at the start and once an
// hour, part by part. In between it reads only the changes since it looked last, so a ticket to
// which nothing happens costs nothing, however many of them wait. The zero value has seen nothing.
type round struct {
	// begun is when the walk began, and left are the states that it has not seen all of. The
	// tickets of the first of these are seen up to at.
	begun time.Time
	left  []approval.State
	at    place
	// after is the number of the last change that was looked at.
	after int64
}

// place is a ticket in the order of an index of the tickets. No ticket stands before the zero value.
type place struct {
	risk, created int64
	id            string
}

// open are the states in which tickets are about which something may be to be done. Those with an
// answer come first: somebody may wait for its consequences.
var open = []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Unknown, approval.Pending}

// part is for how many tickets bells are rung at once: more would keep others waiting whose
// bells ring meanwhile.
const part = 1000

// unheard: the last changes of a ticket had no consequences yet.
const unheard = "EXISTS (SELECT 1 FROM history h WHERE h.ticket = t.id AND h.number > COALESCE(s.seen, 0) AND h.kind = '')"

// ringForMissed rings a bell for the tickets whose last changes had no consequences yet. One whose
// bell is about to be heard is among them: it rings once all the same.
func (h *Herald) ringForMissed(ctx context.Context) error {
	h.patrolling.Lock()
	defer h.patrolling.Unlock()
	db, next := h.Tickets.Database(), h.round
	settled, err := h.Tickets.Settled(ctx)
	if err != nil {
		return err
	}
	if now := h.now(); now.Sub(next.begun) >= seldom && len(next.left) == 0 {
		if next.begun.IsZero() { // the walk sees what has changed before
			next.after = settled
		}
		next.begun, next.left, next.at = now, open, place{}
	}
	bells, err := next.walk(ctx, db.Reads())
	if err != nil {
		return db.Explain(err)
	}
	others, err := next.changes(ctx, db.Reads(), settled)
	if err != nil {
		return db.Explain(err)
	}
	if bells = append(bells, others...); len(bells) > 0 {
		if err := db.Within(ctx, func(tx *database.Tx) error { return h.alarm.Set(ctx, tx, bells...) }); err != nil {
			return err
		}
	}
	h.round = next
	return nil
}

// walk goes on through all tickets, up to the next part for which nobody has rung.
func (r *round) walk(ctx context.Context, from database.Querier) (bells []alarm.Bell, err error) {
	const text = "SELECT t.id, t.risk, t.created FROM tickets t LEFT JOIN heralded s ON s.ticket = t.id WHERE t.state = $1 AND (t.risk, t.created, t.id) > ($2, $3, $4) AND " +
		unheard + " ORDER BY t.risk, t.created, t.id LIMIT $5"
	for len(r.left) > 0 && len(bells) < part {
		rows, err := from.QueryContext(ctx, text, r.left[0], r.at.risk, r.at.created, r.at.id, part-len(bells))
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			if err := rows.Scan(&r.at.id, &r.at.risk, &r.at.created); err != nil {
				_ = rows.Close()
				return nil, err
			}
			bells = append(bells, alarm.Bell{Kind: look, Ticket: r.at.id})
		}
		if err := rows.Err(); err != nil { // which has closed them
			return nil, err
		}
		if len(bells) < part {
			r.left, r.at = r.left[1:], place{}
		}
	}
	return bells, nil
}

// changed are the tickets of some changes that had no consequences yet. The changes are taken first,
// whatever a database thinks of how many there are: the tickets are many.
const changed = "SELECT DISTINCT t.id FROM (SELECT ticket FROM history WHERE serial > $1 AND serial <= $2 ORDER BY serial LIMIT $3) c JOIN tickets t ON t.id = c.ticket LEFT JOIN heralded s ON s.ticket = t.id WHERE " +
	"t.state IN ('pending', 'approved', 'denied', 'expired', 'unknown') AND " + unheard

// changes looks at what has happened since it did so last, up to a change before which no other
// turns up. It leaves the rest for the next time if that is too much.
func (r *round) changes(ctx context.Context, from database.Querier, settled int64) (bells []alarm.Bell, err error) {
	for r.after < settled && len(bells) < part {
		until := min(settled, r.after+part)
		rows, err := from.QueryContext(ctx, changed, r.after, until, part)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			b := alarm.Bell{Kind: look}
			if err := rows.Scan(&b.Ticket); err != nil {
				_ = rows.Close()
				return nil, err
			}
			bells = append(bells, b)
		}
		if err := rows.Err(); err != nil { // which has closed them
			return nil, err
		}
		r.after = until
	}
	return bells, nil
}
