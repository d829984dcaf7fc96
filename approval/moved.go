package approval

import (
	"context"
	"database/sql"
	"io/fs"
	"os"

	"github.com/assent-dev/assent/internal/durable"
)

// hold is how a store holds on to its files: nothing else of this process opens them, and
// it notices when they are not those any more that others use.
type hold struct {
	kept *durable.Kept
	// anchor is a connection that nobody uses, so nothing ends it: while it is there, nobody
	// who respects locks puts the log of changes away. beside is that log, and its index.
	// Both are nil unless the store is shared.
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
	if _, err := versionOf(context.Background(), h.anchor); err != nil {
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
// removed it, or the log of its changes. What is written here reaches nobody.
func (s *Store) Moved() bool {
	now, err := os.Stat(s.path)
	if err != nil || s.hold == nil || !s.hold.kept.Is(now) {
		return true
	}
	for i, before := range s.hold.beside {
		if now, err := os.Stat(s.hold.kept.Beside()[i]); before != nil && (err != nil || !os.SameFile(now, before)) {
			return true
		}
	}
	return false
}
