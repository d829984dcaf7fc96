package depot

import (
	"context"
	"time"
)

// Idle are sessions, in the order of their IDs and after one of them, on which nobody works, that no
// crew has begun without ending them, and that were not written for so long, by the clock of the
// database and that of this machine. There are so many at most.
func (d *Depot) Idle(ctx context.Context, after string, unused time.Duration, most int) (ids []string, err error) {
	rows, err := d.db.Reads().QueryContext(ctx, "SELECT id FROM depot_sessions WHERE id > $1 AND going = 0 AND NOT ("+d.current()+") AND written <= "+d.now()+" - $2 AND written <= $3 ORDER BY id LIMIT $4",
		after, unused.Microseconds(), time.Now().Add(-unused).UnixMicro(), most)
	if err != nil {
		return nil, d.db.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, d.db.Explain(err)
		}
		ids = append(ids, id)
	}
	return ids, d.db.Explain(rows.Err())
}
