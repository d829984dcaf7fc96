package desk_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// in brings the ticket of a call into a state, as an earlier process and people would.
func (o *office) in(c agent.ParkedCall, state approval.State) {
	o.t.Helper()
	o.park(c)
	o.people(func(ctx context.Context, s *approval.Store, t approval.Ticket) error {
		claim := func() (int64, error) { return s.Claim(ctx, t.ID, t.Call, nil, "process 1 on host") }
		var err error
		var fence int64
		switch state {
		case approval.Pending, approval.Expired:
		case approval.Approved:
			_, err = s.Approve(ctx, t.ID, t.Digest, "ann", "go ahead", nil)
		case approval.Denied:
			_, err = s.Deny(ctx, t.ID, t.Digest, "ann", "not today")
		case approval.Cancelled:
			err = s.Cancel(ctx, t.ID, "process 1", "a prompt")
		case approval.Refused:
			err = s.Refuse(ctx, t.ID, "process 1", "a rule")
		case approval.Running:
			_, err = claim()
		case approval.Done, approval.Failed:
			if fence, err = claim(); err == nil {
				err = s.Finish(ctx, t.ID, fence, state == approval.Done, "")
			}
		case approval.Unknown:
			if fence, err = claim(); err == nil {
				err = s.Lose(ctx, t.ID, fence, "died")
			}
		}
		return err
	})
	if got := o.state(); got != state {
		o.t.Fatalf("it is %s, want %s", got, state)
	}
}

// whileWaiting is the call with a time that fits a state of its ticket.
func whileWaiting(state approval.State) agent.ParkedCall {
	c := deploy()
	if state == approval.Expired {
		c.Since = c.Since.Add(-2 * time.Hour)
		c.Until = c.Since.Add(time.Hour)
	}
	return c
}

// A process that goes on after a crash finds a ticket in any state. What it hears is what
// people said, and of a call that was begun that nobody knows; never that it may run.
func TestS27_WhatATicketInEveryStateSays(t *testing.T) {
	for state, want := range map[approval.State]struct {
		word  agent.Word
		after approval.State
		fails bool
	}{
		approval.Pending:   {agent.Word{}, approval.Pending, false},
		approval.Approved:  {agent.Word{Kind: agent.Yes, By: "ann", Message: "go ahead"}, approval.Approved, false},
		approval.Denied:    {agent.Word{Kind: agent.No, By: "ann", Message: "not today"}, approval.Denied, false},
		approval.Expired:   {agent.Word{Kind: agent.No, Message: "Nobody answered in time."}, approval.Expired, false},
		approval.Cancelled: {agent.Word{Kind: agent.Ended, Message: "Not run: a prompt."}, approval.Cancelled, false},
		approval.Refused:   {agent.Word{Kind: agent.Ended, Message: "a rule"}, approval.Refused, false},
		approval.Running:   {agent.Word{Kind: agent.OutcomeUnknown}, approval.Unknown, false},
		approval.Unknown:   {agent.Word{Kind: agent.OutcomeUnknown}, approval.Unknown, false},
		approval.Done:      {agent.Word{}, approval.Done, true},
		approval.Failed:    {agent.Word{}, approval.Failed, true},
	} {
		t.Run(string(state), func(t *testing.T) {
			o, c := newOffice(t), whileWaiting(state)
			o.in(c, state)
			word, err := o.Look(t.Context(), c)
			if (err != nil) != want.fails || word.Kind != want.word.Kind || word.By != want.word.By || word.Message != want.word.Message || word.Input != nil {
				t.Errorf("%+v, %v", word, err)
			}
			if err != nil && (!strings.Contains(err.Error(), "is "+string(state)) || !strings.Contains(err.Error(), "assent sessions show")) {
				t.Error(err)
			}
			if got := o.state(); got != want.after {
				t.Errorf("it is %s, want %s", got, want.after)
			}
			_, err = claimNow(t, o, c, c.Input)
			runs := state == approval.Pending || state == approval.Approved
			if (err == nil) != runs {
				t.Errorf("claimed: %v", err)
			}
		})
	}
}

