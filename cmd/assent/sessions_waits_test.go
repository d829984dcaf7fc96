package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// lasting is a call whose time has ended some time ago, or ends later.
func (w *counterTest) lasting(id, command, outcome string, left time.Duration) session.PendingCall {
	w.t.Helper()
	call := w.bash(id, command)
	call.Until, call.Outcome = time.Now().Add(left).UTC().Truncate(time.Microsecond), outcome
	call.Since = call.Until.Add(-24 * time.Hour)
	return call
}

// unanswered is a session with a call that was parked here, and that runs because nobody
// has answered in time.
func (w *counterTest) unanswered(id, command string) string {
	w.t.Helper()
	call := w.lasting("a", command, "allow", -time.Hour)
	w.park(id, call)
	var name string
	w.tickets(func(ctx context.Context, s *approval.Store) {
		t, err := s.Park(ctx, approval.Parking{Call: callIn(id, call), At: call.Since, Lasts: call.Until.Sub(call.Since), Risk: permission.MediumRisk, Outcome: permission.Allow})
		w.check(err)
		name = t.ID
	})
	return name
}

// What runs because nobody has answered is said where people look, and can be denied.
func TestS41_WhatRunsUnansweredCanBeDenied(t *testing.T) {
	w := newCounter(t)
	name := w.unanswered(firstID, "deploy")
	w.run(0, "sessions", "list")
	w.says("Not answered in time; their sessions can go on", "it runs when its session goes on, unless you deny it", "!Answered;")
	w.run(0, "sessions", "show", firstID)
	w.says("so allow holds: it runs when the session goes on", "or, so that it does not run, assent deny "+name)
	w.run(0, "deny", firstID, "--reason", "stop it")
	if got := w.stateOf(firstID, "a"); got != "denied" {
		t.Errorf("the ticket is %s", got)
	}
}

// What needs a person does not run unanswered. That is said, and a person can still approve
// it.
func TestS41_WhatNeedsAPersonCanBeApprovedAfterItsTime(t *testing.T) {
	w := newCounter(t)
	w.settings(`{"permissions":{"ask":["Bash(deploy:*)"],"deny":["Bash(refund:*)"]}}`)
	name := w.unanswered(firstID, "deploy")
	w.unanswered(secondID, "refund")
	w.run(0, "sessions", "list")
	w.says("expired: it needs a person, so it is refused when its session goes on, unless you approve it", "expired: a rule denies it, so it is refused", "!it runs when")
	w.run(0, "sessions", "show", firstID)
	w.says("but it needs a person", "assent approve "+name, "!it runs when")
	w.run(0, "sessions", "show", secondID)
	w.says("but a rule denies it", "!it runs when", "!assent approve")
	w.run(0, "approve", firstID)
	if got := w.stateOf(firstID, "a"); got != "approved" {
		t.Errorf("the ticket is %s", got)
	}
	w.run(1, "approve", secondID)
}

// A call without a ticket was parked elsewhere, or its ticket was lost with what people had
// said: the end of its time does not let it run, and it waits for a person.
func TestS41_NothingRunsUnansweredWithoutATicket(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.lasting("a", "deploy", "allow", -time.Hour))
	w.run(0, "sessions", "list")
	w.says("no ticket yet  pending  Bash  deploy", "!expire", "!it runs when")
	w.run(0, "approve", firstID)
	w.tickets(func(ctx context.Context, s *approval.Store) {
		ticket, err := s.OfCall(ctx, firstID, "a")
		w.check(err)
		if ticket.State != approval.Approved || !ticket.Expires.IsZero() {
			t.Errorf("%+v", ticket)
		}
	})
}

// A call of which a person has said that it did not run waits for a person, also after its
// time and without a ticket.
func TestS41_WhatDidNotRunHasNoEndOfTime(t *testing.T) {
	for _, outcome := range []string{"allow", "deny"} {
		w := newCounter(t)
		call := w.lasting("a", "deploy", outcome, -time.Hour)
		w.park(firstID, call)
		w.write(firstID, session.Began, session.Beginning{ToolUseID: "a", Input: call.Input})
		w.run(0, "sessions", "resolve", firstID, "--not-run")
		w.run(0, "sessions", "list")
		w.says("pending  Bash  deploy", "!expire")
		w.run(0, "approve", firstID)
	}
}

