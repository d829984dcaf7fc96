package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Kind is what keeps the tables.
type Kind uint8

// The kinds.
const (
	SQLite Kind = iota
	PostgreSQL
)

func (k Kind) String() string {
	if k == PostgreSQL {
		return "PostgreSQL"
	}
	return "SQLite"
}

// DB is an open database. It is safe for concurrent use; others may use the same tables in
// other processes, and with PostgreSQL on other machines.
type DB struct {
	kind Kind
	name string // for people: the file, or the address without its password
	db   *sql.DB

	// Of SQLite: hold is nil where somebody only looks, readers unless the database is shared.
	hold    *hold
	readers *sql.DB
	// Of PostgreSQL.
	pool       *pgxpool.Pool
	news       *telling
	encryption Encryption

	// only is why nothing can be changed; nil when it can.
	only error
}

// Kind is what keeps the tables.
func (d *DB) Kind() Kind { return d.kind }

// Name says to people which database it is. It has no password in it.
func (d *DB) Name() string { return d.name }

// Only is why nothing can be changed; nil when it can.
func (d *DB) Only() error { return d.only }

// Querier is a database, or a transaction, that is asked something.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Reads is where to read. A change that was acknowledged is seen there.
func (d *DB) Reads() Querier {
	switch {
	case d.kind == PostgreSQL:
		return patient{d.db}
	case d.readers != nil:
		return d.readers
	}
	return d.db
}

// Writer is the connections that change something, for libraries that keep tables of their
// own here.
func (d *DB) Writer() *sql.DB { return d.db }

// Pool is the connections to PostgreSQL, for libraries made for it; nil with SQLite.
func (d *DB) Pool() *pgxpool.Pool { return d.pool }

// Tx is a transaction.
type Tx struct {
	statements
	kind Kind
	conn *sql.Conn
	file *sql.Tx // of SQLite
	news bool
	last []Change
}

// statements are what can be said in a transaction.
type statements interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// News says that others may want to look at what the transaction changes; see [DB.Watch].
func (t *Tx) News() { t.news = true }

// Kind is what keeps the tables.
func (t *Tx) Kind() Kind { return t.kind }

// ToChange ends a SELECT whose rows the transaction means to change: others who want that
// wait until it is over.
func (t *Tx) ToChange() string {
	if t.kind == PostgreSQL {
		return " FOR UPDATE"
	}
	return ""
}

// ToRely ends a SELECT whose rows the transaction relies on: who wants to change them waits until it
// is over, and others who rely on them do not.
func (t *Tx) ToRely() string {
	if t.kind == PostgreSQL {
		return " FOR SHARE"
	}
	return ""
}

