package database

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// All of a transaction happens or nothing, and what one has read to change it nobody else
// changes meanwhile.
func TestA5_TransactionsOfMany(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		refused := errors.New("no")
		err := d.Within(t.Context(), func(tx *Tx) error {
			_, err := tx.ExecContext(t.Context(), "INSERT INTO things (id, n) VALUES ($1, $2)", "x", 1)
			return errors.Join(err, refused)
		})
		if !errors.Is(err, refused) {
			t.Errorf("%v", err)
		}
		const many, each = 8, 20
		add := func(d *DB, id string) error {
			return d.Within(t.Context(), func(tx *Tx) error {
				if err := tx.Alone(t.Context(), id); err != nil {
					return err
				}
				var n int
				err := tx.QueryRowContext(t.Context(), "SELECT n FROM things WHERE id = $1"+tx.ToChange(), id).Scan(&n)
				if err != nil {
					_, err = tx.ExecContext(t.Context(), "INSERT INTO things (id, n) VALUES ($1, 1)", id)
					return err
				}
				_, err = tx.ExecContext(t.Context(), "UPDATE things SET n = $1 WHERE id = $2", n+1, id)
				return err
			})
		}
		other := opened(t, open)
		var all sync.WaitGroup
		for i := range many {
			all.Go(func() {
				for n := range each {
					if err := add([]*DB{d, other}[i%2], fmt.Sprint(n)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		var rows, sum int
		must(t, d.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*), CAST(SUM(n) AS BIGINT) FROM things").Scan(&rows, &sum))
		if rows != each || sum != many*each {
			t.Errorf("%d rows, %d in all", rows, sum)
		}
	})
}

// Two who wait for each other are begun anew.
func TestA5_WhoWaitsForEachOther(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		_, err := d.Writer().Exec("INSERT INTO things (id, n) VALUES ('a', 0), ('b', 0)")
		must(t, err)
		var all sync.WaitGroup
		for i := range 2 {
			all.Go(func() {
				ids := []string{"a", "b"}
				err := d.Within(t.Context(), func(tx *Tx) error {
					for _, id := range []string{ids[i], ids[1-i]} {
						if _, err := tx.ExecContext(t.Context(), "UPDATE things SET n = n + 1 WHERE id = $1", id); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		var sum int
		must(t, d.Reads().QueryRowContext(t.Context(), "SELECT CAST(SUM(n) AS BIGINT) FROM things").Scan(&sum))
		if sum != 4 {
			t.Errorf("%d", sum)
		}
	})
}

// Rows that somebody else means to change are left out by whoever does not want to wait.
func TestA5_RowsThatSomebodyElseHolds(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		_, err := d.Writer().Exec("INSERT INTO things (id, n) VALUES ('a', 0), ('b', 0)")
		must(t, err)
		count := func(tx *Tx) (n int) {
			rows, err := tx.QueryContext(t.Context(), "SELECT id FROM things WHERE n >= $1"+tx.ToChangeFree(), 0)
			must(t, err)
			defer rows.Close()
			for rows.Next() {
				n++
			}
			return n
		}
		must(t, d.Within(t.Context(), func(tx *Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE things SET n = 1 WHERE id = $1", "a")
			must(t, err)
			if d.Kind() == SQLite { // there nobody else can want that
				return nil
			}
			return d.Within(t.Context(), func(second *Tx) error {
				if n := count(second); n != 1 {
					t.Errorf("%d rows are free", n)
				}
				return nil
			})
		}))
		must(t, d.Within(t.Context(), func(tx *Tx) error {
			if n := count(tx); n != 2 {
				t.Errorf("%d rows are free", n)
			}
			return nil
		}))
	})
}

// Whoever watches is told when somebody else has changed something.
func TestA5_NewsForOthers(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d, other := opened(t, open), opened(t, open)
		must(t, d.Install(t.Context(), someTables))
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		news := other.Watch(ctx)
		for n := range 3 {
			must(t, d.Within(t.Context(), func(tx *Tx) error {
				tx.News()
				_, err := tx.ExecContext(t.Context(), "INSERT INTO things (id, n) VALUES ($1, $2)", fmt.Sprint(n), n)
				return err
			}))
			for found := -1; found < n; {
				select {
				case <-news:
					must(t, other.Reads().QueryRowContext(t.Context(), "SELECT MAX(n) FROM things").Scan(&found))
				case <-ctx.Done():
					t.Fatal("nobody was told")
				}
			}
		}
	})
}

// A change that ends as the database is closed harms nobody.
func TestA5_NewsWhileItIsClosed(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		for range 5 {
			d, err := open()
			must(t, err)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for d.Within(t.Context(), func(tx *Tx) error { tx.News(); return nil }) == nil {
					}
				})
			}
			must(t, d.Close())
			all.Wait()
		}
	})
}

// A machine that is cut off in the middle of a change must not keep others from theirs for as
// long as the network takes to give up.
func TestD8_TheServerNoticesWhoIsGone(t *testing.T) {
	db, err := Connect(t.Context(), testpostgres.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	var patience string
	if err := db.Reads().QueryRowContext(t.Context(), "SHOW idle_in_transaction_session_timeout").Scan(&patience); err != nil || patience != "10s" {
		t.Errorf("%q, %v", patience, err)
	}
}

// Who waits for a lock sees what was changed meanwhile, also where the database would show every
// transaction one moment only.
func TestA5_ATransactionSeesWhatItHasWaitedFor(t *testing.T) {
	address := testpostgres.Database(t)
	first, err := Connect(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { _ = first.Close() })
	must(t, first.Within(t.Context(), func(tx *Tx) error {
		var name string
		if err := tx.QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name); err != nil {
			return err
		}
		_, err := tx.ExecContext(t.Context(), "ALTER DATABASE "+name+" SET default_transaction_isolation = 'repeatable read'")
		return err
	}))
	db, err := Connect(t.Context(), address) // with new connections, for which that counts
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	must(t, db.Within(t.Context(), func(tx *Tx) error {
		var level string
		err := tx.QueryRowContext(t.Context(), "SHOW transaction_isolation").Scan(&level)
		if level != "read committed" {
			t.Errorf("a transaction is %q", level)
		}
		return err
	}))
	var byDefault string
	if err := db.Pool().QueryRow(t.Context(), "SHOW default_transaction_isolation").Scan(&byDefault); err != nil || byDefault != "read committed" {
		t.Errorf("others are %q, %v", byDefault, err)
	}
}

// A process has as many connections as the documentation says, however many cores there are.
func TestConnectionsOfAProcess(t *testing.T) {
	address := testpostgres.Database(t)
	u, err := url.Parse(address)
	must(t, err)
	asked := u.Query()
	asked.Set("pool_max_conns", "3")
	u.RawQuery = asked.Encode()
	for address, want := range map[string]int32{address: usualMost, u.String(): 3} {
		db, err := Connect(t.Context(), address)
		must(t, err)
		if got := db.Pool().Config().MaxConns; got != want {
			t.Errorf("%d connections, want %d", got, want)
		}
		must(t, db.Close())
	}
}