// What cannot be answered any more says why.
func TestA3_ATicketThatIsOverSaysSo(t *testing.T) {
	w := newCounter(t)
	call := w.bash("a", "deploy")
	w.park(firstID, call)
	name := w.ticket(firstID, call, 0)
	w.tickets(func(ctx context.Context, s *approval.Store) { w.check(s.Cancel(ctx, name, "me", "")) })
	w.write(firstID, session.Said, model.Message{Role: model.User, Content: []model.Block{{Kind: model.ToolResult, ToolUseID: "a"}}})
	w.run(1, "approve", name)
	w.says(name + " cannot be answered any more: it is cancelled")
}

// A call keeps its time where it has no ticket: the transcript says when it ends.
func TestS41_TheTimeOfACallWithoutATicket(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.lasting("a", "deploy", "deny", -time.Hour))
	w.park(secondID, w.lasting("a", "refund", "deny", 10*time.Hour+time.Minute))
	w.run(0, "sessions", "list")
	w.says("expired  Bash  deploy", "it is refused when its session goes on", "expires in 10 h: then deny")
	w.run(1, "approve", firstID)
	w.says("was over at ", "so deny holds")
	w.run(1, "deny", firstID, "--reason", "no")
	w.run(0, "approve", secondID)
	w.tickets(func(ctx context.Context, s *approval.Store) {
		ticket, err := s.OfCall(ctx, secondID, "a")
		w.check(err)
		if left := time.Until(ticket.Expires); left < 10*time.Hour || left > 11*time.Hour {
			t.Errorf("it expires in %s", left)
		}
	})
}

// What was approved is approved with another input by saying so; a plain yes is none.
func TestA2_ApprovedWithAnotherInput(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "deploy"))
	w.run(0, "approve", firstID)
	w.run(0, "approve", firstID, "--input", `{"command":"deploy --dry-run"}`)
	w.run(1, "approve", firstID, "--input", `{"command":"deploy --dry-run"}`)
	w.run(1, "approve", firstID)
	if a := w.answerOf(firstID, "a"); !strings.Contains(a.Input.String(), "--dry-run") {
		t.Errorf("%+v", a)
	}
}

// A call that is not what its ticket says can be denied, which needs no match.
func TestS27_ACallThatHasChangedCanBeDenied(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "deploy --prod"))
	name := w.ticket(firstID, w.bash("a", "deploy"), 0)
	w.run(0, "deny", name, "--reason", "no")
	if got := w.stateOf(firstID, "a"); got != "denied" {
		t.Errorf("the ticket is %s", got)
	}
}

// A model may use an id again: the second call has a ticket of its own.
func TestA2_AnIDThatComesAgainInALaterTurn(t *testing.T) {
	w := newCounter(t)
	first := w.bash("a", "deploy")
	first.Since = time.Now().Add(-time.Hour).UTC().Truncate(time.Microsecond)
	w.park(firstID, first)
	w.run(0, "approve", firstID)
	w.claim(firstID, first)
	w.tickets(func(ctx context.Context, s *approval.Store) {
		ticket, err := s.OfCall(ctx, firstID, "a")
		w.check(err)
		w.check(s.Finish(ctx, ticket.ID, ticket.Fence, true, ""))
	})
	w.write(firstID, session.Said, model.Message{Role: model.User, Content: []model.Block{{Kind: model.ToolResult, ToolUseID: "a"}}})
	second := w.bash("a", "refund")
	second.Since = time.Now().UTC().Truncate(time.Microsecond)
	w.write(firstID, session.Parked, session.Pending{Calls: []session.PendingCall{second}})
	w.run(0, "sessions", "list")
	w.says("no ticket yet  pending  Bash  refund", "!deploy\n", "!unknown")
	w.run(0, "sessions", "show", firstID)
	w.says("Bash refund", "Bash deploy", "done: nothing more happens to it")
	w.run(0, "approve", firstID)
	w.says("Bash refund")
}

// A session in which a call waits is not done.
func TestD7_ASessionInWhichACallWaits(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "deploy"))
	w.write(firstID, session.Ended, map[string]string{"subtype": "success", "stop_reason": "tool_deferred"})
	w.run(0, "sessions", "show", firstID)
	w.says("state       waits\n", "!done")
}
