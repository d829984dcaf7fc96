package approval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/permission"
)

// without is everybody but those who may not answer any more, by what they sign with. It reads
// in the transaction, as whoever looks at people does.
func without(gone ...string) Still {
	return func(ctx context.Context, q database.Querier, v Vote, _ ...Vote) error {
		var n int
		if err := q.QueryRowContext(ctx, "SELECT COUNT(*) FROM tickets").Scan(&n); err != nil {
			return err
		}
		for _, by := range gone {
			if v.By == by {
				return &Lapsed{v.Voter, fmt.Errorf("%s may not answer", by)}
			}
		}
		return nil
	}
}

// A vote counts only if who has given it may still answer when it is counted.
func TestA4_VotesOfThoseWhoMayNotAnyMore(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		say := func(by, voter string, still Still) (Ticket, error) {
			return c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: voter, Still: still})
		}
		_, err := say("ben", "ben", nil)
		must(t, err)
		if got, err := say("cleo", "cleo", without("ben")); err != nil || got.State != Pending {
			t.Fatalf("%s, %v", got.State, err)
		}
		if _, err := say("dan", "dan", without("dan")); err == nil || err.Error() != "dan may not answer" {
			t.Fatal(err)
		}
		got, err := say("dan", "dan", without("ben"))
		if err != nil || got.State != Approved || len(got.Answer.Others) != 1 || got.Answer.Others[0].Voter != "cleo" || got.Answer.Still != nil {
			t.Errorf("%s %+v, %v", got.State, got.Answer, err)
		}
	})
}

// Who was the deputy of one person and is that of another has a vote for the second one.
func TestA4_AVoteThatHasLapsedIsReplaced(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		for _, by := range []string{"ben for cleo", "ben for dan"} {
			_, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: "ben", Still: without("ben for cleo")})
			if by == "ben for cleo" {
				if _, lapsed := errors.AsType[*Lapsed](err); !lapsed {
					t.Fatal(err)
				}
				_, err = c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: "ben"})
			}
			must(t, err)
		}
		votes, err := c.Votes(t.Context(), ticket.ID)
		if err != nil || len(votes) != 1 || votes[0].By != "ben for dan" {
			t.Errorf("%+v, %v", votes, err)
		}
	})
}

// A yes that is enough, and a no: each is refused to whoever may not say it any more, and
// the ticket stays as it is. Where nobody can say who may, nothing counts either.
func TestA4_AnswersOfThoseWhoMayNotAnyMore(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		broken := errors.New("nobody can say")
		for _, behavior := range []permission.Behavior{permission.Allow, permission.Deny} {
			ticket := c.parkWith(behavior.String(), permission.Terms{})
			for _, still := range []Still{without("ben"), func(context.Context, database.Querier, Vote, ...Vote) error { return broken }} {
				_, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: behavior, By: "ben", Voter: "ben", Still: still})
				if got := c.find(ticket.ID); err == nil || got.State != Pending {
					t.Errorf("%s: %s, %v", behavior, got.State, err)
				}
			}
		}
		ticket := c.parkWith("several", two)
		_, err := c.yes(ticket, "ben")
		must(t, err)
		_, err = c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "dan", Voter: "dan", Still: func(_ context.Context, _ database.Querier, v Vote, _ ...Vote) error {
			if v.Voter == "ben" {
				return broken
			}
			return nil
		}})
		if !errors.Is(err, broken) || c.voters(ticket.ID) != "ben" {
			t.Errorf("%v, %s", err, c.voters(ticket.ID))
		}
	})
}

// What was said keeps its moment, as a vote and in the answer, so that whoever asks whether it still
// counts knows what came before it.
func TestT1_WhatWasSaidKeepsItsMoment(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		asked := map[string]int64{}
		lapsed := "" // whose yes does not count
		still := func(_ context.Context, _ database.Querier, v Vote, _ ...Vote) error {
			if asked[v.Voter] = v.Moment; v.Voter == lapsed {
				return &Lapsed{v.Voter, errors.New("gone")}
			}
			return nil
		}
		c.Mind(func(context.Context) (StillFor, error) { return func(string) Still { return still }, nil })
		say := func(voter string, moment int64) Ticket {
			t.Helper()
			c.time = c.time.Add(time.Second)
			got, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: voter, Voter: voter, Moment: moment, Still: still})
			must(t, err)
			return got
		}
		was := func(what string, want map[string]int64) {
			t.Helper()
			if !maps.Equal(asked, want) {
				t.Errorf("%s: %v, want %v", what, asked, want)
			}
			clear(asked)
		}
		votes := func(want map[string]int64) {
			t.Helper()
			all, err := c.Votes(t.Context(), ticket.ID)
			must(t, err)
			got := map[string]int64{}
			for _, v := range all {
				got[v.Voter] = v.Moment
			}
			if !maps.Equal(got, want) {
				t.Errorf("the votes have %v, want %v", got, want)
			}
		}
		say("ana", 5)
		was("a vote", map[string]int64{"ana": 5})
		votes(map[string]int64{"ana": 5})
		if got := say("ben", 7); got.State != Approved {
			t.Fatal(got.State)
		}
		was("the last one", map[string]int64{"ana": 5, "ben": 7})
		lapsed = "ana"
		if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker"); !errors.As(err, new(*WaitsAgain)) {
			t.Fatal(err)
		}
		was("a claim by one that has lapsed", map[string]int64{"ana": 5})
		votes(map[string]int64{"ana": 5, "ben": 7})
		say("cleo", 9)
		clear(asked)
		_, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "worker")
		must(t, err)
		was("a claim", map[string]int64{"ben": 7, "cleo": 9})
	})
}
