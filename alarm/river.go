package alarm

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/assent-dev/assent/internal/database"
)

// river is River on one kind of database, whose transactions are a T.
type river[T any] struct {
	db     *database.DB
	driver riverdriver.Driver[T]
	way[T]
	messages throttle
}

// way is what is different in databases.
type way[T any] struct {
	// join does something in a transaction that is open.
	join func(context.Context, *database.Tx, func(T) error) error
	// hearing is the driver for those who hear some kinds until the context ends.
	hearing func(context.Context, []Kind) riverdriver.Driver[T]
	// poll is how often those who hear bells look without a message.
	poll time.Duration
}

// cooldown is the least time between two looks.
const cooldown = 50 * time.Millisecond

// clockOf makes the clock of a database.
func clockOf(db *database.DB) (clock, error) {
	if db.Kind() == database.PostgreSQL {
		driver := riverpgxv5.New(db.Pool())
		itself := func(context.Context, []Kind) riverdriver.Driver[pgx.Tx] { return driver }
		return newRiver(db, driver, way[pgx.Tx]{onPostgres, itself, 500 * time.Millisecond}), nil
	}
	driver := riversqlite.New(db.Writer())
	peeks := func(ctx context.Context, kinds []Kind) riverdriver.Driver[*sql.Tx] {
		return &peeking{driver, db, kinds, db.Watch(ctx)}
	}
	return newRiver(db, driver, way[*sql.Tx]{onSQLite, peeks, 5 * time.Second}), nil
}

func newRiver[T any](db *database.DB, driver riverdriver.Driver[T], w way[T]) *river[T] {
	return &river[T]{db: db, driver: driver, way: w}
}

// message tells those who hear bells of a kind that there is one, where the database brings
// messages.
func (r *river[T]) message(kind Kind, now time.Time) []database.Change {
	if r.db.Kind() != database.PostgreSQL || !r.messages.due(kind, now) {
		return nil
	}
	return []database.Change{{Text: "SELECT pg_notify(concat(current_schema(), '.river_insert'), $1)", Args: []any{fmt.Sprintf(`{"queue": %q}`, kind)}}}
}

// throttle is when a message was last sent for each kind. One is enough for as long as those who
// hear bells wait between two looks.
type throttle struct {
	mu   sync.Mutex
	last map[Kind]time.Time
}

// due: a message is to be sent now.
func (t *throttle) due(kind Kind, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, sent := t.last[kind]; sent && now.Sub(last) < cooldown {
		return false
	}
	if t.last == nil {
		t.last = map[Kind]time.Time{}
	}
	t.last[kind] = now
	return true
}

func onSQLite(_ context.Context, tx *database.Tx, use func(*sql.Tx) error) error {
	return use(tx.File())
}

func onPostgres(ctx context.Context, tx *database.Tx, use func(pgx.Tx) error) error {
	return tx.Server(ctx, func(conn *pgx.Conn) error { return use(joined{conn}) })
}
