package alarm

import "context"

// State is what becomes of a bell.
type State string

// The states of bells that are not over.
const (
	Waiting State = "waiting"
	Ringing State = "ringing" // somebody hears it
)

// Count is how many bells of a kind are in a state.
type Count struct {
	Kind  Kind
	State State
	Bells int
}

// Pending counts the bells that are not over.
func (a *Alarm) Pending(ctx context.Context) ([]Count, error) {
	rows, err := a.db.Reads().QueryContext(ctx, `
		SELECT queue, CASE state WHEN 'running' THEN 'ringing' ELSE 'waiting' END AS what, COUNT(*) FROM river_job
		WHERE state IN ('available', 'scheduled', 'retryable', 'running')
		GROUP BY 1, 2 ORDER BY 1, 2`)
	if err != nil {
		return nil, a.db.Explain(err)
	}
	defer rows.Close()
	var all []Count
	for rows.Next() {
		var c Count
		if err := rows.Scan(&c.Kind, &c.State, &c.Bells); err != nil {
			return nil, a.db.Explain(err)
		}
		all = append(all, c)
	}
	return all, a.db.Explain(rows.Err())
}
