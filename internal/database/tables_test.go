package database

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

var someTables = Tables{Name: "some", Steps: []string{
	"CREATE TABLE things ({rowid} id {word} PRIMARY KEY, n BIGINT NOT NULL, raw {bytes}); CREATE TABLE log (serial {serial}, what TEXT NOT NULL)",
	"ALTER TABLE things ADD COLUMN more TEXT NOT NULL DEFAULT ''",
}}

// Tables are made once, however many start at the same time, and brought forward.
func TestA5_TablesAreMadeStepByStep(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		first := someTables
		first.Steps = first.Steps[:1]
		var all sync.WaitGroup
		for range 4 {
			d := opened(t, open)
			all.Go(func() {
				if err := d.Install(t.Context(), first); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		d := opened(t, open)
		_, err := d.Writer().Exec("INSERT INTO things (id, n) VALUES ($1, $2)", "a", 1)
		must(t, err)
		if err := d.Check(t.Context(), someTables); err == nil {
			t.Error("one step is missing")
		}
		must(t, d.Install(t.Context(), someTables))
		must(t, d.Check(t.Context(), someTables))
		var more string
		must(t, d.Reads().QueryRowContext(t.Context(), "SELECT more FROM things WHERE id = $1", "a").Scan(&more))
		var newer *Newer
		if err := d.Install(t.Context(), first); !errors.As(err, &newer) || newer.Found != 2 || newer.Known != 1 {
			t.Errorf("%v", err)
		}
		other := someTables
		other.Steps = []string{other.Steps[0] + " ", other.Steps[1]}
		var unusable *Unusable
		if err := d.Install(t.Context(), other); !errors.As(err, &unusable) || !strings.Contains(err.Error(), "another build") {
			t.Errorf("%v", err)
		}
	})
}

// Of a step that fails nothing is left.
func TestA5_AStepThatFails(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		bad := someTables
		bad.Steps = []string{someTables.Steps[0], "CREATE TABLE more (n BIGINT); CREATE TABLE things (n BIGINT)"}
		if err := d.Install(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "step 2 of the tables of some") {
			t.Errorf("%v", err)
		}
		must(t, d.Install(t.Context(), someTables))
		must(t, d.Try(t.Context()))
	})
}

// Tables of before are adopted: the steps that they have gone through are not done again.
func TestA5_TablesOfBefore(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		d := opened(t, open)
		_, err := d.Writer().Exec("CREATE TABLE things (id TEXT PRIMARY KEY, n BIGINT NOT NULL); INSERT INTO things VALUES ('a', 1)")
		must(t, err)
		old := someTables
		refused := errors.New("much too old")
		old.Adopt = func(context.Context, *Tx) (int, error) { return 0, refused }
		if err := d.Install(t.Context(), old); !errors.Is(err, refused) {
			t.Errorf("%v", err)
		}
		old.Adopt = func(context.Context, *Tx) (int, error) { return 1, nil }
		must(t, d.Install(t.Context(), old))
		old.Adopt = func(context.Context, *Tx) (int, error) { return 0, refused } // nobody asks again
		must(t, d.Install(t.Context(), old))
		var n int
		must(t, d.Reads().QueryRowContext(t.Context(), "SELECT n FROM things WHERE more = $1", "").Scan(&n))
	})
}
