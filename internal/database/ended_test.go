package database

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// A server that is stopped says so, and that may be the last thing that is heard of a transaction.
// What was said to be kept before is kept; otherwise nobody knows, unless the server has said that
// something in the transaction went wrong.
func TestD8_AServerThatEndsTheConnectionAtTheCommit(t *testing.T) {
	config, err := pgxpool.ParseConfig(testpostgres.Database(t))
	must(t, err)
	config.MaxConns = 1
	ends := &atomic.Pointer[ending]{}
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &endedConn{Conn: conn, ends: ends}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	t.Cleanup(pool.Close)
	db := openServer(pool)
	t.Cleanup(func() { _ = db.Close() })
	d := &DB{kind: PostgreSQL, name: "a server", db: db, pool: pool}
	must(t, d.Install(t.Context(), someTables))

	const insert = "INSERT INTO things (id, n) VALUES ($1, 1)"
	first := func(tx *Tx, id string) error { _, err := tx.ExecContext(t.Context(), insert, id); return err }
	last := func(tx *Tx, id string) error {
		tx.Last(Change{Text: insert, Args: []any{id}, One: true})
		return nil
	}
	kept := []byte("C\x00\x00\x00\x0bCOMMIT\x00")
	undone := []byte("C\x00\x00\x00\x0dROLLBACK\x00")
	twice := func(tx *Tx, id string) error { return errors.Join(last(tx, id), last(tx, id)) }
	for _, c := range []struct {
		name      string
		do        func(*Tx, string) error
		at        ending
		want      error // nil, errAny for one that is sure, or an [*Uncertain]
		remaining int
	}{
		{"kept, by itself", first, ending{after: kept}, nil, 1},
		{"kept, with the last changes", last, ending{after: kept}, nil, 1},
		{"not said, by itself", first, ending{before: kept}, &Uncertain{}, 1},
		{"not said, with the last changes", last, ending{before: kept}, &Uncertain{}, 1},
		{"a fault before", twice, ending{before: []byte("\x00C23505\x00"), whole: true}, errAny, 0},
		{"a fault before, and the end", func(tx *Tx, id string) error {
			_, failed := tx.ExecContext(t.Context(), "SELECT 1 / 0")
			if failed == nil {
				t.Error("it does not fail")
			}
			return nil
		}, ending{after: undone}, errAny, 0},
	} {
		tries := 0
		err := d.Within(t.Context(), func(tx *Tx) error {
			if tries++; tries > 1 {
				t.Errorf("%s: it is tried again", c.name)
			}
			err := c.do(tx, c.name)
			ends.Store(&c.at)
			return err
		})
		if ends.Swap(nil) != nil {
			t.Errorf("%s: the connection has not ended", c.name)
		}
		_, uncertain := errors.AsType[*Uncertain](err)
		if _, want := errors.AsType[*Uncertain](c.want); (err == nil) != (c.want == nil) || uncertain != want {
			t.Errorf("%s: %v", c.name, err)
		}
		if uncertain && !strings.Contains(err.Error(), "nobody knows whether the last change was kept") {
			t.Errorf("%s: %v", c.name, err)
		}
		var n int
		must(t, d.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things WHERE id = $1", c.name).Scan(&n))
		if n != c.remaining {
			t.Errorf("%s: %d rows", c.name, n)
		}
	}
}

// ending is where in what a server says its connection ends, with the word that it is stopped.
type ending struct {
	after, before []byte
	whole         bool // the message in which before was found is still heard
}

// cut is what is heard before the connection ends.
func (e *ending) cut(said []byte) (heard []byte, found bool) {
	if i := bytes.Index(said, e.after); len(e.after) > 0 && i >= 0 {
		return said[:i+len(e.after)], true
	}
	i := bytes.Index(said, e.before)
	switch {
	case len(e.before) == 0 || i < 0:
		return nil, false
	case e.whole:
		end := bytes.Index(said[i:], []byte("\x00\x00"))
		return said[:i+end+2], true
	}
	return said[:i], true
}

// endedConn is a connection to a server that is stopped at one place.
type endedConn struct {
	net.Conn
	ends *atomic.Pointer[ending]
	rest []byte // what is still to be heard
	over bool
}

func (c *endedConn) Read(b []byte) (int, error) {
	if len(c.rest) == 0 && c.over {
		return 0, io.EOF
	}
	if len(c.rest) == 0 {
		said := make([]byte, 64<<10)
		n, err := c.Conn.Read(said)
		if err != nil {
			return n, err
		}
		c.rest = said[:n]
		if at := c.ends.Load(); at != nil {
			if heard, found := at.cut(c.rest); found {
				stopped := &pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "57P01", Message: "terminating connection due to administrator command"}
				if c.rest, err = stopped.Encode(bytes.Clone(heard)); err != nil {
					return 0, err
				}
				c.over = true
				c.ends.Store(nil)
			}
		}
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
