package clerk

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

const sessionID = "11111111-1111-4111-8111-111111111111"

func deploy() approval.Call {
	return approval.Call{Session: sessionID, ToolUseID: "a", Tool: "Bash", Input: strictjson.Raw(`{"command":"deploy"}`), Cwd: "/app"}
}

// ticketOf is a ticket of a call in some state.
func ticketOf(t *testing.T, c approval.Call, state approval.State) *approval.Ticket {
	t.Helper()
	digest, err := c.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return &approval.Ticket{ID: "t-1", Call: c, Digest: digest, State: state, Outcome: permission.Deny}
}

// Where transcript and ticket disagree the more careful one holds.
func TestS27_StandingByTranscriptAndTicket(t *testing.T) {
	const none = approval.State("none")
	for _, test := range []struct {
		stage  session.Stage
		ticket approval.State
		want   Standing
	}{
		{session.Waiting, none, Pending},
		{session.Waiting, approval.Pending, Pending},
		{session.Waiting, approval.Approved, Approved},
		{session.Waiting, approval.Denied, Denied},
		{session.Waiting, approval.Expired, Expired},
		{session.Waiting, approval.Running, Running},
		{session.Waiting, approval.Unknown, Unknown},
		{session.Waiting, approval.Done, Unknown},
		{session.Waiting, approval.Failed, Unknown},
		{session.Waiting, approval.Refused, Denied},
		{session.Waiting, approval.Cancelled, Denied},
		{session.Unsure, none, Unknown},
		{session.Unsure, approval.Pending, Unknown},
		{session.Unsure, approval.Approved, Unknown},
		{session.Unsure, approval.Denied, Unknown},
		{session.Unsure, approval.Running, Running},
		{session.Unsure, approval.Done, Unknown},
		{session.Confirmed, none, Ran},
		{session.Confirmed, approval.Approved, Ran},
		{session.Confirmed, approval.Unknown, Unknown},
		{session.Confirmed, approval.Done, Ran},
	} {
		m := Matter{Call: deploy(), Stage: test.stage, Waits: true}
		var ticket *approval.Ticket
		if test.ticket != none {
			ticket = ticketOf(t, m.Call, test.ticket)
		}
		if m.settle(ticket); m.Standing != test.want {
			t.Errorf("stage %v, ticket %s: %s, want %s", test.stage, test.ticket, m.Standing, test.want)
		}
	}
}

// Without a ticket the end of its time refuses a call, and never lets it run.
func TestS41_StandingWithoutATicket(t *testing.T) {
	past, later := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	for _, test := range []struct {
		until   time.Time
		outcome string
		want    Standing
	}{
		{past, "deny", Expired}, {later, "deny", Pending}, {past, "allow", Pending}, {time.Time{}, "", Pending},
	} {
		m := Matter{Call: deploy(), Until: test.until, Outcome: test.outcome, Waits: true}
		if m.settle(nil); m.Standing != test.want || m.WillRun() {
			t.Errorf("%+v: %s, will run: %v", test, m.Standing, m.WillRun())
		}
	}
}

func TestA3_Answerable(t *testing.T) {
	other := deploy()
	other.Input = strictjson.Raw(`{"command":"deploy --prod"}`)
	for _, test := range []struct {
		name   string
		matter Matter
		want   string // a part of the sentence; empty when it can be answered
		kind   Kind
		way    Way
	}{
		{"without a ticket", Matter{Standing: Pending, Waits: true}, "", Broken, NoWay},
		{"pending", Matter{Standing: Pending, Waits: true, Ticket: ticketOf(t, deploy(), approval.Pending)}, "", Broken, NoWay},
		{"changed", Matter{Standing: Pending, Waits: true, Ticket: ticketOf(t, other, approval.Pending)}, "the input was", Refused, DenyIt},
		{"unknown", Matter{Standing: Unknown, Waits: true}, "nobody knows whether", Refused, FindOut},
		{"ran", Matter{Standing: Ran, Waits: true}, "has run already", Refused, GoOn},
		{"expired", Matter{Standing: Expired, Waits: true, Outcome: "deny"}, "so deny holds", Refused, GoOn},
		{"approved", Matter{Standing: Approved, Waits: true, Ticket: ticketOf(t, deploy(), approval.Approved)}, "is approved", Refused, NoWay},
		{"denied", Matter{Standing: Denied, Waits: true, Ticket: ticketOf(t, deploy(), approval.Denied)}, "is denied", Refused, NoWay},
		{"running", Matter{Standing: Running, Waits: true, Ticket: ticketOf(t, deploy(), approval.Running)}, "is running", Refused, NoWay},
		{"over", Matter{Standing: Over, Ticket: ticketOf(t, deploy(), approval.Cancelled)}, "any more: it is cancelled", Refused, NoWay},
		{"left behind", Matter{Standing: Over, Problem: "the session has gone on without it"}, "has gone on", Refused, NoWay},
	} {
		test.matter.Call = deploy()
		err := test.matter.Answerable()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) || KindOf(err) != test.kind {
			t.Errorf("%s: %v, of kind %d", test.name, err, KindOf(err))
		}
		e, _ := err.(*Error)
		if e == nil {
			e = &Error{}
		}
		if e.Way != test.way {
			t.Errorf("%s: the way out is %q", test.name, e.Way)
		}
	}
}

func TestA3_WhatFitsAPurpose(t *testing.T) {
	runs := Matter{Standing: Expired, Outcome: "allow"}
	for _, test := range []struct {
		matter                 Matter
		approve, deny, resolve bool
	}{
		{Matter{Standing: Pending}, true, true, false},
		{Matter{Standing: Approved}, false, true, false},
		{Matter{Standing: Denied}, false, false, false},
		{Matter{Standing: Expired, Outcome: "deny"}, false, false, false},
		{runs, true, true, false},
		{Matter{Standing: Unknown}, false, false, true},
		{Matter{Standing: Pending, Finding: &session.Finding{}}, true, true, true},
		{Matter{Standing: Ran, Finding: &session.Finding{Ran: true}}, false, false, true},
		{Matter{Standing: Running}, false, false, false},
		{Matter{Standing: Over}, false, false, false},
	} {
		got := [...]bool{ToApprove.Fits(test.matter), ToDeny.Fits(test.matter), ToResolve.Fits(test.matter)}
		if got != [...]bool{test.approve, test.deny, test.resolve} {
			t.Errorf("%s, %+v: %v", test.matter.Standing, test.matter, got)
		}
	}
}
