package approval

import (
	"context"
	"database/sql"
	"sync"
)

// readers are for many who only look. SQLite takes longer to understand a text than to run
// it, so those that are asked first stay prepared, until the store is closed. There are
// few of them; what comes when there are many is understood each time.
type readers struct {
	db   *sql.DB
	mu   sync.Mutex
	kept map[string]*sql.Stmt
}

const maxKept = 64

// of is what is prepared of a text; nil means nothing.
func (r *readers) of(ctx context.Context, text string) *sql.Stmt {
	r.mu.Lock()
	stmt, full := r.kept[text], len(r.kept) >= maxKept
	r.mu.Unlock()
	if stmt != nil || full {
		return stmt
	}
	stmt, err := r.db.PrepareContext(ctx, text)
	if err != nil { // which the question itself is told
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if other := r.kept[text]; other != nil { // somebody was faster
		_ = stmt.Close()
		return other
	}
	r.kept[text] = stmt
	return stmt
}

func (r *readers) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if stmt := r.of(ctx, text); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return r.db.QueryContext(ctx, text, args...)
}

func (r *readers) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	if stmt := r.of(ctx, text); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return r.db.QueryRowContext(ctx, text, args...)
}

// Close closes the connections, and what is prepared on them.
func (r *readers) Close() error { return r.db.Close() }
