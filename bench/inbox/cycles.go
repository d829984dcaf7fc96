//go:build ignore

package main

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// cycles approves, claims and finishes tickets, in turn with commits of one row each.
func cycles(p *place, n int) (map[string]int64, error) {
	ctx := context.Background()
	db, err := openRows(ctx, filepath.Join(p.home, "rows.db"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var tickets []approval.Ticket
	for i := range n {
		t, err := p.tickets.Park(ctx, approval.Parking{Call: p.call(session.NewID(), i), By: "bench"})
		if err != nil {
			return nil, err
		}
		tickets = append(tickets, t)
	}
	var cycles, commits []time.Duration
	for i, t := range tickets {
		began := time.Now()
		if err := cycle(ctx, p.tickets, t); err != nil {
			return nil, err
		}
		cycles = append(cycles, time.Since(began))
		for k := range 3 {
			began = time.Now()
			if err := commit(ctx, db, 3*i+k); err != nil {
				return nil, err
			}
			commits = append(commits, time.Since(began))
		}
	}
	return map[string]int64{"cycle": at(cycles, 0.5), "commit": at(commits, 0.5)}, nil
}

func cycle(ctx context.Context, store *approval.Store, t approval.Ticket) error {
	if _, err := store.Approve(ctx, t.ID, t.Digest, "ann", "go ahead", nil); err != nil {
		return err
	}
	fence, err := store.Claim(ctx, t.ID, t.Call, nil, "bench")
	if err != nil {
		return err
	}
	return store.Finish(ctx, t.ID, fence, true, "")
}

// openRows opens a database as the store of tickets opens its own.
func openRows(ctx context.Context, path string) (*sql.DB, error) {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"}}
	db, err := sql.Open("sqlite", "file:"+path+"?"+q.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(ctx, "CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
	return db, err
}

// commit is the least that a change costs: one row in a transaction.
func commit(ctx context.Context, db *sql.DB, i int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO rows (id, text) VALUES ($1, $2)", i, "one row"); err != nil {
		return err
	}
	return tx.Commit()
}
