package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// voters are those who have a vote on a ticket.
func (c *counter) voters(id string) string {
	c.t.Helper()
	votes, err := c.Votes(c.t.Context(), id)
	must(c.t, err)
	var names []string
	for _, v := range votes {
		names = append(names, v.Voter)
	}
	return strings.Join(names, " ")
}

// rows is how many votes the database has on a ticket.
func (c *counter) rows(id string) (n int) {
	c.t.Helper()
	must(c.t, c.db.Writer().QueryRow("SELECT COUNT(*) FROM votes WHERE ticket = $1", id).Scan(&n))
	return n
}

// kinds is the history of a ticket, as kinds and states.
func (c *counter) kinds(id string) string {
	c.t.Helper()
	history, err := c.History(c.t.Context(), id)
	must(c.t, err)
	var all []string
	for _, e := range history {
		if e.Kind != "" && e.From != e.To {
			c.t.Errorf("%+v", e)
		}
		if e.Kind == "" {
			e.Kind = string(e.To)
		}
		all = append(all, e.Kind)
	}
	return strings.Join(all, " ")
}

// A vote that was replaced by the last yes is gone, also when that yes is taken back.
func TestA4_AReplacedVoteDoesNotComeBack(t *testing.T) {
	dry := strictjson.Raw(`{"command":"deploy --dry-run"}`)
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		say := func(voter string, input strictjson.Raw) Ticket {
			got, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: voter, Voter: voter, Input: input, Settles: c.time.Add(time.Minute)})
			must(t, err)
			return got
		}
		say("ben", dry)
		say("ana2", nil)
		got := say("ben", nil)
		if got.State != Approved {
			t.Fatalf("%+v", got)
		}
		if _, err := c.Retract(t.Context(), ticket.ID, got.Said(), "ben"); err != nil {
			t.Fatal(err)
		}
		if got := say("ana2", dry); got.State != Pending {
			t.Errorf("%+v", got.Answer)
		}
	})
}

// A deputy lends his hand and has no voice of his own: with the person, or with another deputy
// of the same one, he is one.
func TestA4_OnePersonIsOneVoice(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, pair := range [][2]string{{"ana", "ben for ana"}, {"ben for ana", "ana"}, {"ben for ana", "cleo for ana"}, {"ben for ana", "ben for dan"}} {
			ticket := c.parkWith(strings.Join(pair[:], "+"), permission.Terms{Approvers: 2})
			say := func(by string) (Ticket, error) {
				voter, _, _ := strings.Cut(by, " ")
				return c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: by, Voter: voter})
			}
			for _, by := range pair {
				got, err := say(by)
				if _, again := errors.AsType[*Voted](err); err != nil && !again || got.State == Approved {
					t.Fatalf("%v: %s, %v", pair, got.State, err)
				}
			}
			if got, err := say("eve"); err != nil || got.State != Approved || len(got.Answer.Others) != 1 {
				t.Errorf("%v, and one more: %+v, %v", pair, got, err)
			}
		}
	})
}

func TestA4_SeveralPeopleApprove(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", permission.Terms{Approvers: 3})
		for i, voter := range []string{"ben", "cleo", "dan"} {
			c.time = c.time.Add(time.Minute)
			got, err := c.yes(ticket, voter)
			must(t, err)
			if want := i == 2; (got.State == Approved) != want || (got.Answer != nil) != want {
				t.Fatalf("%s: %+v", voter, got)
			}
			var voted *Voted
			var wrong *WrongState
			if _, err := c.yes(ticket, strings.ToUpper(voter)); i < 2 && (!errors.As(err, &voted) || voted.Have != i+1 || voted.Need != 3 || voted.Vote.By != voter) || !errors.As(err, &wrong) {
				t.Errorf("%s once more: %v", voter, err)
			}
		}
		a := c.find(ticket.ID).Answer
		if a.Voter != "dan" || len(a.Others) != 2 || a.Others[0].Voter != "ben" || a.Others[1].Voter != "cleo" || a.Others[1].Message != "looked" || !a.Others[0].At.Equal(c.time.Add(-2*time.Minute)) {
			t.Errorf("%+v", a)
		}
		if got := c.kinds(ticket.ID); got != "pending vote vote approved" {
			t.Error(got)
		}
		if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); err != nil {
			t.Fatal(err)
		}
		if n := c.rows(ticket.ID); n != 0 {
			t.Errorf("%d votes are left", n)
		}
	})
}

