package voice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/people"
)

// counted is a querier that counts how often all people, or all accounts, are read.
type counted struct {
	database.Querier
	people, accounts int
}

func (q *counted) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	switch {
	case strings.Contains(query, "FROM people p ORDER BY"):
		q.people++
	case strings.Contains(query, "FROM people_accounts"):
		q.accounts++
	}
	return q.Querier.QueryContext(ctx, query, args...)
}

// A list has many calls, each of which others wanted. Whoever looks at it reads everybody once, and
// hears of each call what an answer to it would be told.
func TestA4_AListReadsEverybodyOnce(t *testing.T) {
	db, err := database.OpenFile(t.TempDir() + "/people.db")
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	store, err := people.On(t.Context(), db)
	must(t, err)
	operator := people.Operator("root@vm")
	for name, email := range map[string]string{"abe": "abe@corp.com", "zoe": "Abe@corp.com", "ben": ""} {
		must(t, store.Add(t.Context(), operator, people.Person{Name: name, Email: email, Role: people.Approver}, "correct horse battery"))
	}
	must(t, store.GiveAccount(t.Context(), operator, "root", "abe"))
	q := &counted{Querier: db.Reads()}
	looks := Looks(store)
	for i := range 40 {
		for who, own := range map[string]bool{"abe": true, "zoe": true, "ben": false} {
			accounts := fmt.Sprintf("root@build-%d", i)
			vote := approval.Vote{Voter: who, By: who, At: time.Now()}
			seen, said := looks(accounts)(t.Context(), q, vote), Counts(store)(accounts)(t.Context(), db.Reads(), vote)
			if _, refused := errors.AsType[*approval.Lapsed](seen); refused != own || fmt.Sprint(seen) != fmt.Sprint(said) {
				t.Errorf("%s, %s: %v, and an answer: %v", who, accounts, seen, said)
			}
		}
	}
	if q.people != 1 || q.accounts != 1 {
		t.Errorf("people were read %d times, accounts %d times", q.people, q.accounts)
	}
	q = &counted{Querier: db.Reads()} // and where it does not matter who wanted a call nobody does
	must(t, Looks(store)("")(t.Context(), q, approval.Vote{Voter: "abe", By: "abe", At: time.Now()}))
	if q.people != 0 || q.accounts != 0 {
		t.Errorf("people were read %d times, accounts %d times", q.people, q.accounts)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