// ToChangeFree is ToChange without the rows that somebody else means to change: these are left
// out, and nobody waits.
func (t *Tx) ToChangeFree() string {
	if t.kind == PostgreSQL {
		return " FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// Alone makes others wait who want to be alone with the same name, until the transaction is
// over: where something that is not there yet must not be made twice.
func (t *Tx) Alone(ctx context.Context, name string) error {
	if t.kind != PostgreSQL { // one writer at a time
		return nil
	}
	_, err := t.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
	return err
}

// File is the transaction in a file of SQLite, for libraries made for it; nil with PostgreSQL.
func (t *Tx) File() *sql.Tx { return t.file }

// Server hands over the connection to PostgreSQL, on which the transaction is open, for
// libraries made for it.
func (t *Tx) Server(ctx context.Context, use func(*pgx.Conn) error) error {
	return t.raw(func(c *serverConn) error { return c.use(ctx, use) })
}

func (t *Tx) raw(use func(*serverConn) error) error {
	return t.conn.Raw(func(conn any) error {
		c, ok := conn.(*serverConn)
		if !ok {
			return fmt.Errorf("this transaction is on a %T, and not on a server", conn)
		}
		return use(c)
	})
}

// Within does something in one transaction: all of it, or nothing. It may be done several
// times, when others were in the way, and must not have other effects.
func (d *DB) Within(ctx context.Context, do func(*Tx) error) error {
	if d.only != nil {
		return d.only
	}
	for try := 1; ; try++ {
		err := d.reached(ctx, do)
		if err == nil || try == tries || !inTheWay(err) {
			return d.Explain(err)
		}
		if err := pauseFor(ctx, time.Duration(try*try)*time.Millisecond); err != nil {
			return err
		}
	}
}

func pauseFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// tries is how often a transaction is begun anew when others are in its way.
const tries = 10

// reached does something in one transaction. A server that cannot be reached may be being
// restarted: until it was told to keep the changes nothing has happened, so that is waited for.
func (d *DB) reached(ctx context.Context, do func(*Tx) error) (err error) {
	lost := whileAway(ctx, away, func() (lost error) {
		lost, err = d.once(ctx, do)
		return lost
	})
	return cmp.Or(lost, err)
}

// once does something in one transaction. lost is that there was no connection, or that it has
// broken before the end.
func (d *DB) once(ctx context.Context, do func(*Tx) error) (lost, err error) {
	conn, lost := d.db.Conn(ctx)
	if lost != nil {
		return lost, nil
	}
	defer conn.Close() // it goes back to the others
	it, lost := d.begin(ctx, conn)
	if lost != nil {
		return lost, nil
	}
	defer it.undo(ctx) // nothing is left to be undone after a commit
	if err := do(it); err != nil {
		if it.broken() {
			return err, nil
		}
		return nil, err
	}
	if err := it.keep(ctx); err != nil {
		if errors.Is(err, sql.ErrTxDone) { // it was given up, and undone, a moment ago
			return nil, cmp.Or(ctx.Err(), err)
		}
		if !undone(err) && it.broken() {
			err = &Uncertain{err}
		}
		return nil, err
	}
	if it.news && d.news != nil {
		tell(d.news.wanted)
	}
	return nil, nil
}

// begin begins a transaction. With PostgreSQL it is no [sql.Tx]: that has goroutines of its own,
// which wait for the end of the context, and for something this short they cost more than it.
func (d *DB) begin(ctx context.Context, conn *sql.Conn) (*Tx, error) {
	if d.kind == PostgreSQL {
		t := &Tx{statements: conn, kind: d.kind, conn: conn}
		return t, t.raw((*serverConn).begin)
	}
	file, err := conn.BeginTx(ctx, nil)
	return &Tx{statements: file, kind: d.kind, conn: conn, file: file}, err
}

// commit keeps what was changed.
func (t *Tx) commit(ctx context.Context) error {
	if t.file != nil {
		return t.file.Commit()
	}
	return t.raw(func(c *serverConn) error { return c.commit(ctx) })
}

// undo undoes what was changed and is not kept, also when nobody waits for that any more. Where it
// fails the connection is broken, and the changes are gone with it.
func (t *Tx) undo(ctx context.Context) {
	if t.file != nil {
		_ = t.file.Rollback()
		return
	}
	_ = t.raw(func(c *serverConn) error { return c.rollback(ctx) })
}

// broken: the connection to a server is none any more.
func (t *Tx) broken() bool {
	if t.kind != PostgreSQL {
		return false
	}
	closed := false
	err := t.raw(func(c *serverConn) error {
		closed = c.Conn().IsClosed()
		return nil
	})
	return closed || err != nil
}

// Close closes the database. A server that does not answer is not waited for.
func (d *DB) Close() error {
	if d.kind == PostgreSQL {
		closed := make(chan error, 1)
		go func() { closed <- d.closeServer() }()
		select {
		case err := <-closed:
			return err
		case <-time.After(closing):
			return nil // what was acknowledged is there
		}
	}
	defer d.hold.release()
	d.hold.weigh()
	if d.readers != nil {
		_ = d.readers.Close() // nothing was written there
	}
	return d.db.Close()
}

// closing is how long it takes at most to close the connections to a server.
const closing = 500 * time.Millisecond

func (d *DB) closeServer() error {
	d.news.stop()
	err := d.db.Close()
	d.pool.Close()
	return err
}

// ErrNoRows is that nothing was found.
var ErrNoRows = sql.ErrNoRows

// Found reports whether a row was read, of the error of reading it.
func Found(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
