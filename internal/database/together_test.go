package database

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// Changes are made in their order, with how many rows each has changed, or none of them is.
func TestA5_Make(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		type word string // as the packages above have them
		insert := func(id word) Change {
			return Change{Text: "INSERT INTO things (id, n) VALUES ($1, $2)", Args: []any{id, 1}}
		}
		more := Change{Text: "UPDATE things SET n = n + $1", Args: []any{int64(1)}}
		var rows []int64
		must(t, d.Within(t.Context(), func(tx *Tx) (err error) {
			rows, err = tx.Make(t.Context(), insert("a"), more, insert("b"), more, Change{Text: "DELETE FROM things WHERE id = $1", Args: []any{"c"}})
			return err
		}))
		if !slices.Equal(rows, []int64{1, 1, 1, 2, 0}) {
			t.Errorf("%v", rows)
		}
		err := d.Within(t.Context(), func(tx *Tx) error {
			_, err := tx.Make(t.Context(), insert("c"), insert("a"), insert("d"))
			return err
		})
		if _, unusable := errors.AsType[*Unusable](err); !unusable {
			t.Errorf("the same twice: %v", err)
		}
		if _, err := d.once(t.Context(), func(tx *Tx) error { _, err := tx.Make(t.Context()); return err }); err != nil {
			t.Errorf("nothing at all: %v", err)
		}
		var ids string
		must(t, d.Within(t.Context(), func(tx *Tx) error {
			var n, id sql.NullString
			err := tx.QueryRowContext(t.Context(), "SELECT (SELECT n FROM things WHERE id = 'a'), (SELECT MAX(id) FROM things)").Scan(&n, &id)
			ids = n.String + " " + id.String
			return err
		}))
		if ids != "3 b" {
			t.Errorf("%q", ids)
		}
	})
}

// The last changes are made after all others, or nothing of the transaction is kept.
func TestA5_Last(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		insert := func(id string) Change {
			return Change{Text: "INSERT INTO things (id, n) VALUES ($1, 1)", Args: []any{id}}
		}
		more := func(id string, at int64) Change {
			return Change{Text: "UPDATE things SET n = n + 1 WHERE id >= $1 AND n = $2", Args: []any{id, at}, One: true}
		}
		things := func() (all string) {
			rows, err := d.Reads().QueryContext(t.Context(), "SELECT id, n FROM things ORDER BY id")
			must(t, err)
			defer rows.Close()
			for rows.Next() {
				var id, n string
				must(t, rows.Scan(&id, &n))
				all += id + n
			}
			must(t, rows.Err())
			return all
		}
		for _, one := range []struct {
			name   string
			change []Change
			want   error
			kept   string
		}{
			{"in their order", []Change{insert("b"), more("b", 1), more("b", 2)}, nil, "a1b3"},
			{"one that changes nothing", []Change{insert("c"), more("c", 7), insert("d")}, ErrNotOne, "b3"},
			{"one that changes several", []Change{insert("d"), insert("e"), more("d", 1)}, ErrNotOne, "b3"},
			{"one that fails", []Change{insert("c"), insert("c")}, errAny, "b3"},
		} {
			tries := 0
			err := d.Within(t.Context(), func(tx *Tx) error {
				if tries++; tries > 1 {
					t.Errorf("%s: it is tried again", one.name)
				}
				tx.Last(one.change...)
				if one.want == nil {
					_, err := tx.ExecContext(t.Context(), "INSERT INTO things (id, n) VALUES ('a', 1)")
					return err
				}
				_, err := tx.ExecContext(t.Context(), "DELETE FROM things WHERE id = 'a'")
				return err
			})
			if one.want == errAny && err == nil || one.want != errAny && !errors.Is(err, one.want) {
				t.Errorf("%s: %v", one.name, err)
			}
			if got := things(); one.want == nil && got != one.kept || one.want != nil && got != "a1"+one.kept {
				t.Errorf("%s: %s", one.name, got)
			}
		}
	})
}

