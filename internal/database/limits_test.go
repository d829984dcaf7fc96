package database

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// How long something may take is for whoever waits for it to say. Limits that a database or a role
// has by itself, as some providers set them, do not end it before.
func TestA5_LimitsOfTheDatabaseEndNothing(t *testing.T) {
	address := testpostgres.Database(t)
	first, err := Connect(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { _ = first.Close() })
	must(t, first.Install(t.Context(), Tables{Name: "things", Steps: []string{"CREATE TABLE things (id TEXT PRIMARY KEY)", "INSERT INTO things VALUES ('x')"}}))
	var name string
	must(t, first.Reads().QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name))
	for _, limit := range []string{"statement_timeout = '40ms'", "lock_timeout = '20ms'", "idle_session_timeout = '1h'"} {
		must(t, first.Within(t.Context(), func(tx *Tx) error {
			_, err := tx.ExecContext(t.Context(), "ALTER DATABASE "+name+" SET "+limit)
			return err
		}))
	}
	second, err := Connect(t.Context(), address) // with new connections, for which these count
	must(t, err)
	t.Cleanup(func() { _ = second.Close() })
	for _, limit := range []string{"statement_timeout", "lock_timeout", "idle_session_timeout"} {
		var value string
		if err := second.Reads().QueryRowContext(t.Context(), "SHOW "+limit).Scan(&value); err != nil || value != "0" {
			t.Errorf("%s is %q, %v", limit, value, err)
		}
	}
	held, waited := make(chan struct{}), make(chan error, 1)
	go func() {
		<-held
		waited <- second.Within(t.Context(), func(tx *Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE things SET id = id")
			return err
		})
	}()
	must(t, first.Within(t.Context(), func(tx *Tx) error {
		if _, err := tx.ExecContext(t.Context(), "UPDATE things SET id = id"); err != nil {
			return err
		}
		close(held)
		_, err := tx.ExecContext(t.Context(), "SELECT pg_sleep(0.3)")
		return err
	}))
	if err := <-waited; err != nil {
		t.Error(err)
	}
}

// What a person is told to do about what PostgreSQL says is true: a text that was cancelled is no
// server that is being stopped, and not every transaction that cannot go on is one that only reads.
func TestWhatHelpsAgainstWhatTheServerSays(t *testing.T) {
	const cancelled, notMade = "the server was told to give it up", "this change was not made"
	for code, want := range map[string][]string{
		"57014": {cancelled, "statement_timeout", notMade},
		"55P03": {"somebody else", "lock_timeout", notMade},
		"25P03": {"took longer", notMade},
		"25P04": {"took longer", notMade},
		"25006": {"the server only reads"},
		"57P01": {"being stopped or started", "what was acknowledged is kept"},
		"57P05": {"nobody had used", "what was acknowledged is kept"},
		"57P03": {"being stopped or started", "what was acknowledged is kept"},
		"40001": {"others were in the way"},
		"26000": {"gives each transaction another connection", "session mode"},
	} {
		text := (&Unusable{"x", &pgconn.PgError{Severity: "ERROR", Code: code, Message: "no"}}).Error()
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %s, without %q", code, text, part)
			}
		}
		if strings.Contains(text, "what was acknowledged is kept") != strings.HasPrefix(code, "57P") || strings.Contains(text, "only reads") != (code == "25006") {
			t.Errorf("%s: %s", code, text)
		}
	}
}

// Why the first text of a transaction was refused is said once, in one line.
func TestACauseIsSaidOnce(t *testing.T) {
	d, err := Connect(t.Context(), testpostgres.Database(t))
	must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	ctx := t.Context()
	for name, do := range map[string]func(*Tx) error{
		"no such table":    func(tx *Tx) error { _, err := tx.ExecContext(ctx, "UPDATE nowhere SET a = 1"); return err },
		"asked for a row":  func(tx *Tx) error { return tx.QueryRowContext(ctx, "SELECT a FROM nowhere").Scan(new(int)) },
		"no number":        func(tx *Tx) error { return tx.QueryRowContext(ctx, "SELECT 1/0 FOR UPDATE").Scan(new(int)) },
		"while it runs":    func(tx *Tx) error { _, err := tx.ExecContext(ctx, "SELECT 1/(random()*0)::int"); return err },
		"a row, meanwhile": func(tx *Tx) error { return tx.QueryRowContext(ctx, "SELECT 1/(random()*0)::int").Scan(new(int)) },
		"it is cancelled": func(tx *Tx) error {
			return tx.QueryRowContext(ctx, "SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(5)").Scan(new(bool), new(string))
		},
	} {
		err := d.Within(ctx, do)
		if fault, ok := errors.AsType[*pgconn.PgError](err); !ok || strings.Count(err.Error(), fault.Code) != 1 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
