package database

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// doorkeeper listens as a PostgreSQL does that knows no TLS and lets nobody in, and is its address.
func doorkeeper(t *testing.T) string {
	t.Helper()
	door, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = door.Close() })
	go func() {
		for {
			conn, err := door.Accept()
			if err != nil { // the test is over
				return
			}
			go turnAway(conn)
		}
	}()
	return door.Addr().String()
}

func turnAway(conn net.Conn) {
	defer conn.Close()
	server := pgproto3.NewBackend(conn, conn)
	for {
		asked, err := server.ReceiveStartupMessage()
		if err != nil {
			return
		}
		if _, secure := asked.(*pgproto3.SSLRequest); !secure {
			break
		}
		if _, err := conn.Write([]byte("N")); err != nil {
			return
		}
	}
	server.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: "password authentication failed"})
	_ = server.Flush() // who has gone need not be told
}

// What the driver says of an attempt to connect is several lines, with every address twice, and
// begins with what was tried first and not with what is wrong. A person is told each reason once,
// in one line.
func TestReasonsWhyNobodyIsLetIn(t *testing.T) {
	t.Parallel()
	const away = "see that PostgreSQL runs there and can be reached; what was acknowledged is kept; try again"
	door := doorkeeper(t)
	unix := testpostgres.Database(t)
	for _, c := range []struct{ name, address, want string }{
		{"nobody listens", "postgres://ann:canary@127.0.0.1:1/none", "dial tcp 127.0.0.1:1: connect: connection refused (" + away + ")"},
		{"a wrong password", "postgres://ann:canary@" + door + "/none", "FATAL: password authentication failed (SQLSTATE 28P01) (see that the user and the password are right, and that the server lets them in; in an address #, %, /, ?, @ and : of a password are written as %23, %25, %2F, %3F, %40 and %3A)"},
		{"no TLS where it is wanted", "postgres://ann:canary@" + door + "/none?sslmode=require", fmt.Sprintf("%s (127.0.0.1): tls error: server refused TLS connection (%s)", door, away)},
		{"a password as it is", "postgres://ann:can%ary@" + door + "/none", "the address cannot be read (" + howToWrite + ")"},
		{"no address", "mysql://ann@" + door + "/none", "it is no address of PostgreSQL (" + howToWrite + ")"},
		{"no such database", unix + "&dbname=none", `FATAL: database "none" does not exist (SQLSTATE 3D000) (make that database, or name another one)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // each is waited for a moment
			d, err := Connect(t.Context(), c.address)
			if err == nil {
				_ = d.Close()
				t.Fatal("it is let in")
			}
			unusable, ok := errors.AsType[*Unusable](err)
			if want := fmt.Sprintf("the tickets in %s cannot be used: %s", Shown(c.address), c.want); !ok || unusable.Error() != want {
				t.Errorf("%v\nwant %s", err, want)
			}
		})
	}
}

// Whether it helps to try again: yes, where nobody answers or a server is being started, and no,
// where somebody has to do something first.
func TestPassing(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{refused, true},
		{fmt.Errorf("a query: %w", io.ErrUnexpectedEOF), true},
		{&pgconn.PgError{Code: "57P03", Message: "the database system is starting up"}, true},
		{errors.Join(refused, &pgconn.PgError{Code: "28P01", Message: "password authentication failed"}), false},
		{&pgconn.PgError{Code: "42501", Message: "permission denied"}, false},
		{&pgconn.PgError{Code: "25006", Message: "cannot execute UPDATE in a read-only transaction"}, true},
		{&pgconn.PgError{Code: "25P02", Message: "current transaction is aborted"}, false},
		{syscall.ENOSPC, false},
	} {
		if got := (&Unusable{"x", c.err}).Passing(); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}

// A server that only reads answers everything but changes: a replica, or one that was told so.
func TestAServerThatOnlyReads(t *testing.T) {
	address := testpostgres.Database(t)
	for suffix, want := range map[string]bool{"": false, "&default_transaction_read_only=on": true} {
		d, err := Connect(t.Context(), address+suffix)
		must(t, err)
		defer d.Close()
		if got, err := d.OnlyReads(t.Context()); err != nil || got != want {
			t.Errorf("%q: %v, %v", suffix, got, err)
		}
		if !want {
			continue
		}
		err = d.Install(t.Context(), Tables{Name: "some", Steps: []string{"CREATE TABLE some (id TEXT)"}})
		unusable, ok := errors.AsType[*Unusable](err)
		if !ok || !unusable.OnlyReads() || !unusable.Passing() {
			t.Errorf("%v", err)
		}
	}
	file, err := OpenFile(t.TempDir() + "/state.db")
	must(t, err)
	defer file.Close()
	if got, err := file.OnlyReads(t.Context()); err != nil || got {
		t.Errorf("a file: %v, %v", got, err)
	}
}
