package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Connect opens a database of PostgreSQL by its address, postgres://USER@HOST/NAME. A server
// that is being started is waited for a moment. One on another machine has to be asked for TLS, by
// sslmode, or named by insecure_no_tls. The error is an [*Unusable].
func Connect(ctx context.Context, address string) (*DB, error) {
	name := Shown(address)
	if !IsAddress(address) {
		return nil, &Unusable{name, errors.New("it is no address of PostgreSQL (" + howToWrite + ")")}
	}
	address, allowed := takeAllowed(address)
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, &Unusable{name, unreadable(address, err)}
	}
	encryption, err := protection(&config.ConnConfig.Config, allowed)
	if err != nil {
		return nil, &Unusable{name, err}
	}
	config.ConnConfig.RuntimeParams["application_name"] = "assent"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, 5*time.Second)
	if !namesMost(address) { // otherwise it would be as many as there are cores
		config.MaxConns = usualMost
	}
	config.AfterConnect = agree
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, &Unusable{name, err}
	}
	if err := whileAway(ctx, atFirst, func() error { return pool.Ping(ctx) }); err != nil {
		pool.Close()
		return nil, &Unusable{name, err}
	}
	return &DB{kind: PostgreSQL, name: name, encryption: encryption, db: openServer(pool), pool: pool, news: startTelling(pool)}, nil
}

// usualMost is how many connections a process has at most, unless the address says otherwise.
const usualMost = 8

// namesMost: the address says how many connections there may be.
func namesMost(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Query().Has("pool_max_conns")
}

// agree sets what is relied on, whatever this server, database or role has by itself. A transaction
// sees what others have changed before it had the lock that it waited for. How long something may
// take is for whoever waits for it to say; not every version of the server knows all of these
// limits. The server notices that a machine is gone: what it had begun to change is free again
// within seconds, and not when the network gives up, which takes hours.
func agree(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.PgConn().Exec(ctx, `SET default_transaction_isolation = 'read committed';
		SELECT set_config(name, '0', false) FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout']) AS name
			WHERE current_setting(name, true) IS NOT NULL;
		SET idle_in_transaction_session_timeout = '10s';
		SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4`).ReadAll()
	return err
}

// A server that cannot be reached is waited for: away is as long as it takes to start it
// again, and atFirst is for who has never reached it, and may have the wrong address.
const away, atFirst = 10 * time.Second, 2 * time.Second

// whileAway does something again until it works, as long as the server is away.
func whileAway(ctx context.Context, patience time.Duration, do func() error) error {
	const pause = 100 * time.Millisecond
	end := time.Now().Add(patience)
	for {
		err := do()
		if err == nil || !unreachable(err) && !starting(err) || time.Now().After(end) {
			return err
		}
		if pauseFor(ctx, pause) != nil {
			return err
		}
	}
}

// patient reads from a server, also from one that is being restarted.
type patient struct{ db *sql.DB }

func (p patient) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	err = whileAway(ctx, away, func() error {
		rows, err = p.db.QueryContext(ctx, query, args...)
		return err
	})
	return rows, err
}

func (p patient) QueryRowContext(ctx context.Context, query string, args ...any) (row *sql.Row) {
	_ = whileAway(ctx, away, func() error {
		row = p.db.QueryRowContext(ctx, query, args...)
		return row.Err()
	}) // the row has the error
	return row
}

// IsAddress reports whether a text is an address of PostgreSQL.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// Shown is an address as people may see it: without password and without parameters.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || !IsAddress(address) {
		return "the database"
	}
	shown := fmt.Sprintf("%s://", u.Scheme)
	if user := u.User.Username(); user != "" {
		shown += user + "@"
	}
	return shown + u.Host + u.Path
}
