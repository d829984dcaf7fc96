package alarm

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"testing"
	"time"

	queue "github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/assent-dev/assent/internal/database"
)

// A bell is the row that River itself would write, for now and for later.
func TestABellIsTheRowOfRiver(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		for _, later := range []time.Duration{0, 2 * soon} {
			bell := Bell{Kind: "look", Ticket: fmt.Sprint("é\"\\ ", later), Arg: "arg", Try: 3}
			options := &queue.InsertOpts{Queue: string(bell.Kind), MaxAttempts: tries}
			if later > 0 {
				bell.At = time.Now().Add(later)
				options.ScheduledAt = bell.At
			}
			if err := insertByRiver(t.Context(), b.db, due{bell.Ticket, bell.Arg, bell.Try}, options); err != nil {
				t.Fatal(err)
			}
			b.set(bell)
			rows := rowsOf(t, b.db)
			if len(rows) != 2 || !reflect.DeepEqual(rows[0], rows[1]) {
				t.Errorf("River writes %v, and we %v", rows[0], rows[1:])
			}
			if _, err := b.db.Writer().Exec("DELETE FROM river_job"); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// insertByRiver lets River's own client put a job in.
func insertByRiver(ctx context.Context, db *database.DB, args due, options *queue.InsertOpts) (err error) {
	if db.Kind() == database.PostgreSQL {
		client, err := queue.NewClient(riverpgxv5.New(db.Pool()), &queue.Config{})
		if err == nil {
			_, err = client.Insert(ctx, args, options)
		}
		return err
	}
	client, err := queue.NewClient(riversqlite.New(db.Writer()), &queue.Config{})
	if err == nil {
		_, err = client.Insert(ctx, args, options)
	}
	return err
}

// rowsOf are the jobs as texts, without what is different in each: their numbers, and the key
// that keeps others out, which is ours. River writes a word of its own into metadata on SQLite.
// Times are as near as a second.
func rowsOf(t *testing.T, db *database.DB) (all [][]string) {
	t.Helper()
	text := "json(%s)"
	if db.Kind() == database.PostgreSQL {
		text = "%s::text"
	}
	columns := fmt.Sprintf("%s, attempt, kind, max_attempts, priority, queue, state, %s, finalized_at, attempted_at, attempted_by, errors, created_at, scheduled_at",
		fmt.Sprintf(text, "args"), fmt.Sprintf(text, "tags"))
	rows, err := db.Reads().QueryContext(t.Context(), "SELECT "+columns+" FROM river_job ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row := make([]sql.NullString, 12)
		var created, scheduled time.Time
		into := []any{}
		for i := range row {
			into = append(into, &row[i])
		}
		if err := rows.Scan(append(into, &created, &scheduled)...); err != nil {
			t.Fatal(err)
		}
		one := []string{fmt.Sprint(time.Since(created).Round(10 * time.Second)), fmt.Sprint(time.Until(scheduled).Round(10 * time.Second))}
		for _, column := range row {
			one = append(one, fmt.Sprint(column.Valid, " ", column.String))
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
