package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

// PostgreSQL is mostly elsewhere, and every text is a way there and back. So a transaction begins
// together with the first text in it, and texts that change something can go together, see
// [Tx.Make].

// openServer opens the connections of a pool.
func openServer(pool *pgxpool.Pool) *sql.DB {
	db := sql.OpenDB(together{stdlib.GetPoolConnector(pool)})
	db.SetMaxIdleConns(0) // the pool keeps them
	return db
}

// together makes connections whose transactions begin with their first text.
type together struct{ driver.Connector }

func (t together) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := t.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &serverConn{plain: conn.(*stdlib.Conn)}, nil
}

type plain = stdlib.Conn

// serverConn is a connection to a server. Only one goroutine uses it at a time.
type serverConn struct {
	*plain
	// begins: a transaction begins with the next text. unbegun is why it did not: then nothing
	// else is sent in it, for that would be kept whatever becomes of the rest.
	begins  bool
	unbegun error
	// open: there is a transaction. What is sent after its end would be kept by itself.
	open bool
}

// begin begins a transaction, of which the server knows nothing as long as there was no text in it.
func (c *serverConn) begin() error {
	if c.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	c.begins, c.unbegun, c.open = true, nil, true
	return nil
}

// commit keeps what was changed. What the server has said about that counts, also when it ends the
// connection a moment later.
func (c *serverConn) commit(ctx context.Context) error {
	switch tag, err := c.end(ctx, "commit"); tag.String() {
	case committed:
		return nil
	case rolledBack:
		return pgx.ErrTxCommitRollback
	default:
		return err
	}
}

// What a server says of the end of a transaction: that all is kept, or that nothing is because
// something had gone wrong in it before.
const committed, rolledBack = "COMMIT", "ROLLBACK"

// rollback undoes what was changed, also when nobody waits for that any more.
func (c *serverConn) rollback(ctx context.Context) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer stop()
	_, err := c.end(ctx, "rollback")
	return err
}

// end ends the transaction, if there still is one.
func (c *serverConn) end(ctx context.Context, how string) (pgconn.CommandTag, error) {
	if !c.open {
		return pgconn.CommandTag{}, sql.ErrTxDone
	}
	c.open = false
	if begun := !c.begins; begun {
		return c.Conn().Exec(ctx, how)
	}
	err := c.unbegun
	c.begins, c.unbegun = false, nil
	return pgconn.CommandTag{}, err
}

// BeginTx is begin for who uses the connections without a [Tx].
func (c *serverConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if opts != (driver.TxOptions{}) {
		return nil, errors.New("a transaction on a server is like any other")
	}
	return serverTx{ctx, c}, c.begin()
}

type serverTx struct {
	ctx  context.Context // which the package above hands over only here
	conn *serverConn
}

// Commit keeps what was changed.
func (t serverTx) Commit() error { return t.conn.commit(t.ctx) }

// Rollback undoes it.
func (t serverTx) Rollback() error { return t.conn.rollback(t.ctx) }

// ExecContext runs a text.
func (c *serverConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if !c.begins {
		result, err := c.plain.ExecContext(ctx, text, args)
		return result, givenUp(ctx, err)
	}
	var rows int64
	batch := &pgx.Batch{}
	batch.Queue(text, values(args)...).Exec(func(tag pgconn.CommandTag) error {
		rows = tag.RowsAffected()
		return nil
	})
	err := c.send(ctx, batch).Close()
	return driver.RowsAffected(rows), err
}

// QueryContext asks for rows.
func (c *serverConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if !c.begins {
		rows, err := c.plain.QueryContext(ctx, text, args)
		return rows, givenUp(ctx, err)
	}
	batch := &pgx.Batch{}
	batch.Queue(text, values(args)...)
	results := c.send(ctx, batch)
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // which says the same
		return nil, err
	}
	return &firstRows{rows, results}, nil
}

// givenUp is the error of a text. The driver takes one that nobody waits for any more, and that it
// has not sent, for a bad connection.
func givenUp(ctx context.Context, err error) error {
	if errors.Is(err, driver.ErrBadConn) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// send sends texts, and that a transaction begins before them if it has to. What goes wrong is
// in the results.
func (c *serverConn) send(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if !c.open {
		return unsent{sql.ErrTxDone}
	}
	if !c.begins {
		return c.Conn().SendBatch(ctx, batch)
	}
	if c.unbegun != nil {
		return unsent{c.unbegun}
	}
	all := &pgx.Batch{}
	all.Queue("begin")
	all.QueuedQueries = append(all.QueuedQueries, batch.QueuedQueries...)
	results := c.Conn().SendBatch(ctx, all)
	if _, err := results.Exec(); err != nil { // also when one of the texts cannot be understood
		c.unbegun = err
		_ = results.Close() // which says the same
		return unsent{err}
	}
	c.begins = false
	return results
}

// keep sends the last texts of a transaction together with its end. As with commit, what goes wrong
// after the word that all is kept changes nothing about that.
func (c *serverConn) keep(ctx context.Context, batch *pgx.Batch) error {
	kept := false
	batch.Queue("commit").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() == rolledBack {
			return pgx.ErrTxCommitRollback
		}
		c.open, kept = false, tag.String() == committed
		return nil
	})
	err := c.send(ctx, batch).Close()
	if kept {
		return nil
	}
	return err
}

// unsent is what comes of texts that were not sent.
type unsent struct{ why error }

// Exec, Query, QueryRow and Close are part of [pgx.BatchResults].
func (u unsent) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, u.why }

// Query is part of it.
func (u unsent) Query() (pgx.Rows, error) { return nil, u.why }

// QueryRow is part of it.
func (u unsent) QueryRow() pgx.Row { return u }

// Close is part of it.
func (u unsent) Close() error { return u.why }

// Scan is part of [pgx.Row].
func (u unsent) Scan(...any) error { return u.why }

// use hands over the connection, on which the transaction has begun.
func (c *serverConn) use(ctx context.Context, do func(*pgx.Conn) error) error {
	if !c.open {
		return sql.ErrTxDone
	}
	if c.begins {
		if err := c.send(ctx, &pgx.Batch{}).Close(); err != nil {
			return err
		}
	}
	return do(c.Conn())
}

func values(args []driver.NamedValue) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		all[i] = arg.Value
	}
	return all
}

// firstRows are those of the text with which a transaction began.
type firstRows struct {
	rows    pgx.Rows
	results pgx.BatchResults
}

// Columns are their names.
func (r *firstRows) Columns() []string {
	var names []string
	for _, f := range r.rows.FieldDescriptions() {
		names = append(names, f.Name)
	}
	return names
}

// Next reads one.
func (r *firstRows) Next(row []driver.Value) error {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	all, err := r.rows.Values()
	if err != nil {
		return err
	}
	for i, value := range all {
		if row[i], err = valueOf(value); err != nil {
			return err
		}
	}
	return nil
}

// valueOf is a value as the packages above know it.
func valueOf(value any) (driver.Value, error) {
	switch v := value.(type) {
	case int32:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case driver.Valuer:
		return v.Value()
	}
	if !driver.IsValue(value) {
		return nil, fmt.Errorf("a %T cannot be read from the database: let the query turn it into a text", value)
	}
	return value, nil
}

// Close ends the reading.
func (r *firstRows) Close() error {
	r.rows.Close()
	return r.results.Close()
}
