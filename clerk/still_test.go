package clerk

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// A yes counts as long as whoever has said it may answer. What lapsed is shown with the reason,
// and so is what nobody knows, which is a problem of the list as well.
func TestA4_AVoteCountsAsLongAsItsVoterMayAnswer(t *testing.T) {
	lapsed := &approval.Lapsed{Voter: "ben", Err: errors.New("ben may not answer any more")}
	for name, c := range map[string]struct {
		still   func(context.Context, string, approval.Vote, ...approval.Vote) error
		why     string // empty: it counts
		warning string
	}{
		"where nobody is known": {nil, "", ""},
		"who still may":         {func(context.Context, string, approval.Vote, ...approval.Vote) error { return nil }, "", ""},
		"who may not":           {func(context.Context, string, approval.Vote, ...approval.Vote) error { return lapsed }, "ben may not answer any more", ""},
		"of whom nobody knows":  {func(context.Context, string, approval.Vote, ...approval.Vote) error { return errors.New("no disk") }, "nobody can say whether ben may still answer", "nobody can say whose yes still counts: no disk"},
	} {
		t.Run(name, func(t *testing.T) {
			k, ticket, tickets := heldWorld(t, "Bash")
			_, err := tickets.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Message: "looked", Terms: permission.Terms{Approvers: 3}})
			if err != nil {
				t.Fatal(err)
			}
			k.Still = c.still
			s, err := k.Show(t.Context(), ticket.ID)
			if err != nil {
				t.Fatal(err)
			}
			list, err := k.Overview(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for where, call := range map[string]CallView{"shown": s.Calls[0].CallView, "listed": list.Calls[0]} {
				switch {
				case c.why == "" && (len(call.Votes) != 1 || len(call.Lapsed) != 0):
					t.Errorf("%s: %+v, lapsed: %+v", where, call.Votes, call.Lapsed)
				case c.why != "" && (len(call.Votes) != 0 || len(call.Lapsed) != 1 || call.Lapsed[0].Why != c.why || call.Lapsed[0].By != "ben" || call.Lapsed[0].Reason != "looked"):
					t.Errorf("%s: %+v, lapsed: %+v", where, call.Votes, call.Lapsed)
				}
				if call.Problem != "" { // a no is possible all the same, and so is another yes
					t.Errorf("%s: %s", where, call.Problem)
				}
			}
			warnings := errors.Join(k.Warnings()...)
			if c.warning == "" && warnings != nil || c.warning != "" && (len(k.Warnings()) != 1 || !strings.Contains(warnings.Error(), c.warning)) {
				t.Errorf("warnings: %v", warnings)
			}
		})
	}
}

// A vote is shown as one that counts only beside those that are not of the same person.
func TestA4_AVoteCountsBesideOthers(t *testing.T) {
	k, ticket, tickets := heldWorld(t, "Bash")
	for _, who := range []string{"ben", "cleo", "dan"} {
		_, err := tickets.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: who, Voter: who, Terms: permission.Terms{Approvers: 4}})
		if err != nil {
			t.Fatal(err)
		}
	}
	k.Still = func(_ context.Context, _ string, vote approval.Vote, beside ...approval.Vote) error {
		if vote.Voter != "ben" && len(beside) > 0 && beside[len(beside)-1].Voter == "ben" {
			return &approval.Lapsed{Voter: vote.Voter, Err: errors.New("that is ben")}
		}
		return nil
	}
	s, err := k.Show(t.Context(), ticket.ID)
	if err != nil {
		t.Fatal(err)
	}
	if call := s.Calls[0]; len(call.Votes) != 1 || call.Votes[0].By != "ben" || len(call.Lapsed) != 2 || call.Lapsed[1].Why != "that is ben" {
		t.Errorf("%+v, lapsed: %+v", call.Votes, call.Lapsed)
	}
}

// Whoever wanted a call matters only where he must not approve it.
func TestA4_WhoIsBarredFromAVote(t *testing.T) {
	for barred, terms := range map[string]permission.Terms{"": {Approvers: 3}, "ana@host": {Approvers: 3, NotRequester: true}} {
		k, ticket, tickets := heldWorld(t, "Bash")
		_, err := tickets.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Terms: terms})
		if err != nil {
			t.Fatal(err)
		}
		m, err := k.One(t.Context(), ticket.ID, ToApprove)
		if err != nil {
			t.Fatal(err)
		}
		m.Ticket.Requester = "ana@host"
		asked := "nobody"
		k.Still = func(_ context.Context, barred string, vote approval.Vote, _ ...approval.Vote) error {
			asked = barred + vote.Voter
			return nil
		}
		if k.ViewWithVotes(t.Context(), m); asked != barred+"ben" {
			t.Errorf("%+v: %q", terms, asked)
		}
	}
}
