package database

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// remembered is how many texts the connection that writes has in its memory.
func remembered(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	must(t, err)
	defer conn.Close()
	must(t, conn.Raw(func(c any) error {
		n = len(c.(*connection).texts)
		return nil
	}))
	return n
}

func things(t *testing.T) *sql.DB {
	t.Helper()
	db := file(t).Writer()
	_, err := db.Exec("CREATE TABLE things (n BIGINT PRIMARY KEY, name TEXT NOT NULL); INSERT INTO things VALUES (1, 'one'); INSERT INTO things VALUES (2, 'two')")
	must(t, err)
	return db
}

// A text that comes again is understood already; what is made up each time does not fill the
// memory.
func TestAConnectionRemembersTexts(t *testing.T) {
	db := things(t)
	before := remembered(t, db)
	for n := range 5 {
		var name string
		err := db.QueryRow("SELECT name FROM things WHERE n = $1", n).Scan(&name)
		if want := []string{"", "one", "two", "", ""}[n]; name != want {
			t.Errorf("%d is %q: %v", n, name, err)
		}
		if n > 2 {
			_, err := db.Exec("INSERT INTO things VALUES ($1, $2)", n, "more")
			must(t, err)
		}
	}
	if got := remembered(t, db) - before; got != 2 {
		t.Errorf("%d texts", got)
	}
	for i := range 2 * most {
		var n int
		must(t, db.QueryRow(fmt.Sprintf("SELECT n + %d FROM things WHERE n = $1", i), 1).Scan(&n))
		if n != i+1 {
			t.Errorf("%d: %d", i, n)
		}
	}
	if got := remembered(t, db); got != most {
		t.Errorf("%d texts", got)
	}
}

// Whoever still reads what a text has found can ask the same once more.
func TestATextWhoseRowsAreBeingRead(t *testing.T) {
	db := things(t)
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	defer func() { _ = tx.Rollback() }()
	const text = "SELECT n FROM things WHERE n >= $1 ORDER BY n"
	var pairs []string
	outer, err := tx.Query(text, 1)
	must(t, err)
	for outer.Next() {
		var a int
		must(t, outer.Scan(&a))
		inner, err := tx.Query(text, a)
		must(t, err)
		for inner.Next() {
			var b int
			must(t, inner.Scan(&b))
			pairs = append(pairs, fmt.Sprint(a, b))
		}
		must(t, inner.Close())
	}
	must(t, outer.Close())
	if got := strings.Join(pairs, ", "); got != "1 1, 1 2, 2 2" {
		t.Errorf("%s", got)
	}
}

// What goes wrong with a text leaves it usable, and one that means nothing is not remembered.
func TestErrorsLeaveTextsUsable(t *testing.T) {
	db := things(t)
	const add = "INSERT INTO things VALUES ($1, $2)"
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for n := 3; n < 6; n++ {
		if _, err := db.Exec(add, 1, "twice"); err == nil {
			t.Error("two things with one number")
		}
		if _, err := db.ExecContext(ended, add, n, "late"); err == nil {
			t.Error("after the end")
		}
		tx, err := db.Begin()
		must(t, err)
		_, err = tx.Exec(add, n, "undone")
		must(t, err)
		must(t, tx.Rollback())
		_, err = db.Exec(add, n, "there")
		must(t, err)
	}
	before := remembered(t, db)
	for range 2 {
		if _, err := db.Exec("INSERT INTO elsewhere VALUES ($1)", 1); err == nil || !strings.Contains(err.Error(), "no such table") {
			t.Errorf("%v", err)
		}
	}
	if got := remembered(t, db); got != before {
		t.Errorf("%d texts, and %d before", got, before)
	}
	var n int
	must(t, db.QueryRow("SELECT COUNT(*) FROM things WHERE name = $1", "there").Scan(&n))
	if n != 3 {
		t.Errorf("%d", n)
	}
}

// Tables that change under a text are seen by it.
func TestTablesThatChangeUnderAText(t *testing.T) {
	db := things(t)
	read := func() (columns []string) {
		rows, err := db.Query("SELECT * FROM things WHERE n = $1", 1)
		must(t, err)
		defer rows.Close()
		columns, err = rows.Columns()
		must(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			must(t, rows.Scan(values...))
		}
		must(t, rows.Err())
		return columns
	}
	read()
	_, err := db.Exec("ALTER TABLE things ADD COLUMN more TEXT")
	must(t, err)
	if got := read(); len(got) != 3 {
		t.Errorf("%v", got)
	}
}
