package approval

import (
	"context"
	"strconv"
)

// Try writes something that means nothing, as an answer is written: whoever serves others
// knows by it that they can answer. A transaction alone would write nothing, so it would
// not notice that the disk is full.
func (s *Store) Try(ctx context.Context) error {
	if s.Moved() {
		return ErrMoved
	}
	return s.within(ctx, func(tx *transaction) error {
		var kept int64 // which nobody uses; SQLite writes it also when it stays as it is
		if err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&kept); err != nil {
			return err
		}
		_, err := tx.Tx.ExecContext(ctx, "PRAGMA application_id = "+strconv.FormatInt(kept, 10))
		return err
	})
}
