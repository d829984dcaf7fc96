package alarm

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// A bell is there if its transaction is committed, and only then.
func TestSetBelongsToTheTransaction(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		no := errors.New("no")
		err := b.db.Within(t.Context(), func(tx *database.Tx) error {
			if err := b.Set(t.Context(), tx, Bell{Kind: "look", Ticket: "undone"}); err != nil {
				return err
			}
			return no
		})
		if !errors.Is(err, no) {
			t.Fatal(err)
		}
		b.pending()
		b.set(Bell{Kind: "look", Ticket: "kept", Arg: "é\"\\"}, Bell{Kind: "tell", Ticket: "kept"})
		b.pending(Count{"look", Waiting, 1}, Count{"tell", Waiting, 1})
		b.work(b.done)
		got := map[Kind]Bell{}
		for range 2 {
			it := b.next(5 * time.Second)
			got[it.Kind] = it
		}
		if it := got["look"]; it.Ticket != "kept" || it.Arg != "é\"\\" || it.Try != 0 {
			t.Errorf("%+v", it)
		}
		b.silent()
	})
}

// The transaction of the caller goes on after a bell was set: nothing of it was ended.
func TestSetLeavesTheTransactionOpen(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		err := b.db.Within(t.Context(), func(tx *database.Tx) error {
			if _, err := tx.ExecContext(t.Context(), "CREATE TABLE things (n BIGINT)"); err != nil {
				return err
			}
			for n := range 3 {
				if err := b.Set(t.Context(), tx, Bell{Kind: "look", Ticket: "same"}, Bell{Kind: "look", Ticket: "same", At: time.Now().Add(time.Hour)}); err != nil {
					return err
				}
				if _, err := tx.ExecContext(t.Context(), "INSERT INTO things VALUES ($1)", n); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := b.db.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM things").Scan(&n); err != nil || n != 3 {
			t.Errorf("%d, %v", n, err)
		}
		b.pending(Count{"look", Waiting, 1})
	})
}

// One of several bells that are the same waits, until the earliest of their times.
func TestTheEarliestOfTheSameBellsRings(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		day := time.Now().Add(24 * time.Hour)
		b.set(Bell{Kind: "look", Ticket: "a", At: day})
		b.set(Bell{Kind: "look", Ticket: "a", At: day.Add(time.Hour)})
		b.set(Bell{Kind: "look", Ticket: "a", Arg: "other", At: day})
		b.pending(Count{"look", Waiting, 2})
		b.work(b.done)
		soonest := time.Now().Add(time.Second)
		b.set(Bell{Kind: "look", Ticket: "a", At: soonest})
		if it := b.next(5 * time.Second); it.Arg != "" || time.Now().Before(soonest.Add(-10*time.Millisecond)) {
			t.Errorf("%+v", it)
		}
		b.set(Bell{Kind: "look", Ticket: "a", Arg: "other"})
		if it := b.next(5 * time.Second); it.Arg != "other" {
			t.Errorf("%+v", it)
		}
		b.silent()
	})
}

// While a bell is heard, the same one may be set: whoever hears it may have looked before.
func TestABellThatIsHeardKeepsNoOtherOut(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		goOn := make(chan struct{})
		b.work(func(ctx context.Context, it Bell) Outcome {
			b.heard <- it
			<-goOn
			return Again{After: 20 * time.Millisecond}
		})
		b.set(Bell{Kind: "look", Ticket: "a"})
		b.next(5 * time.Second)
		b.set(Bell{Kind: "look", Ticket: "a", Arg: ""})
		b.next(5 * time.Second) // the second, while the first is still heard
		close(goOn)
		b.next(5 * time.Second) // both want to be heard again, which is one bell
	})
}

// Many who set the same bells at the same time do not get into each other's way.
func TestManySetTheSameBells(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		var all sync.WaitGroup
		for n := range 8 {
			all.Go(func() {
				one, two := Bell{Kind: "look", Ticket: "one"}, Bell{Kind: "look", Ticket: "two"}
				if n%2 == 0 {
					one, two = two, one
				}
				for range 10 {
					if err := b.db.Within(t.Context(), func(tx *database.Tx) error { return b.Set(t.Context(), tx, one, two) }); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		b.pending(Count{"look", Waiting, 2})
	})
}

// What cannot be kept is refused before it reaches the transaction.
func TestSetRefuses(t *testing.T) {
	each(t, func(t *testing.T, address string) {
		b := on(t, address)
		for _, bad := range []struct {
			bell Bell
			want string
		}{
			{Bell{Ticket: "a"}, "no kind"},
			{Bell{Kind: "a b", Ticket: "a"}, "no kind"},
			{Bell{Kind: Kind(strings.Repeat("a", 65)), Ticket: "a"}, "no kind"},
			{Bell{Kind: "look"}, "names no ticket"},
			{Bell{Kind: "look", Ticket: "a\x00"}, "cannot be kept"},
			{Bell{Kind: "look", Ticket: "a\xff"}, "cannot be kept"},
			{Bell{Kind: "look", Ticket: "a", Arg: strings.Repeat("a", 1025)}, "cannot be kept"},
		} {
			err := b.db.Within(t.Context(), func(tx *database.Tx) error {
				err := b.Set(t.Context(), tx, bad.bell)
				if err == nil || !strings.Contains(err.Error(), bad.want) {
					t.Errorf("%+v: %v", bad.bell, err)
				}
				return b.Set(t.Context(), tx, Bell{Kind: "look", Ticket: "good"})
			})
			if err != nil {
				t.Errorf("%+v: %v", bad.bell, err)
			}
		}
		b.pending(Count{"look", Waiting, 1})
	})
}
