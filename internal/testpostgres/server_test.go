package testpostgres

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { Main(m) }

// one reads a number from a database.
func one(t *testing.T, address, query string) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var n int
	if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Each test has a database for itself.
func TestDatabasesAreApart(t *testing.T) {
	first, second := Database(t), Database(t)
	one(t, first, "SELECT 1 FROM (SELECT 1) AS x")
	conn, err := pgx.Connect(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE things (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	const tables = "SELECT COUNT(*) FROM pg_tables WHERE tablename = 'things'"
	if a, b := one(t, first, tables), one(t, second, tables); a != 1 || b != 0 {
		t.Errorf("%d and %d", a, b)
	}
}

// What was acknowledged is there after a crash.
func TestAServerThatIsKilledComesAgain(t *testing.T) {
	s := Start(t, Quick)
	address := s.Database(t)
	one(t, address, "SELECT 1")
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "CREATE TABLE things (n INTEGER); INSERT INTO things VALUES (7)"); err != nil {
		t.Fatal(err)
	}
	s.Kill(t)
	if err := conn.Ping(t.Context()); err == nil {
		t.Error("it still answers")
	}
	s.Again(t)
	if n := one(t, address, "SELECT n FROM things"); n != 7 {
		t.Errorf("%d", n)
	}
}

// The clock of a server goes as a test sets it, also after a crash.
func TestAClockThatSteps(t *testing.T) {
	s := StartStepping(t, Quick)
	address := s.Database(t)
	const ahead = "SELECT round(extract(epoch FROM clock_timestamp()) - %d)::int"
	off := func() int { return one(t, address, fmt.Sprintf(ahead, time.Now().Unix())) }
	for _, by := range []time.Duration{0, time.Hour, -time.Hour, 5 * time.Second} {
		s.Step(t, by)
		if got := off() - int(by.Seconds()); got < -60 || got > 60 { // the machine may be busy
			t.Errorf("%s: it is %d s off", by, got)
		}
	}
	s.Step(t, time.Hour)
	s.Kill(t)
	s.Again(t)
	if got := off(); got < 3500 {
		t.Errorf("after a crash it is only %d s ahead", got)
	}
}