// Votes count together that are for the same call and the same files.
func TestA4_VotesAreForTheSame(t *testing.T) {
	dry := strictjson.Raw(`{"command":"deploy --dry-run"}`)
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for i, one := range []struct {
			name          string
			first, second Answer
			want          State
		}{
			{"as parked", Answer{}, Answer{}, Approved},
			{"in another spelling", Answer{Input: dry}, Answer{Input: strictjson.Raw(`{ "command": "deploy \u002d-dry-run" }`)}, Approved},
			{"another input", Answer{}, Answer{Input: dry}, Pending},
			{"the other way round", Answer{Input: dry}, Answer{}, Pending},
			{"the same files", Answer{Places: []string{"/a", "/b"}}, Answer{Places: []string{"/b", "/a"}}, Approved},
			{"other files", Answer{Places: []string{"/a"}}, Answer{Places: []string{"/b"}}, Pending},
			{"fewer files", Answer{Places: []string{"/a", "/b"}}, Answer{Places: []string{"/a"}}, Pending},
			{"no files", Answer{Places: []string{"/a"}}, Answer{Places: []string{}}, Pending},
			{"those of the ticket", Answer{}, Answer{Places: []string{"/parked"}}, Approved},
		} {
			ticket, err := c.Park(t.Context(), Parking{Call: deploy(fmt.Sprint(i)), Terms: two, Places: []string{"/parked"}})
			must(t, err)
			for j, a := range []Answer{one.first, one.second} {
				a.Behavior, a.Voter = permission.Allow, []string{"ben", "cleo"}[j]
				_, err := c.Say(t.Context(), ticket.ID, ticket.Digest, a)
				must(t, err)
			}
			if got := c.find(ticket.ID); got.State != one.want {
				t.Errorf("%s: %s", one.name, got.State)
			}
		}
	})
}

// Whoever says yes to another input has one vote, for that one.
func TestA4_AVoteForAnotherInputReplacesTheFirst(t *testing.T) {
	dry := strictjson.Raw(`{"command":"deploy --dry-run"}`)
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		say := func(voter string, input strictjson.Raw) Ticket {
			got, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: voter, Voter: voter, Input: input})
			must(t, err)
			return got
		}
		say("ben", nil)
		say("Ben", dry)
		if got := c.voters(ticket.ID); got != "ben" {
			t.Fatal(got)
		}
		if got := say("cleo", nil); got.State != Pending {
			t.Fatalf("a vote that was replaced counts: %s", got.State)
		}
		if got := say("dan", dry); got.State != Approved || string(got.Answer.Input) != string(dry) || len(got.Answer.Others) != 1 || got.Answer.Others[0].Voter != "ben" {
			t.Fatalf("%+v", got.Answer)
		}
		var wrong *WrongState
		if _, err := c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, Voter: "eva", Input: strictjson.Raw(`{"command":"x"}`)}); !errors.As(err, &wrong) || wrong.State != Approved {
			t.Errorf("one changes what two have said: %v", err)
		}
		var not *NotApproved
		if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "me"); !errors.As(err, &not) {
			t.Errorf("%v", err)
		}
		if _, err := c.Claim(t.Context(), ticket.ID, ticket.Call, dry, "me"); err != nil {
			t.Error(err)
		}
	})
}

