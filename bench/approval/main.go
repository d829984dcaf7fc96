//go:build ignore

// Command approval approves tickets, in turn with commits of one row, and prints the
// medians in nanoseconds: approval DIRECTORY NUMBER
//
// It is built from the directory above this module, by the name of its file: the database
// is a dependency of the program, and should not become one of the other comparisons.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/assent-dev/assent/approval"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "approval:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: approval DIRECTORY NUMBER")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 1 {
		return errors.New("the number must be above 0")
	}
	ctx := context.Background()
	store, err := approval.Open(filepath.Join(args[0], "state"))
	if err != nil {
		return err
	}
	defer store.Close()
	db, err := openRows(ctx, filepath.Join(args[0], "rows.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	tickets, err := park(ctx, store, n)
	if err != nil {
		return err
	}
	var approvals, commits []time.Duration
	for i, t := range tickets {
		began := time.Now()
		if _, err := store.Approve(ctx, t.ID, t.Digest, "ann", "go ahead", nil); err != nil {
			return err
		}
		approvals = append(approvals, time.Since(began))
		began = time.Now()
		if err := commit(ctx, db, i); err != nil {
			return err
		}
		commits = append(commits, time.Since(began))
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]int64{"approval": median(approvals), "commit": median(commits)})
}

func median(all []time.Duration) int64 {
	slices.Sort(all)
	return all[len(all)/2].Nanoseconds()
}

// park makes tickets that wait.
func park(ctx context.Context, store *approval.Store, n int) ([]approval.Ticket, error) {
	tickets := make([]approval.Ticket, n)
	for i := range tickets {
		var err error
		if tickets[i], err = store.Park(ctx, approval.Parking{By: "bench", Call: approval.Call{
			Session: "11111111-1111-4111-8111-111111111111", ToolUseID: fmt.Sprint("toolu_", i), Tool: "Bash",
			Input: []byte(`{"command":"make deploy","description":"Deploy it"}`), Cwd: "/home/dev/app",
		}}); err != nil {
			return nil, err
		}
	}
	return tickets, nil
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
