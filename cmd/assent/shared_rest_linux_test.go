package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/assent-dev/assent/internal/testpostgres"
)

// ready starts a process that stays, and waits until it says so.
func (m machine) ready(word string, args ...string) {
	m.t.Helper()
	w := m.start(m.env(databaseVariable+"="+m.database), args...)
	for end := time.Now().Add(20 * time.Second); !strings.Contains(w.stderr.String(), word); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Fatalf("%q does not become ready: %s", args, w.stderr)
		}
	}
	m.t.Cleanup(func() { _ = w.cmd.Process.Signal(syscall.SIGTERM); <-w.ended })
}

// brought are the sessions of which a machine has something.
func (m machine) brought() []string {
	m.t.Helper()
	entries, err := os.ReadDir(filepath.Join(m.state(), "sessions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// statements is how many of them a database is asked in some time, once those who have just come are at
// rest.
func statements(t *testing.T, address string, span time.Duration) (n float64, which string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	time.Sleep(5 * time.Second)
	if _, err := conn.Exec(t.Context(), "CREATE EXTENSION IF NOT EXISTS pg_stat_statements; SELECT pg_stat_statements_reset()"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(span)
	if err := conn.QueryRow(t.Context(), "SELECT COALESCE(SUM(calls), 0)::float8, string_agg(calls || ' ' || left(query, 200), E'\\n' ORDER BY calls DESC) FROM pg_stat_statements").Scan(&n, &which); err != nil {
		t.Fatal(err)
	}
	return n, which
}

// untilBlocked waits until somebody waits for what a transaction has locked.
func untilBlocked(t *testing.T, tx pgx.Tx) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var waiting int
		if err := tx.QueryRow(t.Context(), "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
		if waiting > 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("nobody waits for what is locked")
		}
	}
}

// A machine that has just come fetches nothing of the sessions that it does not work on: those that have
// ended, those that wait for an answer, and those that ask for something that it does not have. Whoever
// looks at them, at what waits and at a call fetches nothing either. At rest each process asks the
// database a few times a second, whatever waits.
func TestS26_NothingComesThatNobodyWorksOn(t *testing.T) {
	t.Parallel()
	server := testpostgres.Start(t, testpostgres.Quick, "shared_preload_libraries=pg_stat_statements")
	all := machines(t, 3)
	for i := range all {
		all[i].database = server.Address("postgres")
	}
	at, looks, works := all[0], all[1], all[2]
	labelled, done := strings.Replace(chosenID, "1", "2", 1), strings.Replace(chosenID, "1", "3", 1)
	at.parks(chosenID, "touch one")
	at.parks(labelled, "touch two", "--labels", "gpu")
	if _, complained, status := at.says("-p", "--session-id", done, "--model", at.playing("done.yaml", "turns: []\nafterwards: Done.\n"), "hello"); status != 0 {
		t.Fatal(complained)
	}
	for _, args := range [][]string{{"inbox", "--once"}, {"sessions", "list"}, {"sessions", "list", "--all"}, {"sessions", "show", chosenID}, {"sessions", "show", done}} {
		said, complained, status := looks.says(args...)
		if status != 0 || !strings.Contains(said, "one") && !strings.Contains(said, done) {
			t.Errorf("%q: exit status %d, %s%s", args, status, said, complained)
		}
	}
	token := filepath.Join(looks.home, "token")
	if err := os.WriteFile(token, []byte(strings.Repeat("0123456789-", 4)), 0o600); err != nil {
		t.Fatal(err)
	}
	looks.ready("the inbox is open", "serve", "--no-resume", "--listen", "127.0.0.1:0", "--token-file", token)
	works.ready("the worker is ready", "worker", "--", "--model", works.playing("end.yaml", "turns: []\nafterwards: Done.\n"))
	const span = 20 * time.Second
	if n, which := statements(t, looks.database, span); n > 2*5*span.Seconds() {
		t.Errorf("%.0f statements in %v:\n%s", n, span, which)
	}
	if a, b := looks.brought(), works.brought(); len(a)+len(b) != 0 {
		t.Errorf("who only looks has %q, and a worker that does nothing %q", a, b)
	}
}

// Somebody who looks what waits can stop that at any moment, also while the database does not answer.
func TestS26_AnInboxEndsAtOnce(t *testing.T) {
	t.Parallel()
	m := machines(t, 1)[0]
	m.parks(chosenID, "touch one")
	conn, err := pgx.Connect(t.Context(), m.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, table := range []string{"depot_outlines", "tickets"} {
		tx, err := conn.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), "LOCK TABLE "+table); err != nil {
			t.Fatal(err)
		}
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			for what, start := range map[string]func() (*os.Process, <-chan error){
				"live": func() (*os.Process, <-chan error) {
					y := m.sit(m.env(databaseVariable+"="+m.database), "inbox")
					return y.cmd.Process, y.ended
				},
				"once": func() (*os.Process, <-chan error) {
					w := m.start(m.env(databaseVariable+"="+m.database), "inbox")
					return w.cmd.Process, w.ended
				},
				"sessions list": func() (*os.Process, <-chan error) {
					w := m.start(m.env(databaseVariable+"="+m.database), "sessions", "list")
					return w.cmd.Process, w.ended
				},
			} {
				process, ended := start()
				untilBlocked(t, tx)
				began := time.Now()
				if err := process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				select {
				case <-ended:
				case <-time.After(20 * time.Second):
				}
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("%s, %v, with %s locked: it ends after %v", what, signal, table, took)
				}
			}
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
