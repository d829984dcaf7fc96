package main

import (
	"context"
	"slices"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/session"
)

// A list says of a call that waits what a yes to it needs, and how much of that is there.
func TestA4_ListsSayWhatAYesNeeds(t *testing.T) {
	t.Parallel()
	two := &clerk.TermsView{Approvers: 2, Reason: true}
	for _, test := range []struct {
		call clerk.CallView
		want string
	}{
		{clerk.CallView{Standing: clerk.Pending}, ""},
		{clerk.CallView{Standing: clerk.Pending, Terms: two}, "needs the yes of 2 people; a reason"},
		{clerk.CallView{Standing: clerk.Pending, Terms: two, Votes: []clerk.VoteView{{By: "ann", Same: true}}}, "needs the yes of 2 people; a reason; 1 of 2 people have approved; it waits for the others"},
		{clerk.CallView{Standing: clerk.Approved, Terms: two}, ""},
	} {
		if got := needed(test.call); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// A server that starts says only of those calls that they go on now whose sessions it takes.
func TestA3_AServerSpeaksOnlyOfItsOwnSessions(t *testing.T) {
	t.Parallel()
	h := &host{config: inbox.Config{Sessions: session.NewStore(t.TempDir())}}
	list := []approval.Ticket{{ID: "one", Call: approval.Call{Session: "a"}}, {ID: "two", Call: approval.Call{Session: "b"}}}
	if got, err := h.ours(t.Context(), list); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	h.config.Serves = func(_ context.Context, id string) (bool, error) { return id == "b", nil }
	got, err := h.ours(t.Context(), list)
	if err != nil || !slices.ContainsFunc(got, func(t approval.Ticket) bool { return t.ID == "two" }) || len(got) != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
