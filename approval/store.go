package approval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Store keeps tickets. It is safe for concurrent use, also by several processes.
type Store struct {
	db *database.DB
	// own: the database goes with the store.
	own bool
	// older is how tables of fewer steps are read, which can only be looked at; nil for all others.
	older *strings.Replacer
	now   func() time.Time
	// also is made with every change; see [Store.Also].
	also []func(ctx context.Context, tx *database.Tx, t Ticket, was State) ([]database.Change, error)
	// minds is asked by every claim; see [Store.Mind].
	minds func(context.Context) (StillFor, error)
	// heeds is where calls come from; see [Store.Heed].
	heeds heeded
}

// Unusable is the error for tickets that cannot be opened, read or written.
type Unusable = database.Unusable

// fileName is the database in the state directory.
const fileName = "state.db"

// Open opens the store of a state directory, which is made if need be. The error is an
// [*Unusable].
func Open(dir string) (*Store, error) {
	db, err := database.OpenFile(filepath.Join(dir, fileName))
	if err != nil {
		return nil, err
	}
	s, err := On(context.Background(), db)
	if err != nil {
		_ = db.Close() // nothing was done there
		return nil, err
	}
	s.own = true
	return s, nil
}

// On is the store in a database that somebody else closes. The error is an [*Unusable].
func On(ctx context.Context, db *database.DB) (*Store, error) {
	if err := db.Install(ctx, tables); err != nil {
		return nil, err
	}
	return &Store{db: db, now: time.Now}, nil
}

// Database is where the tickets are kept.
func (s *Store) Database() *database.DB { return s.db }

// Exists reports whether a state directory has tickets: who only looks need not make a
// database.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// Share prepares the store for many who read at once, beside the one who writes. A process
// that serves people does that; a command does not need it.
func (s *Store) Share(most int) error { return s.db.Share(most) }

// Moved: the database is not the one any more that people use, because somebody has moved or
// removed it, or the log of its changes. What is written here reaches nobody.
func (s *Store) Moved() bool { return s.db.Moved() }

// ErrMoved is why a process that serves others cannot go on: what it says to them would be
// about tickets that nobody else uses.
var ErrMoved = errors.New("the tickets were moved away while the server had them open (start it again)")

// Try writes something that means nothing, as an answer is written: whoever serves others
// knows by it that they can answer.
func (s *Store) Try(ctx context.Context) error {
	if s.Moved() {
		return ErrMoved
	}
	return s.db.Try(ctx)
}

// Close closes the store, and its database unless that is somebody else's.
func (s *Store) Close() error {
	if !s.own {
		return nil
	}
	return s.db.Close()
}
