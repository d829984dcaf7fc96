package alarm

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	queue "github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"github.com/assent-dev/assent/internal/database"
)

// river is River on one kind of database, whose transactions are a T.
type river[T any] struct {
	db     *database.DB
	driver riverdriver.Driver[T]
	// inserts only puts bells in; whoever hears them has a client of their own.
	inserts *queue.Client[T]
	way[T]
}

// way is what is different in databases.
type way[T any] struct {
	// join does something in a transaction that is open.
	join func(*database.Tx, func(T) error) error
	// hearing is the driver for those who hear some kinds until the context ends.
	hearing func(context.Context, []Kind) riverdriver.Driver[T]
	// messages is how often, at most, who sets a bell sends others a message with it, and poll
	// how often those look without one.
	messages, poll time.Duration
}

// cooldown is the least time between two looks.
const cooldown = 50 * time.Millisecond

// clockOf makes the clock of a database.
func clockOf(db *database.DB) (clock, error) {
	if db.Kind() == database.PostgreSQL {
		driver := riverpgxv5.New(db.Pool())
		itself := func(context.Context, []Kind) riverdriver.Driver[pgx.Tx] { return driver }
		return newRiver(db, driver, way[pgx.Tx]{onPostgres, itself, cooldown, 500 * time.Millisecond})
	}
	driver := riversqlite.New(db.Writer())
	peeks := func(ctx context.Context, kinds []Kind) riverdriver.Driver[*sql.Tx] {
		return &peeking{driver, db, kinds, db.Watch(ctx)}
	}
	const never = 10 * 365 * 24 * time.Hour
	return newRiver(db, driver, way[*sql.Tx]{onSQLite, peeks, never, 5 * time.Second})
}

func newRiver[T any](db *database.DB, driver riverdriver.Driver[T], w way[T]) (*river[T], error) {
	inserts, err := queue.NewClient(driver, &queue.Config{
		Hooks:             []rivertype.Hook{queue.HookInsertBeginFunc(settle)},
		Logger:            slog.New(slog.DiscardHandler), // what goes wrong is the error of who sets a bell
		FetchCooldown:     w.messages,
		FetchPollInterval: max(w.messages, w.poll),
	})
	if err != nil {
		return nil, err
	}
	return &river[T]{db, driver, inserts, w}, nil
}

func onSQLite(tx *database.Tx, use func(*sql.Tx) error) error { return use(tx.Tx) }

func onPostgres(tx *database.Tx, use func(pgx.Tx) error) error {
	return tx.Raw(func(conn any) error {
		c, ok := conn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("a transaction of PostgreSQL is on a %T", conn)
		}
		return use(joined{c.Conn()})
	})
}
