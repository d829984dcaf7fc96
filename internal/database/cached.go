package database

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"modernc.org/sqlite"
)

// SQLite takes longer to understand a text than to run it. So each connection remembers the
// texts that it has understood, until it is closed. PostgreSQL's driver does that itself.

// remembering makes connections that remember.
type remembering struct{ driver.Connector }

// openSQLite opens a database file, with how it is used.
func openSQLite(dsn string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(remembering{connector}), nil
}

func (r remembering) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := r.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{sqliteConn: conn.(sqliteConn), texts: map[string]*understood{}}, nil
}

// sqliteConn is what a connection of SQLite's driver can do.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// connection is one that remembers. Only one goroutine uses it at a time.
type connection struct {
	sqliteConn
	texts map[string]*understood
}

// understood is a text that can be run at once.
type understood struct {
	statement
	// busy: somebody still reads what it has found.
	busy bool
}

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// most is how many texts a connection remembers. There are fewer; what is made up of
// arguments is not, and must not fill the memory.
const most = 128

// of is a text as it can be run at once; nil means that it is to be understood once more.
func (c *connection) of(ctx context.Context, text string) (*understood, error) {
	if known := c.texts[text]; known != nil {
		if known.busy {
			return nil, nil
		}
		return known, nil
	}
	if len(c.texts) == most {
		return nil, nil
	}
	stmt, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	known := &understood{statement: stmt.(statement)}
	c.texts[text] = known
	return known, nil
}

// several: a text without arguments may be several statements, which are only ever run once.
func several(args []driver.NamedValue) bool { return len(args) == 0 }

func (c *connection) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if several(args) {
		return c.sqliteConn.ExecContext(ctx, text, args)
	}
	known, err := c.of(ctx, text)
	if err != nil {
		return nil, err
	}
	if known == nil {
		return c.sqliteConn.ExecContext(ctx, text, args)
	}
	return known.ExecContext(ctx, args)
}

func (c *connection) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	known, err := c.of(ctx, text)
	if err != nil {
		return nil, err
	}
	if known == nil {
		return c.sqliteConn.QueryContext(ctx, text, args)
	}
	rows, err := known.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	known.busy = true
	return &reading{rows, known}, nil
}

func (c *connection) Close() error {
	for _, known := range c.texts {
		_ = known.Close() // the connection goes with all that belongs to it
	}
	c.texts = nil
	return c.sqliteConn.Close()
}

// reading is what was found; as long as somebody reads it, its text cannot be run.
type reading struct {
	driver.Rows
	of *understood
}

func (r *reading) Close() error {
	r.of.busy = false
	return r.Rows.Close()
}
