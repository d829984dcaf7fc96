package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/testpostgres"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
)

// votedWorld is a terminal where ben has said yes to a call that needs two people.
type votedWorld struct {
	*counterTest
	ticket approval.Ticket
	// flags name the database, and within does something in it.
	flags  []string
	within func(do func(context.Context, *approval.Store))
}

// votedIn has the call in the state directory, or in a database of several machines.
func votedIn(t *testing.T, shared bool) *votedWorld {
	t.Helper()
	w := &votedWorld{counterTest: newCounter(t)}
	w.within = w.tickets
	if shared {
		address := testpostgres.Database(t)
		w.flags = []string{"--database", address}
		w.within = func(do func(context.Context, *approval.Store)) {
			db, err := database.Connect(t.Context(), address)
			w.check(err)
			defer db.Close()
			s, err := approval.On(t.Context(), db)
			w.check(err)
			do(t.Context(), s)
		}
	}
	w.people(func(ctx context.Context, s *people.Store) error {
		return s.Add(ctx, operator(), people.Person{Name: "ben", Role: people.Approver}, "correct horse battery")
	})
	w.within(func(ctx context.Context, s *approval.Store) {
		var err error
		w.ticket, err = s.Hold(ctx, "codex", approval.Parking{Call: callIn(firstID, w.bash("a", "deploy")), By: "guard", Risk: permission.MediumRisk, Requester: "root@vm", Terms: permission.Terms{Approvers: 2, NotRequester: true}})
		w.check(err)
		_, err = s.Say(ctx, w.ticket.ID, w.ticket.Digest, approval.Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Message: "looked"})
		w.check(err)
	})
	return w
}

func (w *votedWorld) people(do func(context.Context, *people.Store) error) {
	w.t.Helper()
	w.within(func(ctx context.Context, s *approval.Store) {
		store, err := people.On(ctx, s.Database())
		w.check(err)
		w.check(do(ctx, store))
	})
}

// looks runs a command that only looks.
func (w *votedWorld) looks(args ...string) {
	w.t.Helper()
	w.run(0, append(args, w.flags...)...)
}

// The terminal counts those who may still answer, as the server does, and says of the others why
// they do not count.
func TestA4_TheTerminalCountsWhoMayStillAnswer(t *testing.T) {
	const counted = "1 of 2 people have approved"
	for _, shared := range []bool{false, true} {
		for name, c := range map[string]struct {
			change func(context.Context, *people.Store) error
			why    string
		}{
			"disabled": {func(ctx context.Context, s *people.Store) error { return s.Disable(ctx, operator(), "ben") }, "ben may not answer any more, and is disabled"},
			"a viewer": {func(ctx context.Context, s *people.Store) error {
				return s.SetRole(ctx, operator(), "ben", people.Viewer)
			}, "ben was signed out everywhere since"},
			"signed out everywhere": {func(ctx context.Context, s *people.Store) error { return s.SignOutAll(ctx, operator(), "ben") }, "ben was signed out everywhere since"},
			"of whose account it is": {func(ctx context.Context, s *people.Store) error {
				return s.GiveAccount(ctx, operator(), "root", "ben")
			}, "ben may not approve what root@vm wanted, which is his account"},
		} {
			if shared && name != "disabled" { // the same people are asked in the same way
				continue
			}
			t.Run(name+map[bool]string{true: ", in a database"}[shared], func(t *testing.T) {
				w := votedIn(t, shared)
				w.looks("inbox", "--once")
				w.says(counted)
				w.looks("inbox", "--json")
				w.says(`"approvals": 1`)
				w.looks("sessions", "show", w.ticket.ID)
				w.says(counted, "yes of", "looked", "!does not count")

				w.people(c.change)
				w.looks("inbox", "--once")
				w.says("needs the yes of 2 people", "!"+counted, "!cannot be read")
				w.looks("inbox", "--json")
				w.says(`"approvals": 0`)
				w.looks("sessions", "list")
				w.says("needs the yes of 2 people", "!"+counted)
				w.looks("sessions", "show", w.ticket.ID)
				w.says("pending: nobody has answered who still may", "!"+counted, "ben, at ", ": looked; it does not count: "+c.why[:3], c.why)
				w.looks("sessions", "show", "--json", w.ticket.ID)
				w.says(`"lapsed": [`, `"why": "`, c.why, `!"votes"`)
			})
		}
	}
}

// A deputy's yes is the right of another person, and counts as long as he is the deputy.
func TestA4_TheTerminalCountsDeputies(t *testing.T) {
	w := votedIn(t, false)
	d := &counter{}
	var err error
	d.clerk, err = clerk.Look(t.Context(), w.state)
	w.check(err)
	defer d.clerk.Close()
	yes := approval.Vote{Voter: "ben", By: approval.DeputySignature("ben", "ana"), At: time.Now()}
	if _, lapsed := errors.AsType[*approval.Lapsed](d.stillCounts(t.Context(), "", yes)); !lapsed {
		t.Error("the yes of somebody counts who is not the deputy")
	}
	yes.By = "ben"
	w.check(d.stillCounts(t.Context(), "", yes))
}

// Where the people cannot be read nobody can say whose yes still counts. That is said, and none
// does.
func TestA4_NoYesCountsWherePeopleCannotBeRead(t *testing.T) {
	w := votedIn(t, false)
	w.within(func(ctx context.Context, s *approval.Store) {
		w.check(s.Database().Within(ctx, func(tx *database.Tx) error {
			_, err := tx.ExecContext(ctx, "ALTER TABLE people RENAME TO persons")
			return err
		}))
	})
	const problem = "the people cannot be read, so nobody can say whose yes still counts: "
	w.looks("inbox", "--once")
	w.says("needs the yes of 2 people", "!of 2 people have", problem, "no such table")
	w.looks("inbox", "--json")
	w.says(`"problems": [`, problem, `"approvals": 0`)
	w.looks("sessions", "show", w.ticket.ID)
	w.says("!of 2 people have", "warning: "+problem, "it does not count: nobody can say whether ben may still answer")
}
