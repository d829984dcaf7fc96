package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
)

// What a log says of a session that does not go on is what has stopped it and what helps, with the
// tickets of those calls alone and nothing of what they contain. It leads to the audit log only where
// something of it is there.
func TestA3_ALogSaysWhatStopsASession(t *testing.T) {
	call := func(command string) approval.Call {
		return approval.Call{Session: "s1", Tool: "Bash", Input: strictjson.Raw(`{"command":"` + command + `"}`), Cwd: "/w"}
	}
	ticket := approval.Ticket{ID: "t2", Call: call("canary")}
	unusable := &approval.Unusable{Name: "postgres://assent@db/assent", Err: errors.New(`relation "people" does not exist (SQLSTATE 42P01)`)}
	tickets := map[string]string{"c1": "t1", "c2": "t2"}
	for name, tt := range map[string]struct {
		troubles []agent.Trouble
		want     string
	}{
		"the database, for each call": {
			[]agent.Trouble{{ToolUseID: "c1", Err: unusable}, {ToolUseID: "c2", Err: fmt.Errorf("it cannot be looked at: %w", unusable)}},
			unusable.Error(),
		},
		"nobody knows whether it ran": {
			[]agent.Trouble{{ToolUseID: "c2", Err: agent.ErrOutcomeUnknown}},
			"nobody knows whether the call of ticket t2 ran (find out, and say `assent sessions resolve t2 --ran` or `--not-run`)",
		},
		"nor has it a ticket": {
			[]agent.Trouble{{ToolUseID: "c3", Err: agent.ErrOutcomeUnknown}},
			"nobody knows whether a call of it ran (find out, and say `assent sessions resolve s1 --ran` or `--not-run`)",
		},
		"a damaged ticket": {
			[]agent.Trouble{{ToolUseID: "c2", Err: &approval.Damaged{Ticket: ticket, Err: errors.New("its answer is not the one that was given")}}},
			"the ticket t2 is damaged: its answer is not the one that was given (deny it: `assent deny t2 --reason TEXT`)",
		},
		"a ticket for another call": {
			[]agent.Trouble{{ToolUseID: "c2", Err: &approval.Changed{Ticket: ticket, Call: call("bird")}}},
			"the ticket t2 is for another call (see `assent sessions show t2`)",
		},
		"somebody else runs it": {
			[]agent.Trouble{{ToolUseID: "c2", Err: &approval.WrongState{ID: "t2", State: approval.Running}}},
			"the ticket t2 is running",
		},
		"the answer changes": {
			[]agent.Trouble{{ToolUseID: "c2", Err: agent.ErrAnswered}},
			"the answer to the call of ticket t2 was another one each time when it was to run",
		},
		"the tool is gone": {
			[]agent.Trouble{{ToolUseID: "c2", Err: agent.ErrToolGone}},
			"the tool of the call of ticket t2 is not there any more, and the call waits on (`assent sessions show t2` names the tool: start this again with what offers it, or deny the call)",
		},
		"something that is on record": {
			[]agent.Trouble{{ToolUseID: "c2", Err: agent.ErrWaitsOn}},
			"something keeps the call of ticket t2 from running (`assent audit log --session s1` on this machine says what, and `assent sessions show t2` shows the call)",
		},
		"two calls": {
			[]agent.Trouble{{ToolUseID: "c1", Err: agent.ErrAnswered}, {ToolUseID: "c2", Err: &approval.WrongState{ID: "t2", State: approval.Running}}},
			"the answer to the call of ticket t1 was another one each time when it was to run; the ticket t2 is running",
		},
		"no call": {nil, "see what waits in it: `assent sessions show s1`"},
	} {
		t.Run(name, func(t *testing.T) {
			got := plainly("s1", tt.troubles, func(call string) string { return tickets[call] })
			if got != tt.want || strings.Contains(got, "canary") || strings.Contains(got, "bird") {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}
