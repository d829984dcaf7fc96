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
	"sync"
	"time"

	"github.com/assent-dev/assent/internal/durable"
)

// Store keeps tickets. It is safe for concurrent use, also by several processes.
type Store struct {
	path string
	hold *hold // nil where somebody only looks
	db   *sql.DB
	// readers are for many who only look; nil unless the store is shared.
	readers    *readers
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
	if err := create(path); err != nil {
		return nil, err
	}
	hold, err := holdOn(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, readWrite()))
	if err != nil {
		hold.release()
		return nil, err
	}
	db.SetMaxOpenConns(1) // writers wait for each other anyway, and one never finds the database busy because of itself
	s := &Store{path: path, hold: hold, db: db, now: time.Now}
	if err := s.prepare(context.Background()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// ErrMoved is why a process that serves others cannot go on: what it says to them would be
// about tickets that nobody else uses.
var ErrMoved = errors.New("the tickets were moved away while the server had them open (start it again)")

// creating is held while a database is made, see create.
var creating sync.Mutex

// create makes an empty database that only its owner can read, unless there is one: SQLite
// would make it readable for everybody whom the umask lets. One that is there is not opened:
// closing it would give up the locks that another store of this process has on it.
func create(path string) error {
	creating.Lock() // nobody else in this process opens it before it is closed
	defer creating.Unlock()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return writable(path)
	}
	if err != nil {
		return err
	}
	return f.Close()
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
func (s *Store) Close() error {
	defer s.hold.release()
	s.hold.weigh()
	if s.readers != nil {
		_ = s.readers.Close() // nothing was written there
	}
	return s.db.Close()
}

// version of the tables. A later one is left alone: this program does not know what it
// means.
const version = 5

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
	answer   TEXT NOT NULL,
	asker    TEXT NOT NULL,
	risk     INTEGER NOT NULL,
	kin      TEXT NOT NULL,
	edits    TEXT NOT NULL DEFAULT '',
	places   TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tickets_by_call ON tickets (session, call);
CREATE INDEX tickets_by_state ON tickets (state, risk, created, id);
CREATE INDEX tickets_by_kin ON tickets (kin, created);
CREATE INDEX tickets_by_age ON tickets (created, id);
CREATE INDEX tickets_due ON tickets (state, expires);
CREATE TABLE history (
	serial INTEGER PRIMARY KEY AUTOINCREMENT,
	ticket TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	was    TEXT NOT NULL,
	became TEXT NOT NULL,
	fence  INTEGER NOT NULL,
	who    TEXT NOT NULL,
	note   TEXT NOT NULL,
	UNIQUE (ticket, number)
);
CREATE TABLE noes (
	session TEXT NOT NULL,
	call    TEXT NOT NULL,
	at      INTEGER NOT NULL,
	answer  TEXT NOT NULL,
	PRIMARY KEY (session, call, at)
);
PRAGMA user_version = 5;
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
