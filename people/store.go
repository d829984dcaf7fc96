package people

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/room"
)

// Store keeps people. It is safe for concurrent use, also by several processes.
type Store struct {
	db     *database.DB
	now    func() time.Time
	hasher hasher
	// signIns are tried a few at a time, shared by where people come from.
	signIns *room.Turns
}

// Option is something about a store that is not as usual.
type Option func(*Store)

// Clock makes a store take the time from somewhere else, for tests.
func Clock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// On opens the store of a database, whose tables are made if need be.
func On(ctx context.Context, db *database.DB, options ...Option) (*Store, error) {
	s := over(db)
	for _, set := range options {
		set(s)
	}
	if err := db.Install(ctx, tables); err != nil {
		return nil, err
	}
	return s, nil
}

// over is a store of a database with its tables.
func over(db *database.DB) *Store {
	const atOnce, waiting = 3, 128 // one more than passwords are hashed, which keeps both busy
	return &Store{db: db, now: time.Now, hasher: usual, signIns: room.NewTurns(atOnce, waiting)}
}

// Database is where the people are kept.
func (s *Store) Database() *database.DB { return s.db }

// manage makes a change of people in one transaction. Such changes wait for each other: they
// are rare, and what one finds, as that there is another admin, holds until it is over.
func (s *Store) manage(ctx context.Context, do func(*database.Tx) error) error {
	return s.db.Within(ctx, func(tx *database.Tx) error {
		if err := tx.Alone(ctx, "assent people"); err != nil {
			return err
		}
		tx.News() // whoever shows something to a person may have to stop
		return do(tx)
	})
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// some is an error unless a statement has changed something.
func some(result sql.Result, err, nothing error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return fmt.Errorf("nobody can say whether anything was changed: %w", err)
	}
	if n == 0 {
		return nothing
	}
	return nil
}
