package database

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Change is a text that changes rows, with its arguments.
type Change struct {
	Text string
	Args []any
}

// Make makes changes, in their order, and says how many rows each of them has changed. With
// PostgreSQL, where every text is a way there and back, all of them go together.
func (t *Tx) Make(ctx context.Context, changes ...Change) (rows []int64, err error) {
	if t.kind != PostgreSQL {
		return t.makeEach(ctx, changes)
	}
	batch := &pgx.Batch{}
	for _, c := range changes {
		args := make([]any, len(c.Args))
		for i, arg := range c.Args { // as with the other texts of a transaction
			if args[i], err = driver.DefaultParameterConverter.ConvertValue(arg); err != nil {
				return nil, err
			}
		}
		batch.Queue(c.Text, args...).Exec(func(tag pgconn.CommandTag) error {
			rows = append(rows, tag.RowsAffected())
			return nil
		})
	}
	err = t.raw(func(c *serverConn) error { return c.send(ctx, batch).Close() })
	return rows, err
}

func (t *Tx) makeEach(ctx context.Context, changes []Change) (rows []int64, err error) {
	for _, c := range changes {
		result, err := t.ExecContext(ctx, c.Text, c.Args...)
		if err != nil {
			return nil, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return nil, err
		}
		rows = append(rows, n)
	}
	return rows, nil
}
