package approval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/assent-dev/assent/internal/durable"
)

// Store keeps tickets. It is safe for concurrent use, also by several processes.
type Store struct {
	db  *sql.DB
	now func() time.Time
}

// fileName is the database in the state directory.
const fileName = "state.db"

// Open opens the store of a state directory, which is made if need be.
func Open(dir string) (*Store, error) {
	if err := durable.MakeDir(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, fileName)
	// SQLite would make it readable for everybody whom the umask lets.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the tickets cannot be opened: %w", err)
	}
	f.Close()
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, fmt.Errorf("the tickets cannot be opened: %w", err)
	}
	db.SetMaxOpenConns(1) // writers wait for each other anyway, and one never finds the database busy because of itself
	s := &Store{db: db, now: time.Now}
	if err := s.prepare(context.Background()); err != nil {
		return nil, errors.Join(fmt.Errorf("the tickets in %s cannot be used: %w", path, err), db.Close())
	}
	return s, nil
}

// Exists reports whether a state directory has tickets: who only looks need not make a
// database.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// dsn names the database with how it is used: a change is on disk when it is
// acknowledged, and others wait for it a while.
func dsn(path string) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"}}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// version of the tables. A later one is left alone: this program does not know what it
// means.
const version = 1

const tables = `
CREATE TABLE tickets (
	id       TEXT PRIMARY KEY,
	session  TEXT NOT NULL,
	call     TEXT NOT NULL,
	agent    TEXT NOT NULL,
	tool     TEXT NOT NULL,
	input    TEXT NOT NULL,
	cwd      TEXT NOT NULL,
	digest   TEXT NOT NULL,
	policy   TEXT NOT NULL,
	why      TEXT NOT NULL,
	state    TEXT NOT NULL,
	fence    INTEGER NOT NULL,
	created  INTEGER NOT NULL,
	expires  INTEGER NOT NULL,
	outcome  TEXT NOT NULL,
	holder   TEXT NOT NULL,
	answer   TEXT NOT NULL,
	UNIQUE (session, call)
);
CREATE INDEX tickets_by_state ON tickets (state, created);
CREATE TABLE history (
	ticket TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	was    TEXT NOT NULL,
	became TEXT NOT NULL,
	fence  INTEGER NOT NULL,
	who    TEXT NOT NULL,
	note   TEXT NOT NULL,
	PRIMARY KEY (ticket, number)
);
PRAGMA user_version = 1;
`

// prepare makes the tables of a new database.
func (s *Store) prepare(ctx context.Context) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		var found int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil {
			return err
		}
		switch {
		case found == version:
			return nil
		case found > version:
			return fmt.Errorf("they were written by a newer assent (version %d, this one knows %d): update assent", found, version)
		}
		_, err := tx.ExecContext(ctx, tables)
		return err
	})
}

// within does something in one transaction: all of it, or nothing.
func (s *Store) within(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to be undone after a commit
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