var errAny = errors.New("any")

// Whoever stops waiting when the changes are kept already is told that they are.
func TestA5_LastChangesThatAreKept(t *testing.T) {
	d := opened(t, func() (*DB, error) { return Connect(t.Context(), testpostgres.Database(t)) })
	must(t, d.Install(t.Context(), someTables))
	ctx, stop := context.WithCancel(t.Context())
	conn, err := d.db.Conn(ctx)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	tx, err := d.begin(ctx, conn)
	must(t, err)
	tx.Last(Change{Text: "INSERT INTO things (id, n) VALUES ('a', 1)"})
	must(t, tx.keep(ctx))
	stop()
	if err := tx.commit(ctx); !errors.Is(err, sql.ErrTxDone) {
		t.Errorf("there is something left to be kept: %v", err)
	}
	var n int
	must(t, d.Reads().QueryRowContext(t.Context(), "SELECT n FROM things").Scan(&n))
}

// A transaction begins with its first text, whatever that is, and goes the ways that it must: one
// with its first text, one with what it changes, and one to its end.
func TestA5_ATransactionGoesFewWays(t *testing.T) {
	d, ways := counted(t)
	must(t, d.Install(t.Context(), someTables))
	insert := Change{Text: "INSERT INTO things (id, n) VALUES ($1, $2)", Args: []any{"a", 1}}
	remove := Change{Text: "DELETE FROM things WHERE id = $1", Args: []any{"a"}}
	for _, one := range []struct {
		name string
		want int64
		do   func(tx *Tx) error
	}{
		{"nothing", 0, func(*Tx) error { return nil }},
		{"changes", 2, func(tx *Tx) error { _, err := tx.Make(t.Context(), insert, remove); return err }},
		{"a look, and changes", 3, func(tx *Tx) error {
			var n int64
			if err := tx.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n); err != nil {
				return err
			}
			_, err := tx.Make(t.Context(), insert, remove)
			return err
		}},
		{"a look, and last changes", 2, func(tx *Tx) error {
			var n int64
			if err := tx.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n); err != nil {
				return err
			}
			tx.Last(insert, remove)
			return nil
		}},
		{"nothing but last changes", 1, func(tx *Tx) error { tx.Last(insert, remove); return nil }},
		{"last changes, and refused", 0, func(tx *Tx) error { tx.Last(insert, remove); return errRefused }},
		{"one text", 2, func(tx *Tx) error { _, err := tx.ExecContext(t.Context(), remove.Text, remove.Args...); return err }},
		{"refused", 2, func(tx *Tx) error {
			_, err := tx.Make(t.Context(), insert)
			return errors.Join(err, errRefused)
		}},
		{"refused without a text", 0, func(*Tx) error { return errRefused }},
	} {
		for range 2 { // the first time texts are understood, too
			ways.Store(0)
			if err := d.Within(t.Context(), one.do); err != nil && !errors.Is(err, errRefused) {
				t.Errorf("%s: %v", one.name, err)
			}
		}
		if got := ways.Load(); got != one.want {
			t.Errorf("%s: %d ways, and not %d", one.name, got, one.want)
		}
	}
	var n int
	must(t, d.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n))
	if n != 0 {
		t.Errorf("%d things were kept", n)
	}
}

var errRefused = errors.New("refused")

// counted is a server that counts how often something is sent to it.
func counted(t *testing.T) (*DB, *atomic.Int64) {
	t.Helper()
	config, err := pgxpool.ParseConfig(testpostgres.Database(t))
	must(t, err)
	config.MaxConns = 1
	ways := &atomic.Int64{}
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return counting{conn, ways}, err
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	t.Cleanup(pool.Close)
	db := openServer(pool)
	t.Cleanup(func() { _ = db.Close() })
	return &DB{kind: PostgreSQL, db: db, pool: pool}, ways
}

