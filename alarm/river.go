package alarm

import (
	"context"
	"database/sql"
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
}

// way is what is different in databases.
type way[T any] struct {
	// join does something in a transaction that is open.
	join func(context.Context, *database.Tx, func(T) error) error
}

// poll is how often those who hear bells look although nobody has told them of one.
const poll = 10 * time.Second

// hearing is the driver for those who hear some kinds until the context ends.
func (r *river[T]) hearing(ctx context.Context, kinds []Kind) riverdriver.Driver[T] {
	return &peeking[T]{r.driver, r.db, kinds, r.db.Watch(ctx)}
}

// cooldown is the least time between two looks.
const cooldown = 50 * time.Millisecond

// clockOf makes the clock of a database.
func clockOf(db *database.DB) (clock, error) {
	if db.Kind() == database.PostgreSQL {
		return &river[pgx.Tx]{db, riverpgxv5.New(db.Pool()), way[pgx.Tx]{onPostgres}}, nil
	}
	return &river[*sql.Tx]{db, riversqlite.New(db.Writer()), way[*sql.Tx]{onSQLite}}, nil
}

func onSQLite(_ context.Context, tx *database.Tx, use func(*sql.Tx) error) error {
	return use(tx.File())
}

func onPostgres(ctx context.Context, tx *database.Tx, use func(pgx.Tx) error) error {
	return tx.Server(ctx, func(conn *pgx.Conn) error { return use(joined{conn}) })
}
