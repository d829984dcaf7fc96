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

	"github.com/assent-dev/assent/internal/durable"
)

// Store keeps tickets. It is safe for concurrent use, also by several processes.
type Store struct {
	path       string
	db         *sql.DB
	now        func() time.Time
	statements statements
	// only is why the tickets can only be looked at; nil when they can be changed.
	only error
}

// fileName is the database in the state directory.
const fileName = "state.db"

// Open opens the store of a state directory, which is made if need be. The error is an
// [*Unusable].
func Open(dir string) (*Store, error) {
	path := filepath.Join(dir, fileName)
	s, err := openAt(dir, path)
	if err != nil {
		return nil, &Unusable{path, err}
	}
	return s, nil
}

func openAt(dir, path string) (*Store, error) {
	if err := durable.MakeDir(dir, 0o700); err != nil {
		return nil, err
	}
	// SQLite would make it readable for everybody whom the umask lets.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	f.Close()
	db, err := sql.Open("sqlite", dsn(path, readWrite()))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // writers wait for each other anyway, and one never finds the database busy because of itself
	s := &Store{path: path, db: db, now: time.Now}
	if err := s.prepare(context.Background()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// Exists reports whether a state directory has tickets: who only looks need not make a
// database.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// readWrite is how the database is used: a change is on disk when it is acknowledged, and
// others wait for it a while.
func readWrite() url.Values {
	return url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"}}
}

// dsn names the database with how it is used.
func dsn(path string, use url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: use.Encode()}).String()
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// version of the tables. A later one is left alone: this program does not know what it
// means.
const version = 2

const tables = `
CREATE TABLE tickets (
	id       TEXT PRIMARY KEY,
	session  TEXT NOT NULL,
	call     TEXT NOT NULL,
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
	answer   TEXT NOT NULL
);
CREATE INDEX tickets_by_call ON tickets (session, call);
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
PRAGMA user_version = 2;
`

// prepare makes the tables of a new database.
func (s *Store) prepare(ctx context.Context) error {
	if found, err := versionOf(ctx, s.db); err != nil || found == version { // mostly; who only looks waits for no writer
		return err
	}
	return s.within(ctx, func(tx *transaction) error {
		found, err := versionOf(ctx, tx.Tx)
		if err != nil {
			return err
		}
		switch {
		case found == version: // somebody was faster
			return nil
		case found > version:
			return fmt.Errorf("they were written by a newer assent (version %d, this one knows %d): update assent", found, version)
		case found > 0:
			return fmt.Errorf("they were written before the first release of assent (version %d, this one knows %d): remove the file; the calls wait on in their sessions, and have to be answered again", found, version)
		}
		_, err = tx.Tx.ExecContext(ctx, tables) // once in the life of a database
		return err
	})
}

func versionOf(ctx context.Context, q querier) (found int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found)
	return found, err
}

// within does something in one transaction: all of it, or nothing.
func (s *Store) within(ctx context.Context, do func(*transaction) error) error {
	if s.only != nil {
		return s.only
	}
	return s.explain(s.transact(ctx, do))
}

func (s *Store) transact(ctx context.Context, do func(*transaction) error) error {
	if err := s.statements.prepare(ctx, s.db); err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to be undone after a commit
	if err := do(&transaction{tx, &s.statements}); err != nil {
		return err
	}
	return tx.Commit()
}