func TestA4_VotesAreTakenBack(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ctx := t.Context()
		ticket := c.parkWith("s", two)
		var none *NoVote
		if _, err := c.Withdraw(ctx, ticket.ID, "ben"); !errors.As(err, &none) {
			t.Errorf("%v", err)
		}
		_, err := c.yes(ticket, "ben")
		must(t, err)
		if _, err := c.Withdraw(ctx, ticket.ID, "cleo"); !errors.As(err, &none) {
			t.Errorf("somebody else's: %v", err)
		}
		if got, err := c.Withdraw(ctx, ticket.ID, "BEN"); err != nil || got.State != Pending || c.rows(ticket.ID) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		if got, err := c.yes(ticket, "cleo"); err != nil || got.State != Pending {
			t.Errorf("a vote that was taken back counts: %s, %v", got.State, err)
		}
		said, err := c.Say(ctx, ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Settles: c.time.Add(time.Minute)})
		must(t, err)
		var wrong *WrongState
		if _, err := c.Withdraw(ctx, ticket.ID, "cleo"); said.State != Approved || !errors.As(err, &wrong) || wrong.State != Approved {
			t.Errorf("%s, %v", said.State, err)
		}
		back, err := c.Retract(ctx, ticket.ID, said.Said(), "ben")
		if err != nil || back.State != Pending || c.voters(ticket.ID) != "cleo" {
			t.Errorf("%+v, %v, votes of %s", back, err, c.voters(ticket.ID))
		}
		if got, err := c.yes(ticket, "dan"); err != nil || got.State != Approved || got.Answer.Others[0].Voter != "cleo" {
			t.Errorf("%+v, %v", got, err)
		}
		if got := c.kinds(ticket.ID); got != "pending vote withdrawn vote approved pending approved" {
			t.Error(got)
		}
	})
}

// Votes are for one run, and for nothing after it.
func TestA4_VotesEndWithTheirRun(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		for _, removed := range []bool{true, false} { // a program that does not know votes leaves them there
			c := newStore(t)
			ticket := c.parkWith("s", two)
			_, err := c.yes(ticket, "ben")
			must(t, err)
			if !removed {
				_, err = c.db.Writer().Exec("CREATE TABLE saved AS SELECT * FROM votes")
				must(t, err)
			}
			_, err = c.Claim(t.Context(), ticket.ID, ticket.Call, nil, "a rule") // as a rule lets it
			must(t, err)
			if n := c.rows(ticket.ID); n != 0 {
				t.Errorf("%d votes", n)
			}
			if !removed {
				_, err = c.db.Writer().Exec("INSERT INTO votes SELECT * FROM saved")
				must(t, err)
			}
			must(t, c.Lose(t.Context(), ticket.ID, 1, "it died"))
			if !removed && c.rows(ticket.ID) != 1 {
				t.Fatal("the test has lost its vote")
			}
			_, err = c.yes(ticket, "cleo")
			if err == nil {
				t.Error("what is unknown is voted upon")
			}
			if _, err = c.Resolve(t.Context(), ticket.ID, false, "ann", ""); err != nil || c.rows(ticket.ID) != 0 || c.voters(ticket.ID) != "" {
				t.Errorf("%d votes of %q, %v", c.rows(ticket.ID), c.voters(ticket.ID), err)
			}
			if got, err := c.yes(ticket, "cleo"); err != nil || got.State != Pending {
				t.Errorf("%s, %v", got.State, err)
			}
		}
	})
}

// Even if they are still there, votes from before a claim count for nothing.
func TestA4_VotesOfAnEarlierRunDoNotCount(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		_, err := c.yes(ticket, "ben")
		must(t, err)
		_, err = c.db.Writer().Exec("UPDATE tickets SET fence = 1 WHERE id = $1", ticket.ID)
		must(t, err)
		if got, err := c.yes(ticket, "cleo"); err != nil || got.State != Pending || c.voters(ticket.ID) != "cleo" {
			t.Errorf("%s, %v, votes of %q", got.State, err, c.voters(ticket.ID))
		}
		if got, err := c.yes(ticket, "ben"); err != nil || got.State != Approved {
			t.Errorf("%s, %v", got.State, err)
		}
	})
}

// Whatever ends a ticket ends its votes.
func TestA4_VotesEndWithTheirTicket(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		for _, state := range []State{Cancelled, Refused, Done, Failed, Running} {
			ticket := c.parkWith(string(state), two)
			_, err := c.yes(ticket, "ben")
			must(t, err)
			c.drive(ticket.ID, state)
			if n := c.rows(ticket.ID); n != 0 {
				t.Errorf("%s: %d votes", state, n)
			}
		}
		ticket := c.parkWith("forgotten", two)
		_, err := c.yes(ticket, "ben")
		must(t, err)
		must(t, c.Forget(t.Context(), "forgotten"))
		if n := c.rows(ticket.ID); n != 0 {
			t.Errorf("forgotten: %d votes", n)
		}
	})
}

