package approval

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Standing is how a ticket stands, without its call: enough to see whether something was
// said, and cheap where there are many.
type Standing struct {
	ID, Session, Asker string
	State              State
	// Print stands for what was said; other words have another one.
	Print string
	// Settles is until when that may be taken back, as far as it can be read; zero when it
	// may not. See [Answer].
	Settles time.Time
}

// Standings are those of the tickets in some states, of one session or of all when it is
// empty, the oldest first. Nobody may run a call by them: one on which nobody can rely is
// among them, which [Store.Find] says.
func (s *Store) Standings(ctx context.Context, session string, states ...State) ([]Standing, error) {
	if err := s.expireDue(ctx); err != nil {
		return nil, err
	}
	where, args := Query{States: states, Session: session}.where()
	rows, err := s.reads().QueryContext(ctx, "SELECT id, session, asker, state, answer FROM tickets"+where+" ORDER BY created, id", args...)
	if err != nil {
		return nil, s.db.Explain(err)
	}
	defer rows.Close()
	var all []Standing
	for rows.Next() {
		var one Standing
		if err := rows.Scan(&one.ID, &one.Session, &one.Asker, &one.State, &one.Print); err != nil {
			return nil, s.db.Explain(err)
		}
		if strings.Contains(one.Print, `"settles":`) { // mostly not, and reading it takes its time
			if a, err := readAnswer(one.Print); err == nil {
				t := Ticket{State: one.State, Answer: a}
				one.Settles = t.UnsettledUntil(s.now())
			}
		}
		all = append(all, one)
	}
	return all, s.db.Explain(rows.Err())
}

// Number is how many tickets a query is about, at most its limit. No limit means all.
func (s *Store) Number(ctx context.Context, q Query) (n int, err error) {
	if err := s.expireDue(ctx); err != nil {
		return 0, err
	}
	where, args := q.where()
	text := "SELECT 1 FROM tickets" + where
	if q.Limit > 0 {
		text += " LIMIT " + strconv.Itoa(q.Limit)
	}
	err = s.reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM ("+text+") AS counted", args...).Scan(&n)
	return n, s.db.Explain(err)
}

// where is which tickets, for the database; empty for all.
func (q Query) where() (text string, args []any) {
	var all []string
	if len(q.States) > 0 {
		var marks []string
		for _, state := range q.States {
			args = append(args, state)
			marks = append(marks, "$"+strconv.Itoa(len(args)))
		}
		all = append(all, "state IN ("+strings.Join(marks, ", ")+")")
	}
	if q.Session != "" {
		args = append(args, q.Session)
		all = append(all, "session = $"+strconv.Itoa(len(args)))
	}
	if q.Prefix != "" { // as a range, for which the database has an index
		args = append(args, readable(q.Prefix), readable(q.Prefix)+"\U0010FFFF")
		all = append(all, "id BETWEEN $"+strconv.Itoa(len(args)-1)+" AND $"+strconv.Itoa(len(args)))
	}
	if len(all) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(all, " AND "), args
}
