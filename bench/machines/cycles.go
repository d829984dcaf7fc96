//go:build ignore

package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// rounds is how often each measure is taken. The turns are short: a machine that is shared is
// faster and slower by the second, and so hits all alike.
const rounds = 40

// cycles lets one worker, and then four, approve, claim and finish tickets as fast as they can,
// in turn with as many connections that commit one row each. Every worker has connections of
// its own. What is printed is the time for one of all of them, the median of the rounds.
func cycles(address string, n int) (map[string]int64, error) {
	dir, err := os.MkdirTemp("", "assent-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var workers []*place
	var rows []*sql.DB
	for range 4 {
		p, err := join(address, dir)
		if err != nil {
			return nil, err
		}
		defer p.close()
		db, err := sql.Open("pgx", address)
		if err != nil {
			return nil, err
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		workers, rows = append(workers, p), append(rows, db)
	}
	ctx := context.Background()
	if _, err := rows[0].ExecContext(ctx, "CREATE TABLE rows (id BIGSERIAL PRIMARY KEY, text TEXT NOT NULL)"); err != nil {
		return nil, err
	}
	took := map[string][]time.Duration{}
	for range rounds {
		for _, several := range []int{1, 4} {
			tickets, err := park(ctx, workers[0].tickets, several, n)
			if err != nil {
				return nil, err
			}
			cycle, err := together(several, n, func(worker, i int) error { return cycle(ctx, workers[worker].tickets, tickets[worker][i]) })
			if err != nil {
				return nil, err
			}
			commit, err := together(several, 3*n, func(worker, _ int) error { return commit(ctx, rows[worker]) })
			if err != nil {
				return nil, err
			}
			took[fmt.Sprint("cycle", several)] = append(took[fmt.Sprint("cycle", several)], cycle)
			took[fmt.Sprint("commit", several)] = append(took[fmt.Sprint("commit", several)], commit)
		}
	}
	found := map[string]int64{}
	for name, all := range took {
		found[name] = at(all, 0.5)
	}
	return found, nil
}

// together lets several do something so often each, at once, and is the time for one of all.
func together(several, n int, do func(worker, i int) error) (time.Duration, error) {
	done := make(chan error, several)
	began := time.Now()
	for worker := range several {
		go func() {
			var err error
			for i := 0; i < n && err == nil; i++ {
				err = do(worker, i)
			}
			done <- err
		}()
	}
	var first error
	for range several {
		if err := <-done; err != nil && first == nil {
			first = err
		}
	}
	return time.Since(began) / time.Duration(several*n), first
}

// park makes so many tickets for each of several workers.
func park(ctx context.Context, store *approval.Store, several, n int) ([][]approval.Ticket, error) {
	all := make([][]approval.Ticket, several)
	for worker := range all {
		for i := range n {
			call := approval.Call{Session: session.NewID(), ToolUseID: fmt.Sprint("toolu_", i), Tool: "Bash", Input: []byte(`{"command":"echo done"}`), Cwd: "/"}
			t, err := store.Park(ctx, approval.Parking{Call: call, By: "bench"})
			if err != nil {
				return nil, err
			}
			all[worker] = append(all[worker], t)
		}
	}
	return all, nil
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

// commit is the least that a change costs: one row in a transaction.
func commit(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "INSERT INTO rows (text) VALUES ($1)", "one row"); err != nil {
		return err
	}
	return tx.Commit()
}
