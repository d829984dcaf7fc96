package desk_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
)

// T15: whoever has ended a sign-in sees nothing said about a call by it any more, on whatever machine
// the request was under way; and nobody waits for the other for ever.
func TestT15_NothingIsSaidAfterASignOut(t *testing.T) {
	operator, ctx := people.Operator("root@vm"), t.Context()
	const password = "correct horse battery"
	address := testpostgres.Database(t)
	var stores []*approval.Store
	var crowds []*people.Store
	for range 2 {
		db, err := database.Connect(ctx, address)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		store, err := approval.On(ctx, db)
		must(t, err)
		crowd, err := people.On(ctx, db)
		must(t, err)
		stores, crowds = append(stores, store), append(crowds, crowd)
	}
	must(t, crowds[0].Add(ctx, operator, people.Person{Name: "ben", Role: people.Approver}, password))
	for round := range 12 {
		c := deploy()
		ticket, err := stores[0].Park(ctx, approval.Parking{Call: approval.Call{Session: fmt.Sprint(c.Session, round), ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}, Terms: permission.Terms{Approvers: 2}})
		must(t, err)
		token, _, err := crowds[0].SignIn(ctx, "ben", password, "192.0.2.1")
		must(t, err)
		_, in, err := crowds[0].Who(ctx, token)
		must(t, err)
		signedIn := approval.Provided(ctx, func(ctx context.Context, q database.Querier) error { return crowds[1].Holds(ctx, q, in) })
		var all sync.WaitGroup
		for i := range 6 {
			all.Go(func() {
				err := stores[1].Comment(signedIn, ticket.ID, "ben", "hm")
				if i == 0 {
					_, err = stores[1].Say(signedIn, ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Moment: in.Moment, At: time.Now(), Still: voice.Counts(crowds[1])("")})
				}
				if _, ended := errors.AsType[*people.NotSignedIn](err); err != nil && !ended {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		if round%2 == 0 {
			must(t, crowds[0].SignOut(ctx, token))
		} else {
			must(t, crowds[0].SignOutAll(ctx, operator, "ben"))
		}
		then, err := stores[0].History(ctx, ticket.ID)
		must(t, err)
		all.Wait()
		now, err := stores[0].History(ctx, ticket.ID)
		if err != nil || len(now) != len(then) {
			t.Errorf("round %d: %d things were said after it, %v", round, len(now)-len(then), err)
		}
	}
}
