package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Change is a text that changes rows, with its arguments.
type Change struct {
	Text string
	Args []any
	// One: it changes one row. Where it is another number nothing of the transaction is kept:
	// [ErrNotOne]. Only the last changes look at it, see [Tx.Last].
	One bool
}

// ErrNotOne: the row that was to be changed is not as the transaction has read it.
var ErrNotOne = errors.New("the row to be changed is not as it was")

// Last are changes that are made, in their order, when all else of the transaction is done: with
// PostgreSQL together with its end, which saves a way there and back.
func (t *Tx) Last(changes ...Change) { t.last = append(t.last, changes...) }

// Make makes changes, in their order, and says how many rows each of them has changed. With
// PostgreSQL, where every text is a way there and back, all of them go together.
func (t *Tx) Make(ctx context.Context, changes ...Change) (rows []int64, err error) {
	if t.kind != PostgreSQL {
		return t.makeEach(ctx, changes)
	}
	batch, err := batchOf(changes, func(tag pgconn.CommandTag) error {
		rows = append(rows, tag.RowsAffected())
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = t.raw(func(c *serverConn) error { return c.send(ctx, batch).Close() })
	return rows, err
}

func batchOf(changes []Change, made func(pgconn.CommandTag) error) (*pgx.Batch, error) {
	batch := &pgx.Batch{}
	for _, c := range changes {
		args := make([]any, len(c.Args))
		for i, arg := range c.Args { // as with the other texts of a transaction
			var err error
			if args[i], err = driver.DefaultParameterConverter.ConvertValue(arg); err != nil {
				return nil, err
			}
		}
		batch.Queue(c.Text, args...).Exec(made)
	}
	return batch, nil
}

// keep makes the last changes, and keeps all that was changed in the transaction.
func (t *Tx) keep(ctx context.Context) error {
	if t.kind == PostgreSQL && len(t.last) > 0 {
		return t.keepTogether(ctx)
	}
	rows, err := t.makeEach(ctx, t.last)
	if err != nil {
		return err
	}
	for i, c := range t.last {
		if c.One && rows[i] != 1 {
			return ErrNotOne
		}
	}
	return t.commit(ctx)
}

// keepTogether is keep in one way there and back.
func (t *Tx) keepTogether(ctx context.Context) error {
	changes := slices.Clone(t.last)
	for i, c := range changes {
		if c.One {
			changes[i].Text = strict(c.Text)
		}
	}
	batch, err := batchOf(changes, func(pgconn.CommandTag) error { return nil })
	if err != nil {
		return err
	}
	err = t.raw(func(c *serverConn) error { return c.keep(ctx, batch) })
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok && fault.Code == divisionByZero {
		return ErrNotOne
	}
	return err
}

const divisionByZero = "22012"

// strict is a text that fails unless it changes one row: its end is on its way before anybody
// here knows how many they were.
func strict(text string) string {
	return "WITH changed AS (" + text + " RETURNING 1) SELECT 1 / CASE COUNT(*) WHEN 1 THEN 1 ELSE 0 END FROM changed"
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