type counting struct {
	net.Conn
	ways *atomic.Int64
}

func (c counting) Write(b []byte) (int, error) {
	c.ways.Add(1)
	return c.Conn.Write(b)
}

// What goes wrong with the first text is told, and the next transaction is as good as any.
func TestA5_AFirstTextThatFails(t *testing.T) {
	d := opened(t, func() (*DB, error) { return Connect(t.Context(), testpostgres.Database(t)) })
	must(t, d.Install(t.Context(), someTables))
	for _, bad := range []struct {
		name string
		do   func(tx *Tx) error
	}{
		{"no text", func(tx *Tx) error { _, err := tx.ExecContext(t.Context(), "this is none"); return err }},
		{"no number", func(tx *Tx) error {
			var n int64
			return tx.QueryRowContext(t.Context(), "SELECT 1 / $1::BIGINT", 0).Scan(&n)
		}},
		{"no argument", func(tx *Tx) error { _, err := tx.Make(t.Context(), Change{Text: "SELECT $1::BIGINT"}); return err }},
		{"something else afterwards", func(tx *Tx) error {
			_, _ = tx.ExecContext(t.Context(), "this is none")
			_, err := tx.ExecContext(t.Context(), "INSERT INTO things (id, n) VALUES ('a', 1)")
			return err
		}},
		{"nobody looks", func(tx *Tx) error {
			_, _ = tx.ExecContext(t.Context(), "this is none")
			return nil
		}},
	} {
		if err := d.Within(t.Context(), bad.do); err == nil {
			t.Errorf("%s: no error", bad.name)
		}
		var n int
		must(t, d.Within(t.Context(), func(tx *Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n)
		}))
		if n != 0 {
			t.Errorf("%s: %d things", bad.name, n)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	err := d.Within(ctx, func(tx *Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO things (id, n) VALUES ('a', 1)")
		stop()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// What is sent in a transaction that is over is not kept by itself.
func TestA5_ATransactionThatIsOverTakesNothing(t *testing.T) {
	d := opened(t, func() (*DB, error) { return Connect(t.Context(), testpostgres.Database(t)) })
	must(t, d.Install(t.Context(), someTables))
	insert := Change{Text: "INSERT INTO things (id, n) VALUES ('a', 1)"}
	for name, do := range map[string]func(*Tx) error{
		"changes":  func(tx *Tx) error { _, err := tx.Make(t.Context(), insert); return err },
		"the last": func(tx *Tx) error { tx.Last(insert); return tx.keep(t.Context()) },
		"by a library": func(tx *Tx) error {
			return tx.Server(t.Context(), func(c *pgx.Conn) error { _, err := c.Exec(t.Context(), insert.Text); return err })
		},
	} {
		conn, err := d.db.Conn(t.Context())
		must(t, err)
		tx, err := d.begin(t.Context(), conn)
		must(t, err)
		_, err = tx.ExecContext(t.Context(), "SELECT 1")
		must(t, err)
		tx.undo(t.Context())
		if err := do(tx); !errors.Is(err, sql.ErrTxDone) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, conn.Close())
		if _, err := tx.ExecContext(t.Context(), insert.Text); !errors.Is(err, sql.ErrConnDone) {
			t.Errorf("%s, and then a text: %v", name, err)
		}
		var n int
		must(t, d.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n))
		if n != 0 {
			t.Errorf("%s: it was kept", name)
		}
	}
}

// A transaction that nobody waits for any more is undone, and its connection is as good as any.
func TestA5_ATransactionThatIsGivenUp(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		ctx, stop := context.WithCancel(t.Context())
		err := d.Within(ctx, func(tx *Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO things (id, n) VALUES ('a', 1)")
			must(t, err)
			stop()
			_, err = tx.ExecContext(ctx, "INSERT INTO things (id, n) VALUES ('b', 1)")
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		var n int
		must(t, d.Within(t.Context(), func(tx *Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n)
		}))
		if n != 0 {
			t.Errorf("%d things", n)
		}
	})
}

// The first text reads values as the others do.
func TestA5_ValuesOfTheFirstText(t *testing.T) {
	d := opened(t, func() (*DB, error) { return Connect(t.Context(), testpostgres.Database(t)) })
	const text = "SELECT 1::BIGINT, 2::INTEGER, 3::SMALLINT, 'four'::TEXT, '\\x05'::BYTEA, TRUE, NULL, 0.5::FLOAT8, 12345678901234567890::NUMERIC, to_timestamp(9) AT TIME ZONE 'UTC', n FROM generate_series(1, 3) AS n"
	read := func(tx *Tx) (rows [][]any) {
		found, err := tx.QueryContext(t.Context(), text)
		must(t, err)
		defer found.Close()
		names, err := found.Columns()
		must(t, err)
		for found.Next() {
			row := make([]any, len(names))
			into := make([]any, len(names))
			for i := range row {
				into[i] = &row[i]
			}
			must(t, found.Scan(into...))
			rows = append(rows, row)
		}
		must(t, found.Err())
		return rows
	}
	must(t, d.Within(t.Context(), func(tx *Tx) error {
		first, second := read(tx), read(tx)
		if len(first) != 3 || len(second) != 3 {
			t.Fatalf("%d and %d rows", len(first), len(second))
		}
		for i, row := range first {
			for k, value := range row {
				if !reflect.DeepEqual(value, second[i][k]) {
					t.Errorf("column %d is %#v first, and %#v then", k+1, value, second[i][k])
				}
			}
		}
		return nil
	}))
	err := d.Within(t.Context(), func(tx *Tx) error {
		var text string
		return tx.QueryRowContext(t.Context(), "SELECT ARRAY[1, 2]").Scan(&text)
	})
	if err == nil || !strings.Contains(err.Error(), "turn it into a text") {
		t.Errorf("%v", err)
	}
}

// A connection that breaks when the end of a transaction is on its way leaves open what has become
// of it: nobody does it again.
func TestA5_AConnectionThatBreaksAtTheEnd(t *testing.T) {
	address := testpostgres.Database(t)
	d := opened(t, func() (*DB, error) { return Connect(t.Context(), address) })
	must(t, d.Install(t.Context(), someTables))
	tries := 0
	err := d.Within(t.Context(), func(tx *Tx) error {
		tries++
		tx.Last(Change{Text: "INSERT INTO things (id, n) SELECT 'a', 1 FROM pg_terminate_backend(pg_backend_pid())"})
		_, err := tx.ExecContext(t.Context(), "SELECT 1")
		return err
	})
	if err == nil || tries != 1 {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// A connection that breaks before the end of a transaction is no harm: it is begun anew.
func TestA5_AConnectionThatBreaks(t *testing.T) {
	address := testpostgres.Database(t)
	d := opened(t, func() (*DB, error) { return Connect(t.Context(), address) })
	must(t, d.Install(t.Context(), someTables))
	tries := 0
	must(t, d.Within(t.Context(), func(tx *Tx) error {
		if _, err := tx.ExecContext(t.Context(), "INSERT INTO things (id, n) VALUES ('a', 1)"); err != nil {
			return err
		}
		if tries++; tries == 1 {
			var pid int64
			must(t, tx.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid))
			_, err := d.Pool().Exec(t.Context(), "SELECT pg_terminate_backend($1)", pid)
			must(t, err)
		}
		_, err := tx.Make(t.Context(), Change{Text: "UPDATE things SET n = n + 1"})
		return err
	}))
	var n int
	must(t, d.Reads().QueryRowContext(t.Context(), "SELECT n FROM things").Scan(&n))
	if tries != 2 || n != 2 {
		t.Errorf("%d tries, and %d", tries, n)
	}
}
