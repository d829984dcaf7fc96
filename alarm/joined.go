package alarm

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// joined is a transaction that somebody else has begun on a connection, and will end: River
// works in it as in one of its own.
type joined struct{ conn *pgx.Conn }

var errNotOurs = errors.New("whoever has begun the transaction ends it")

// Begin begins a part of the transaction that can be undone alone.
func (j joined) Begin(ctx context.Context) (pgx.Tx, error) {
	if _, err := j.conn.Exec(ctx, "SAVEPOINT assent_alarm"); err != nil {
		return nil, err
	}
	return &part{joined: j}, nil
}

// Commit is refused.
func (j joined) Commit(context.Context) error { return errNotOurs }

// Rollback is refused.
func (j joined) Rollback(context.Context) error { return errNotOurs }

// CopyFrom puts rows into a table.
func (j joined) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	return j.conn.CopyFrom(ctx, table, columns, rows)
}

// SendBatch sends several texts at once.
func (j joined) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return j.conn.SendBatch(ctx, b)
}

// LargeObjects are not for us: pgx makes them only of its own transactions.
func (j joined) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// Prepare makes a text ready to be run.
func (j joined) Prepare(ctx context.Context, name, text string) (*pgconn.StatementDescription, error) {
	return j.conn.Prepare(ctx, name, text)
}

// Exec runs a text.
func (j joined) Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error) {
	return j.conn.Exec(ctx, text, args...)
}

// Query asks for rows.
func (j joined) Query(ctx context.Context, text string, args ...any) (pgx.Rows, error) {
	return j.conn.Query(ctx, text, args...)
}

// QueryRow asks for one row.
func (j joined) QueryRow(ctx context.Context, text string, args ...any) pgx.Row {
	return j.conn.QueryRow(ctx, text, args...)
}

// Conn is the connection.
func (j joined) Conn() *pgx.Conn { return j.conn }

// part is a part of a transaction. The newest of those with the same name is meant, so they
// may lie inside each other.
type part struct {
	joined
	over bool
}

// Commit keeps the part, for the time being.
func (p *part) Commit(ctx context.Context) error {
	return p.end(ctx, "RELEASE SAVEPOINT assent_alarm")
}

// Rollback undoes the part.
func (p *part) Rollback(ctx context.Context) error {
	return p.end(ctx, "ROLLBACK TO SAVEPOINT assent_alarm; RELEASE SAVEPOINT assent_alarm")
}

func (p *part) end(ctx context.Context, text string) error {
	if p.over {
		return pgx.ErrTxClosed
	}
	p.over = true
	_, err := p.conn.Exec(ctx, text)
	return err
}
