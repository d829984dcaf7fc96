package approval

import (
	"context"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Look opens the tickets of a state directory that [Open] cannot open, because the disk is
// full or cannot be written, so that people see at least what waits. Nothing can be changed
// in such a store: why is the error of whoever tries.
func Look(dir string, why error) (*Store, error) {
	s := &Store{own: true, now: time.Now}
	db, err := database.Look(filepath.Join(dir, fileName), why, func(db *database.DB) (err error) {
		ctx := context.Background()
		if s.older, err = known(ctx, db); err != nil {
			return err
		}
		// That does not say whether anything can be read.
		s.db = db
		_, err = readAll(s.reads().QueryContext(ctx, "SELECT "+columns+" FROM tickets LIMIT 1"))
		return heedless(err)
	})
	if err != nil {
		return nil, err
	}
	s.db = db
	return s, nil
}

// asOfNow is a ticket whose time may be over, where nobody can write that down.
func (s *Store) asOfNow(t *Ticket) {
	if s.db.Only() != nil && s.overdue(*t) {
		t.State = Expired
	}
}
