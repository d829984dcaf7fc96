package database

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/assent-dev/assent/internal/durable"
)

// OpenFile opens a database file, which is made if need be, as its directory. The error is an
// [*Unusable].
func OpenFile(path string) (*DB, error) {
	d, err := openFile(path)
	if err != nil {
		return nil, &Unusable{path, err}
	}
	return d, nil
}

func openFile(path string) (*DB, error) {
	if err := durable.MakeDir(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := create(path); err != nil {
		return nil, err
	}
	hold, err := holdOn(path)
	if err != nil {
		return nil, err
	}
	db, err := openSQLite(dsn(path, readWrite()))
	if err != nil {
		hold.release()
		return nil, err
	}
	db.SetMaxOpenConns(1) // writers wait for each other anyway, and one never finds the database busy because of itself
	d := &DB{kind: SQLite, name: path, db: db, hold: hold}
	if err := db.Ping(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// creating is held while a database is made, see create.
var creating sync.Mutex

// create makes an empty database that only its owner can read, unless there is one: SQLite
// would make it readable for everybody whom the umask lets. One that is there is not opened:
// closing it would give up the locks that somebody else in this process has on it.
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

// readWrite is how the database is used: a change is on disk when it is acknowledged, and
// others wait for it a while.
func readWrite() url.Values {
	return url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"}}
}

// dsn names the database with how it is used.
func dsn(path string, use url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), RawQuery: use.Encode()}).String()
}

// Share makes room for many who read at the same time, beside the one who writes. A process
// that serves people does that; a command does not need it, and PostgreSQL does it anyway.
func (d *DB) Share(most int) error {
	if d.kind == PostgreSQL {
		return nil
	}
	db, err := openSQLite(dsn(d.name, url.Values{"_pragma": {"busy_timeout(10000)", "query_only(1)"}}))
	if err != nil {
		return &Unusable{d.name, err}
	}
	db.SetMaxOpenConns(most + 1) // one is never given back, see hold
	db.SetMaxIdleConns(most)
	d.readers = db
	if err := d.hold.settle(db); err != nil {
		return &Unusable{d.name, err}
	}
	return nil
}

// Look opens a database file that [OpenFile] cannot open, because the disk is full or cannot
// be written, so that people see at least what is there. Nothing can be changed in it: why is
// the error of whoever tries. try reads something: some files can be opened and not read.
func Look(path string, why error, try func(*DB) error) (*DB, error) {
	d, err := look(path, url.Values{"mode": {"ro"}}, try)
	if err != nil && !unmerged(path) {
		// Without a place for its locks the database is read as a plain file. That is all of
		// it, unless changes wait in the file beside it to be taken over.
		d, err = look(path, url.Values{"mode": {"ro"}, "immutable": {"1"}}, try)
	}
	if err != nil {
		return nil, &Unusable{path, err}
	}
	d.only = why
	return d, nil
}

// unmerged: some changes are not in the database itself yet.
func unmerged(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func look(path string, q url.Values, try func(*DB) error) (*DB, error) {
	q["_pragma"] = []string{"busy_timeout(10000)", "query_only(1)"}
	db, err := openSQLite(dsn(path, q))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d := &DB{kind: SQLite, name: path, db: db}
	if err := try(d); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return d, nil
}

// hold is how a database holds on to its files: nothing else of this process opens them, and
// it notices when they are not those any more that others use.
type hold struct {
	kept *durable.Kept
	// anchor is a connection that nobody uses, so nothing ends it: while it is there, nobody
	// who respects locks puts the log of changes away. beside is that log, and its index.
	// Both are nil unless the database is shared.
	anchor *sql.Conn
	beside []fs.FileInfo
}

func holdOn(path string) (*hold, error) {
	kept, err := durable.Keep(path, "-wal", "-shm")
	return &hold{kept: kept}, err
}

// settle remembers the files beside the database, which are there as soon as somebody reads.
func (h *hold) settle(db *sql.DB) (err error) {
	if h.anchor, err = db.Conn(context.Background()); err != nil {
		return err
	}
	var n int
	if err := h.anchor.QueryRowContext(context.Background(), "PRAGMA user_version").Scan(&n); err != nil {
		return err
	}
	for _, name := range h.kept.Beside() {
		info, _ := os.Stat(name) // a disk that cannot share memory has none
		h.beside = append(h.beside, info)
	}
	return nil
}

// weigh lets go of the connection that nobody uses, which the database waits for when it is
// closed.
func (h *hold) weigh() {
	if h != nil && h.anchor != nil {
		_ = h.anchor.Close() // nothing was written there
	}
}

// release says that the files are closed, and not before: they may be open once more, and
// closing that gives up the locks.
func (h *hold) release() {
	if h != nil { // nil where somebody only looks
		h.kept.Release()
	}
}

// Moved: the database is not the one any more that people use, because somebody has moved or
// removed its file, or the log of its changes. What is written here reaches nobody.
func (d *DB) Moved() bool {
	if d.kind == PostgreSQL {
		return false
	}
	now, err := os.Stat(d.name)
	if err != nil || d.hold == nil || !d.hold.kept.Is(now) {
		return true
	}
	for i, before := range d.hold.beside {
		if now, err := os.Stat(d.hold.kept.Beside()[i]); before != nil && (err != nil || !os.SameFile(now, before)) {
			return true
		}
	}
	return false
}