// The strictest place at which somebody has voted counts for all, and what all were shown.
func TestA4_PlacesWithOtherSettings(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", permission.Terms{Escalate: []permission.Escalation{{After: time.Hour, Notify: []string{"phone"}}}})
		say := func(voter string, terms permission.Terms, risk permission.Risk) (Ticket, error) {
			return c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: voter, Voter: voter, Terms: terms, Risk: risk})
		}
		_, err := say("ben", permission.Terms{Approvers: 3, Escalate: []permission.Escalation{{After: 1}}}, 0)
		must(t, err)
		if got := c.find(ticket.ID).Terms; got.Approvers != 3 || len(got.Escalate) != 1 || got.Escalate[0].After != time.Hour {
			t.Errorf("%+v", got)
		}
		var unsigned *Unsigned
		if _, err := say("", permission.Terms{}, 0); !errors.As(err, &unsigned) {
			t.Errorf("%v", err)
		}
		if got, err := say("cleo", permission.Terms{}, permission.HighRisk); err != nil || got.State != Pending {
			t.Errorf("%s, %v", got.State, err)
		}
		var reason *NoReason
		if _, err := say("dan", why, permission.HighRisk); !errors.As(err, &reason) {
			t.Errorf("%v", err)
		}
		if got, err := say("dan", permission.Terms{}, permission.HighRisk); err != nil || got.State != Approved || got.Answer.Risk != permission.MediumRisk {
			t.Errorf("%+v, %v", got.Answer, err)
		}
	})
}

// A vote that was given without a reason does not count where one is asked for by now.
func TestA4_VotesByTermsOfNow(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		ticket := c.parkWith("s", two)
		say := func(voter, reason string, terms permission.Terms) (Ticket, error) {
			return c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: voter, Voter: voter, Message: reason, Terms: terms})
		}
		_, err := say("ana", "mine", permission.Terms{}) // who wanted it
		must(t, err)
		strict := permission.Terms{NotRequester: true, Reason: true}
		if got, err := say("ben", "looked", strict); err != nil || got.State != Pending {
			t.Errorf("the requester's vote counts: %s, %v", got.State, err)
		}
		if got, err := say("cleo", "looked", permission.Terms{}); err != nil || got.State != Approved || !slices.EqualFunc(got.Answer.Others, []string{"ben"}, func(v Vote, name string) bool { return v.Voter == name }) {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// A guard that waits again and says that the risk is higher makes votes void: whoever has voted
// was shown another one.
func TestA4_AHigherRiskEndsVotes(t *testing.T) {
	onBoth(t, func(t *testing.T, newStore storeMaker) {
		c := newStore(t)
		p := Parking{Call: deploy("s"), Terms: two, Risk: permission.LowRisk}
		ticket, err := c.Hold(t.Context(), "agent", p)
		must(t, err)
		for _, step := range []struct {
			risk permission.Risk
			want string
		}{{permission.LowRisk, "ben"}, {permission.HighRisk, ""}} {
			_, err = c.Say(t.Context(), ticket.ID, ticket.Digest, Answer{Behavior: permission.Allow, By: "ben", Voter: "ben"})
			must(t, err)
			p.Risk = step.risk
			_, err := c.Hold(t.Context(), "agent", p)
			must(t, err)
			if got := c.voters(ticket.ID); got != step.want {
				t.Errorf("%v: votes of %q", step.risk, got)
			}
			if step.want != "" {
				_, err = c.Withdraw(t.Context(), ticket.ID, "ben")
				must(t, err)
			}
		}
		for _, voter := range []string{"ben", "cleo"} {
			_, err = c.yes(ticket, voter)
			must(t, err)
		}
		if got, err := c.Hand(t.Context(), ticket.ID, "guard"); err != nil || got.State != Handed || c.rows(ticket.ID) != 0 {
			t.Errorf("%s, %v", got.State, err)
		}
	})
}