// The transcript knows what became of a call, and whoever wrote it down died before the
// desk was told. What is open is closed as the transcript says; what is over stays.
func TestS27_TheDeskCatchesUp(t *testing.T) {
	type ends struct{ well, badly, not approval.State }
	unheard := ends{approval.Done, approval.Failed, approval.Refused} // nobody has claimed it here, and yet the transcript has what it returned
	for state, want := range map[approval.State]ends{
		approval.Pending: unheard, approval.Approved: unheard, approval.Denied: unheard, approval.Expired: unheard,
		approval.Running:   {approval.Done, approval.Failed, approval.Failed}, // somebody has begun it
		approval.Unknown:   {approval.Done, approval.Done, approval.Done},     // it ran; how it ended is on record elsewhere
		approval.Done:      {approval.Done, approval.Done, approval.Done},
		approval.Failed:    {approval.Failed, approval.Failed, approval.Failed},
		approval.Refused:   {approval.Refused, approval.Refused, approval.Refused},
		approval.Cancelled: {approval.Cancelled, approval.Cancelled, approval.Cancelled},
	} {
		for fate, after := range map[agent.Fate]approval.State{agent.RanWell: want.well, agent.RanBadly: want.badly, agent.NotRun: want.not} {
			o, c := newOffice(t), whileWaiting(state)
			o.in(c, state)
			for range 2 { // also if the next process dies as well
				if err := o.Settle(t.Context(), agent.ParkedCall{Session: c.Session, ToolUseID: c.ToolUseID}, fate); err != nil {
					t.Errorf("%s: %v", state, err)
				}
			}
			if got := o.state(); got != after {
				t.Errorf("%s, settled as %v, is %s, want %s", state, fate, got, after)
			}
			o.people(func(ctx context.Context, s *approval.Store, ticket approval.Ticket) error {
				history, err := s.History(ctx, ticket.ID)
				if last := history[len(history)-1]; state != after && last.Note != "found in the transcript" {
					t.Errorf("%s: %+v", state, last)
				}
				return err
			})
		}
	}
	nothing := newOffice(t)
	if err := nothing.Settle(t.Context(), deploy(), agent.RanWell); err != nil || approval.Exists(nothing.dir) {
		t.Errorf("without a ticket: %v", err)
	}
}

// How a call ended is what its claim says, once.
func TestS27_HowAClaimEnds(t *testing.T) {
	for ok, want := range map[bool]approval.State{true: approval.Done, false: approval.Failed} {
		o, c := newOffice(t), deploy()
		claim, err := claimNow(t, o, c, c.Input)
		if err != nil {
			t.Fatal(err)
		}
		if err := claim.Finish(t.Context(), ok); err != nil || o.state() != want {
			t.Errorf("%v, %s", err, o.state())
		}
		var moved *approval.WrongState
		if err := claim.Finish(t.Context(), ok); !errors.As(err, &moved) {
			t.Errorf("a second time: %v", err)
		}
	}
}

// All that is known about a call is on its ticket, with the rules by which it was judged
// and the end of its time.
func TestS27_WhatIsOnATicket(t *testing.T) {
	o, c := newOffice(t), deploy()
	c.Policy, c.Why, c.Until, c.Outcome = "sha256:p1", "ask ann", c.Since.Add(time.Hour), permission.Allow
	o.park(c)
	o.people(func(_ context.Context, _ *approval.Store, ticket approval.Ticket) error {
		if ticket.Policy != c.Policy || ticket.Why != c.Why || !ticket.Created.Equal(c.Since) || !ticket.Expires.Equal(c.Until) || ticket.Outcome != permission.Allow {
			t.Errorf("%+v", ticket)
		}
		if ticket.Tool != c.Tool || ticket.Input.String() != c.Input.String() || ticket.Cwd != c.Cwd || ticket.Session != c.Session {
			t.Errorf("%+v", ticket)
		}
		return nil
	})
	later := c
	later.Policy, later.Until = "sha256:p2", c.Until.Add(time.Hour)
	o.park(later) // by a process under other rules
	o.people(func(_ context.Context, _ *approval.Store, ticket approval.Ticket) error {
		if ticket.Policy != c.Policy || !ticket.Expires.Equal(c.Until) {
			t.Errorf("what lies there has changed: %+v", ticket)
		}
		return nil
	})
}
