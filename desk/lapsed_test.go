package desk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/people/voice"
	"github.com/assent-dev/assent/permission"
)

func TestMain(m *testing.M) { testpostgres.Main(m) }

// The yes of somebody who was disabled before the call has begun lets nothing run: the call waits
// again, and the session with it. For an agent of this machine as for a worker.
func TestA4_AYesThatHasLapsedLetsNothingRun(t *testing.T) {
	operator := people.Operator("root@vm")
	onBoth := map[string]func(*testing.T) (*desk.Desk, *approval.Store){
		"in a file, opened here": func(t *testing.T) (*desk.Desk, *approval.Store) {
			dir := t.TempDir()
			d := desk.New(dir)
			t.Cleanup(d.Close)
			store, err := approval.Open(dir)
			must(t, err)
			t.Cleanup(func() { _ = store.Close() })
			return d, store
		},
		"in a database": func(t *testing.T) (*desk.Desk, *approval.Store) {
			db, err := database.Connect(t.Context(), testpostgres.Database(t))
			must(t, err)
			t.Cleanup(func() { _ = db.Close() })
			store, err := approval.On(t.Context(), db)
			must(t, err)
			voice.Mind(store)
			return desk.Over(t.TempDir(), store), store
		},
	}
	for place, open := range onBoth {
		for name, terms := range map[string]permission.Terms{"one approver": {}, "two": {Approvers: 2, NotRequester: true}} {
			t.Run(place+", "+name, func(t *testing.T) {
				d, store := open(t)
				var warned []string
				d.Warn = func(text string) { warned = append(warned, text) }
				crowd, err := people.On(t.Context(), store.Database())
				must(t, err)
				for _, who := range []string{"ben", "cleo", "eve"} {
					must(t, crowd.Add(t.Context(), operator, people.Person{Name: who, Role: people.Approver}, "correct horse battery"))
				}
				c := deploy()
				c.Requester, c.Terms = "root@vm", terms
				must(t, d.Park(t.Context(), c))
				ticket, err := store.OfCall(t.Context(), c.Session, c.ToolUseID)
				must(t, err)
				say := func(ctx context.Context, who string) {
					t.Helper()
					_, err := store.Say(ctx, ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: who, Voter: who, Still: voice.Counts(crowd)("")})
					must(t, err)
				}
				voters := []string{"eve", "ben"}[2-max(terms.Approvers, 1):]
				for _, who := range voters {
					say(t.Context(), who)
				}
				seen, err := d.Look(t.Context(), c)
				if err != nil || seen.Kind != agent.Yes {
					t.Fatalf("%+v, %v", seen, err)
				}
				must(t, crowd.Disable(t.Context(), operator, "ben"))
				if _, err := d.Claim(t.Context(), c, c.Input, seen); !errors.Is(err, agent.ErrAnswered) {
					t.Fatalf("it is claimed: %v", err)
				}
				if len(warned) != 1 || !strings.Contains(warned[0], "a yes does not count any more, that of ben: ben may not answer any more, and is disabled") {
					t.Errorf("%q", warned)
				}
				seen, err = d.Look(t.Context(), c)
				if err != nil || seen.Kind != agent.NoWord {
					t.Fatalf("%+v, %v", seen, err)
				}
				history, err := store.History(t.Context(), ticket.ID)
				must(t, err)
				if !slices.ContainsFunc(history, func(e approval.Event) bool {
					return e.YesLapsed() && strings.Contains(e.Note, "that of ben: ")
				}) {
					t.Errorf("%+v", history)
				}
				say(t.Context(), "cleo") // with eve, where there have to be two
				seen, err = d.Look(t.Context(), c)
				must(t, err)
				if _, err := d.Claim(t.Context(), c, c.Input, seen); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// The same goes for the yes of a program whose token was revoked, and what is said about it names the
// token. That its time is over takes nothing from what it has said before.
func TestA4_TheYesOfAProgramWhoseTokenIsRevoked(t *testing.T) {
	operator, now := people.Operator("root@vm"), time.Now()
	db, err := database.Connect(t.Context(), testpostgres.Database(t))
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	store, err := approval.On(t.Context(), db)
	must(t, err)
	voice.Mind(store)
	crowd, err := people.On(t.Context(), db, people.Clock(func() time.Time { return now }))
	must(t, err)
	must(t, crowd.Add(t.Context(), operator, people.Person{Name: "ben", Role: people.Approver}, "correct horse battery"))
	d := desk.Over(t.TempDir(), store)
	var warned []string
	d.Warn = func(text string) { warned = append(warned, text) }
	for _, revoked := range []bool{false, true} {
		_, in, err := crowd.Issue(t.Context(), operator, "ben", "ci", people.Approver, now.Add(time.Second))
		must(t, err)
		c := deploy()
		c.ToolUseID += fmt.Sprint(revoked)
		must(t, d.Park(t.Context(), c))
		ticket, err := store.OfCall(t.Context(), c.Session, c.ToolUseID)
		must(t, err)
		by := approval.ProgramSignature("ben", in.Number)
		_, err = store.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: by, Still: voice.Counts(crowd)("")})
		must(t, err)
		seen, err := d.Look(t.Context(), c)
		must(t, err)
		if revoked {
			must(t, crowd.RevokeToken(t.Context(), operator, "ben", in.Number))
		} else {
			now = now.Add(time.Hour)
		}
		_, err = d.Claim(t.Context(), c, c.Input, seen)
		if !revoked {
			must(t, err)
			continue
		}
		want := fmt.Sprintf("a yes does not count any more, that of %s: ben may not answer by what was said before: token %d of his was revoked", by, in.Number)
		if !errors.Is(err, agent.ErrAnswered) || len(warned) != 1 || !strings.Contains(warned[0], want) {
			t.Errorf("%v, %q", err, warned)
		}
		if now, err := store.Find(t.Context(), ticket.ID); err != nil || now.State != approval.Pending {
			t.Errorf("it is %s, %v", now.State, err)
		}
		_, err = store.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: by, Still: voice.Counts(crowd)("")})
		if _, lapsed := errors.AsType[*approval.Lapsed](err); !lapsed {
			t.Errorf("it says yes once more: %v", err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// T1: whether a yes came before all sign-ins of its person have ended does not depend on the clock of the
// machine on which they were ended, for a vote as for an answer.
func TestT1_ASignOutOnAMachineWithAnotherClock(t *testing.T) {
	operator, ctx := people.Operator("root@vm"), t.Context()
	const password = "correct horse battery"
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		for _, terms := range []permission.Terms{{}, {Approvers: 2}} {
			db, err := database.Connect(ctx, testpostgres.Database(t))
			must(t, err)
			t.Cleanup(func() { _ = db.Close() })
			store, err := approval.On(ctx, db)
			must(t, err)
			voice.Mind(store)
			crowd, err := people.On(ctx, db)
			must(t, err)
			elsewhere, err := people.On(ctx, db, people.Clock(func() time.Time { return time.Now().Add(ahead) }))
			must(t, err)
			for _, who := range []string{"ben", "eve"} {
				must(t, crowd.Add(ctx, operator, people.Person{Name: who, Role: people.Approver}, password))
			}
			c := deploy()
			ticket, err := store.Park(ctx, approval.Parking{Call: approval.Call{Session: c.Session, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}, Terms: terms})
			must(t, err)
			say := func(who string) approval.State {
				t.Helper()
				token, _, err := crowd.SignIn(ctx, who, password, "192.0.2.1")
				must(t, err)
				_, in, err := crowd.Who(ctx, token)
				must(t, err)
				got, err := store.Say(ctx, ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: who, Voter: who, Moment: in.Moment, Still: voice.Counts(crowd)("")})
				must(t, err)
				return got.State
			}
			claim := func() error {
				_, err := store.Claim(ctx, ticket.ID, ticket.Call, nil, "worker")
				return err
			}
			voters := []string{"ben", "eve"}[:terms.Need()]
			for _, who := range voters {
				say(who)
			}
			must(t, elsewhere.SignOutAll(ctx, operator, "ben"))
			if err := claim(); !errors.As(err, new(*approval.WaitsAgain)) {
				t.Errorf("%v ahead, %+v: %v", ahead, terms, err)
			}
			if state := say("ben"); state != approval.Approved { // with eve, whose yes still counts
				t.Errorf("%v ahead, %+v: %s", ahead, terms, state)
			}
			must(t, claim())
		}
	}
}
