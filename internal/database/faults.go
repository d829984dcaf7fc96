package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Unusable is the error for a database that cannot be opened, read or written.
type Unusable struct {
	// Name is the file, or the address without its password.
	Name string
	Err  error
}

func (e *Unusable) Error() string {
	text := fmt.Sprintf("the tickets in %s cannot be used: %s", e.Name, reason(e.Err))
	if way := e.way(); way != "" {
		text += " (" + way + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *Unusable) Unwrap() error { return e.Err }

// Uncertain: the connection broke while a transaction was coming to its end, and nobody knows whether
// its changes were kept.
type Uncertain struct{ Err error }

func (e *Uncertain) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Uncertain) Unwrap() error { return e.Err }

// Passing reports whether the database is only away, being started, or a copy that another one is
// about to replace: it may answer again without anybody doing anything about what has asked.
func (e *Unusable) Passing() bool {
	if _, said := errors.AsType[*pgconn.PgError](e.Err); said {
		return starting(e.Err) || e.OnlyReads()
	}
	return unreachable(e.Err)
}

// OnlyReads reports whether PostgreSQL has refused a change because it only reads: it is a copy of
// another one, or was told so.
func (e *Unusable) OnlyReads() bool {
	fault, said := errors.AsType[*pgconn.PgError](e.Err)
	return said && fault.Code == "25006"
}

// OnlyReads asks whether nothing can be changed: everything else works in such a database, so nobody
// notices before somebody answers. A copy that follows another server says so as one that was told to.
func (d *DB) OnlyReads(ctx context.Context) (only bool, err error) {
	if d.kind != PostgreSQL {
		return false, nil
	}
	err = d.Reads().QueryRowContext(ctx, "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool").Scan(&only)
	return only, d.Explain(err)
}

