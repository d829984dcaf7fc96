package approval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Unusable is the error for tickets that cannot be opened or written.
type Unusable struct {
	Path string
	Err  error
}

func (e *Unusable) Error() string {
	text := fmt.Sprintf("the tickets in %s cannot be used: %v", e.Path, e.Err)
	if way := e.way(); way != "" {
		text += " (" + way + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *Unusable) Unwrap() error { return e.Err }

// way is what a person can do about it; empty when the cause says so itself.
func (e *Unusable) way() string {
	const (
		full     = "see that the disk is not full; `assent sessions prune` frees space"
		readOnly = "see that the disk and the file can be written"
	)
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
		return fmt.Sprintf("move it away, with %s-wal and %s-shm if they are there: the calls wait on in their sessions, and answers must be given again", filepath.Base(e.Path), filepath.Base(e.Path))
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "another process writes them for a long time; try again"
	}
	return ""
}

// Look opens the tickets of a state directory that [Open] cannot open, because the disk is
// full or cannot be written, so that people see at least what waits. Nothing can be changed
// in such a store: why is the error of whoever tries.
func Look(dir string, why error) (*Store, error) {
	path := filepath.Join(dir, fileName)
	s, err := look(path, url.Values{"mode": {"ro"}})
	if err != nil && !unmerged(path) {
		// Without a place for its locks the database is read as a plain file. That is all of
		// it, unless changes wait in the file beside it to be taken over.
		s, err = look(path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	}
	if err != nil {
		return nil, &Unusable{path, err}
	}
	s.only = why
	return s, nil
}

// unmerged: some changes are not in the database itself yet.
func unmerged(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func look(path string, q url.Values) (*Store, error) {
	q["_pragma"] = []string{"busy_timeout(10000)", "query_only(1)"}
	db, err := sql.Open("sqlite", dsn(path, q))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	found, err := versionOf(context.Background(), db)
	if err == nil && found == version { // which does not say whether anything can be read
		_, err = readAll(db.Query("SELECT " + columns + " FROM tickets LIMIT 1"))
		err = heedless(err)
	}
	if err == nil && found != version {
		err = fmt.Errorf("they are of another version of assent (%d, this one knows %d)", found, version)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{path: path, db: db, now: time.Now}, nil
}

// explain adds to an error of the database what a person can do about it.
func (s *Store) explain(err error) error {
	if _, done := errors.AsType[*Unusable](err); done {
		return err
	}
	if _, ofDatabase := errors.AsType[*sqlite.Error](err); ofDatabase {
		return &Unusable{s.path, err}
	}
	return err
}

// asOfNow is a ticket whose time may be over, where nobody can write that down.
func (s *Store) asOfNow(t *Ticket) {
	if s.only != nil && s.overdue(*t) {
		t.State = Expired
	}
}