// reason is what is wrong, in one line. The driver lists every attempt to connect, each with the
// address that is named already.
func reason(err error) string {
	refused, ok := errors.AsType[*pgconn.ConnectError](err)
	if !ok {
		return err.Error()
	}
	attempts := []error{refused.Unwrap()}
	if several, ok := attempts[0].(interface{ Unwrap() []error }); ok {
		attempts = several.Unwrap()
	}
	var all []string
	for _, attempt := range attempts {
		if one := oneReason(attempt); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	withoutTLS := func(one string) bool { return !strings.HasSuffix(one, "server refused TLS connection") }
	if slices.ContainsFunc(all, withoutTLS) { // then that was tried next, and failed for this reason
		all = slices.DeleteFunc(all, func(one string) bool { return !withoutTLS(one) })
	}
	return strings.Join(all, "; ")
}

// oneReason is why one attempt to connect has failed.
func oneReason(attempt error) string {
	if said, ok := errors.AsType[*pgconn.PgError](attempt); ok {
		return said.Error()
	}
	if lookup, ok := errors.AsType[*net.DNSError](attempt); ok {
		return lookup.Error()
	}
	if system, ok := errors.AsType[*net.OpError](attempt); ok {
		return system.Error()
	}
	return strings.ReplaceAll(attempt.Error(), "\n", " ")
}

// way is what a person can do about it; empty when the cause says so itself.
func (e *Unusable) way() string {
	const (
		full     = "see that the disk is not full; `assent sessions prune` frees space"
		readOnly = "see that the disk and the file can be written"
	)
	if _, uncertain := errors.AsType[*Uncertain](e.Err); uncertain {
		return "nobody knows whether the last change was kept: look at it before you try again, and see that PostgreSQL can be reached"
	}
	if fault, ok := errors.AsType[*pgconn.PgError](e.Err); ok {
		return wayOfServer(fault.Code)
	}
	if unreachable(e.Err) {
		return "see that PostgreSQL runs there and can be reached; what was acknowledged is kept; try again"
	}
	switch {
	case errors.Is(e.Err, syscall.ENOSPC):
		return full
	case errors.Is(e.Err, syscall.EROFS), errors.Is(e.Err, fs.ErrPermission):
		return readOnly
	}
	fault, ok := errors.AsType[*sqlite.Error](e.Err)
	if !ok {
		return ""
	}
	switch fault.Code() & 0xff { // what is beyond says where it happened
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR:
		return full
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return readOnly
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		base := filepath.Base(e.Name)
		return fmt.Sprintf("move it away, with %s-wal and %s-shm if they are there: the calls wait on in their sessions, and answers must be given again", base, base)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "another process writes them for a long time; try again"
	}
	return ""
}

// In an address some characters of a password mean something else.
const (
	inAddress  = "in an address #, %, /, ?, @ and : of a password are written as %23, %25, %2F, %3F, %40 and %3A"
	howToWrite = "write postgres://USER:PASSWORD@HOST/NAME; " + inAddress
)

// wayOfServer is what a person can do about what PostgreSQL says, by its code, or the class of that.
func wayOfServer(code string) string {
	if len(code) != 5 {
		return ""
	}
	switch code {
	case "57014":
		return "the server was told to give it up, by a person or by a limit like statement_timeout: this change was not made; see who does that, and try again"
	case "55P03":
		return "somebody else had what it needs for longer than lock_timeout lets it wait: this change was not made; try again"
	case "25P03", "25P04":
		return "it took longer than the server lets a transaction take: this change was not made; try again"
	case "57P05":
		return "the server has ended a connection that nobody had used for a while; what was acknowledged is kept; try again"
	case "26000", "42P05": // a statement that another connection has prepared, or this one not
		return "something stands between here and the server that gives each transaction another connection, as PgBouncer does in its transaction mode: name the server itself, or let it keep a connection for as long as the program does (session mode)"
	case "25006":
		return "the server only reads: name the one that can be written"
	}
	switch code[:2] {
	case "28":
		return "see that the user and the password are right, and that the server lets them in; " + inAddress
	case "3D":
		return "make that database, or name another one"
	case "42":
		return "see that the user owns the tables of assent, or may make them"
	case "53":
		return "see that the disk of the server is not full and that it takes more connections"
	case "57", "08":
		return "the server is being stopped or started; what was acknowledged is kept; try again"
	case "40":
		return "others were in the way each time; try again"
	}
	return ""
}

// unreachable: nobody could talk to the server, or no longer.
func unreachable(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	// Not every error of the system that is called a net.Error comes from a network.
	if _, ok := errors.AsType[*net.OpError](err); ok && !errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	return errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// starting: the server is being started or stopped, or has no room for the moment.
func starting(err error) bool {
	fault, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (fault.Code[:2] == "57" && fault.Code != "57014" || fault.Code == "53300")
}

// inTheWay: a transaction did not happen because of others, and may be begun anew.
func inTheWay(err error) bool {
	fault, ok := errors.AsType[*pgconn.PgError](err)
	return ok && slices.Contains([]string{
		"40001", "40P01", // the order of transactions
		"23503", // what it refers to was removed meanwhile
	}, fault.Code)
}

// undone: the error of the end of a transaction proves that nothing of it was kept. That a server
// ends the connection proves nothing: it may do so when the changes are kept already.
func undone(err error) bool {
	fault, said := errors.AsType[*pgconn.PgError](err)
	return said && cmp.Or(fault.SeverityUnlocalized, fault.Severity) == "ERROR" || errors.Is(err, pgx.ErrTxCommitRollback) || errors.Is(err, ErrNotOne)
}

// Explain adds to an error of the database what a person can do about it. Other errors stay
// as they are.
func (d *DB) Explain(err error) error {
	if _, done := errors.AsType[*Unusable](err); done || err == nil {
		return err
	}
	_, file := errors.AsType[*sqlite.Error](err)
	_, server := errors.AsType[*pgconn.PgError](err)
	if file || server || d.kind == PostgreSQL && (unreachable(err) || errors.Is(err, pgx.ErrTxClosed)) {
		return &Unusable{d.name, err}
	}
	return err
}
