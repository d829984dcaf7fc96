package agent_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// decides is a PreToolUse hook that answers each call with the next of the verdicts; the
// last one holds for the rest.
func decides(outputs ...string) []hook.Entry {
	var mu sync.Mutex
	return []hook.Entry{{Event: hook.PreToolUse, Handler: hook.Function{Label: "decides", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		mu.Lock()
		defer mu.Unlock()
		next := outputs[0]
		if len(outputs) > 1 {
			outputs = outputs[1:]
		}
		out, _, err := hook.ReadOutput(hook.PreToolUse, []byte(next))
		return out, err
	}}}}
}

const (
	hookDefers = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer","permissionDecisionReason":"ask ann"}}`
	hookAllows = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`
	hookDenies = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"never"}}`
	hookAsks   = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}`
	hookEdits  = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"make slowly"}}}`
	silence    = `{}`
)

var errDesk = errors.New("the desk is on fire")

var makeIt = reply{calls: []model.Block{use("c1", "Bash", `{"command":"make"}`)}}

// parked is a world in which the call c1 waits.
func parked(t *testing.T, desk agent.Desk, c config) *world {
	t.Helper()
	change := c.change
	c.change = func(config *agent.Config) {
		config.Parking, config.Desk = agent.ParkAlone, desk
		if change != nil {
			change(config)
		}
	}
	c.turns = append([]reply{makeIt}, c.turns...)
	w := newWorld(t, c)
	result := w.prompt("go")
	if result.IsError || result.StopReason != "tool_deferred" || result.Text != "" || len(result.Denials) != 0 {
		t.Fatalf("%+v", result)
	}
	if want := []wire.Deferred{{ToolUseID: "c1", ToolName: "Bash", ToolInput: strictjson.Raw(`{"command":"make"}`)}}; !reflect.DeepEqual(result.Deferred, want) {
		t.Fatalf("%+v waits", result.Deferred)
	}
	if len(w.tools.list()) > 0 || len(w.results()) > 0 {
		t.Fatalf("ran %v, told %v", w.tools.list(), w.results())
	}
	return w
}

// again is the same session in another process.
func (w *world) again(t *testing.T, desk agent.Desk, c config) *world {
	t.Helper()
	before, err := w.transcript.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	change := c.change
	c.change = func(config *agent.Config) {
		config.Parking, config.Desk, config.Transcript = agent.ParkAlone, desk, w.transcript
		if change != nil {
			change(config)
		}
	}
	next := newWorld(t, c)
	next.transcript = w.transcript
	if err := next.agent.Restore(before); err != nil {
		t.Fatal(err)
	}
	return next
}

// The table of S40: what is an answer to a parked call, and what becomes of it.
func TestD2_WhatAnswersAParkedCall(t *testing.T) {
	yes := agent.Word{Kind: agent.Yes, By: "ann"}
	edited := agent.Word{Kind: agent.Yes, By: "ann", Input: strictjson.Raw(`{"command":"make slowly"}`)}
	no := agent.Word{Kind: agent.No, By: "ann", Message: "not today"}
	for _, tt := range []struct {
		name  string
		hook  string
		word  agent.Word
		rules []string
		ran   string // what runs; empty means nothing
		says  string // what the model is told; empty means that the call waits on
		desk  string
	}{
		{name: "the hook allows", hook: hookAllows, ran: "make", says: "done: c1", desk: "claim c1, finish c1 true"},
		{name: "the hook edits", hook: hookEdits, ran: "make slowly", says: "done: c1", desk: "claim c1, finish c1 true"},
		{name: "the hook denies", hook: hookDenies, says: "never", desk: "refuse c1"},
		{name: "the hook defers again", hook: hookDefers},
		{name: "the hook has no opinion", hook: silence},
		{name: "the hook asks", hook: hookAsks},
		{name: "a rule allows now", hook: silence, rules: []string{"allow Bash(make:*)"}, ran: "make", says: "done: c1", desk: "claim c1, finish c1 true"},
		{name: "a rule denies now", hook: hookAllows, rules: []string{"deny Bash(make:*)"}, says: "make", desk: "refuse c1"},
		{name: "somebody said yes, the hook defers", hook: hookDefers, word: yes, ran: "make", says: "done: c1", desk: "claim c1, finish c1 true"},
		{name: "somebody said yes, the hook is silent", hook: silence, word: yes, ran: "make", says: "done: c1", desk: "claim c1, finish c1 true"},
		{name: "somebody said yes to another input", hook: hookDefers, word: edited, ran: "make slowly", says: "done: c1", desk: "claim c1, finish c1 true"},
		{name: "somebody said yes, the hook denies", hook: hookDenies, word: yes, says: "never", desk: "refuse c1"},
		{name: "somebody said yes, a rule denies", hook: hookDefers, word: yes, rules: []string{"deny Bash(make:*)"}, says: "make", desk: "refuse c1"},
		{name: "somebody said yes to what a rule denies", hook: hookDefers, word: edited, rules: []string{"deny Bash(make slowly)"}, says: "make slowly", desk: "refuse c1"},
		{name: "somebody said no", hook: hookDefers, word: no, says: "not today", desk: "refuse c1"},
		{name: "somebody said no, the hook allows", hook: hookAllows, word: no, says: "not today", desk: "refuse c1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := parked(t, nil, config{hooks: decides(hookDefers)})
			desk := &counterDesk{words: map[string]agent.Word{"c1": tt.word}}
			w := first.again(t, desk, config{hooks: decides(tt.hook), rules: tt.rules, turns: []reply{{text: "finished"}}})
			result := w.agent.Resume(t.Context())
			if got := strings.Join(desk.notes, ", "); got != tt.desk {
				t.Errorf("the desk was told %q, want %q", got, tt.desk)
			}
			ran := strings.Join(w.tools.list(), "; ")
			if want := fmt.Sprintf(`Bash {"command":"%s"}`, tt.ran); tt.ran == "" && ran != "" || tt.ran != "" && ran != want {
				t.Errorf("ran %q", ran)
			}
			if tt.says == "" {
				if result.StopReason != "tool_deferred" || result.IsError || len(w.model.requests) > 0 || !w.agent.Pending() {
					t.Errorf("%+v, %d requests", result, len(w.model.requests))
				}
				return
			}
			if result.Text != "finished" || !strings.Contains(w.model.last(), tt.says) || w.agent.Unfinished() {
				t.Errorf("%+v\nthe model was told %s", result, w.model.last())
			}
			if refused := strings.HasPrefix(tt.desk, "refuse"); refused != (len(result.Denials) == 1) {
				t.Errorf("denials %+v", result.Denials)
			}
		})
	}
}

// What is told to the model after the pause is what it would have been told without.
func TestS25_TheNextRequestIsTheSame(t *testing.T) {
	straight := newWorld(t, config{hooks: decides(hookAllows), turns: []reply{makeIt, {text: "finished"}}})
	straight.prompt("go")
	paused := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
	paused.agent.Resume(t.Context())
	want, got := straight.model.requests[1], paused.model.requests[0]
	if !reflect.DeepEqual(want.Messages, got.Messages) || want.System != got.System || want.Model != got.Model || len(want.Tools) != len(got.Tools) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
}

func TestD9_TheToolIsGone(t *testing.T) {
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	w := first.again(t, &counterDesk{}, config{hooks: decides(hookAllows), change: func(c *agent.Config) { c.Tools = c.Tools[1:] }})
	result := w.agent.Resume(t.Context())
	if !result.IsError || result.StopReason != "tool_deferred_unavailable" || len(result.Deferred) != 1 || !w.agent.Pending() {
		t.Errorf("%+v", result)
	}
	later := w.again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
	if result := later.agent.Resume(t.Context()); result.Text != "finished" || len(later.tools.list()) != 1 {
		t.Errorf("nothing may be lost: %+v", result)
	}
}

// A call that somebody has begun is not run again, whoever asks for it.
func TestS27_AnUnknownOutcomeStopsTheSession(t *testing.T) {
	for name, unsure := range map[string]func(w *world, desk *counterDesk) error{
		"by the transcript": func(w *world, _ *counterDesk) error {
			return w.transcript.Append(session.Began, session.Beginning{ToolUseID: "c1", Input: strictjson.Raw(`{}`)})
		},
		"by the desk": func(_ *world, desk *counterDesk) error {
			desk.words = map[string]agent.Word{"c1": {Kind: agent.OutcomeUnknown}}
			return nil
		},
		"because the desk cannot be read": func(_ *world, desk *counterDesk) error {
			desk.fault = errDesk
			return nil
		},
		"because it cannot be claimed": func(_ *world, desk *counterDesk) error {
			desk.taken = errDesk
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			first, desk := parked(t, nil, config{hooks: decides(hookDefers)}), &counterDesk{}
			if err := unsure(first, desk); err != nil {
				t.Fatal(err)
			}
			w := first.again(t, desk, config{hooks: decides(hookAllows)})
			result := w.prompt("more")
			if !result.IsError || result.Subtype != wire.ErrorDuringExecution || len(w.tools.list()) > 0 || len(w.model.requests) > 0 {
				t.Errorf("%+v, ran %v", result, w.tools.list())
			}
			if strings.HasPrefix(name, "by") && !strings.Contains(strings.Join(result.Errors, ""), "outcome unknown") {
				t.Errorf("%q", result.Errors)
			}
		})
	}
}

func TestS27_WhatAPersonFoundOut(t *testing.T) {
	for ran, want := range map[bool]string{true: "A person has confirmed that this call ran", false: "done: c1"} {
		first := parked(t, nil, config{hooks: decides(hookDefers)})
		if err := errors.Join(
			first.transcript.Append(session.Began, session.Beginning{ToolUseID: "c1", Input: strictjson.Raw(`{}`)}),
			first.transcript.Append(session.Found, session.Finding{ToolUseID: "c1", Ran: ran, By: "ann"}),
		); err != nil {
			t.Fatal(err)
		}
		w := first.again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
		result := w.agent.Resume(t.Context())
		if result.Text != "finished" || !strings.Contains(w.model.last(), want) || (len(w.tools.list()) == 0) != ran {
			t.Errorf("ran %v: %+v, %v", ran, result, w.tools.list())
		}
	}
}

// A prompt takes the place of a call that has no answer; it follows one that has.
func TestS40_APromptThatFollows(t *testing.T) {
	desk := &counterDesk{}
	w := parked(t, desk, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "other"}}})
	if result := w.prompt("something else"); result.Text != "other" || w.agent.Unfinished() || len(w.ends()) != 1 {
		t.Errorf("%+v, told %v", result, w.ends())
	}
	last := w.model.requests[0].Messages[2]
	if len(last.Content) != 2 || last.Content[0].Kind != model.ToolResult || !last.Content[0].IsError || last.Content[1].Text != "something else" {
		t.Errorf("%+v", last)
	}
	if got := strings.Join(desk.notes, ", "); got != "cancel c1" || len(desk.parked) != 1 || len(w.tools.list()) > 0 {
		t.Errorf("%s; ran %v", got, w.tools.list())
	}
	answered := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "first"}, {text: "second"}}})
	if result := answered.prompt("more"); result.Text != "second" || strings.Join(answered.ends(), ", ") != "success first, success second" {
		t.Errorf("%+v, told %v", result, answered.ends())
	}
}

// Several calls of one turn: some wait, one runs, one is denied. They are finished in any
// order of answers, each exactly once, and the model is told all together.
func TestS24_ABatch(t *testing.T) {
	batch := reply{calls: []model.Block{
		use("c1", "Bash", `{"command":"make 1"}`), use("c2", "Bash", `{"command":"make 2"}`), use("c3", "Bash", `{"command":"make 3"}`), use("c4", "Bash", `{"command":"make 4"}`),
	}}
	first := newWorld(t, config{
		hooks: decides(hookDefers, hookAllows, hookDefers, hookDenies), turns: []reply{batch},
		change: func(c *agent.Config) { c.Parking = agent.ParkBatch },
	})
	result := first.prompt("go")
	if result.StopReason != "tool_deferred" || len(result.Deferred) != 2 || result.Deferred[1].ToolUseID != "c3" || len(result.Denials) != 1 || len(first.tools.list()) != 1 {
		t.Fatalf("%+v, ran %v", result, first.tools.list())
	}
	desk := &counterDesk{words: map[string]agent.Word{"c3": {Kind: agent.Yes, By: "ann"}}}
	second := first.again(t, desk, config{hooks: decides(hookDefers)})
	if result = second.agent.Resume(t.Context()); result.StopReason != "tool_deferred" || len(result.Deferred) != 1 || result.Deferred[0].ToolUseID != "c1" || len(second.tools.list()) != 1 {
		t.Fatalf("%+v, ran %v", result, second.tools.list())
	}
	desk.words["c1"] = agent.Word{Kind: agent.No, By: "ann", Message: "no to one"}
	third := second.again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}})
	if result = third.agent.Resume(t.Context()); result.Text != "finished" || len(third.tools.list()) != 0 {
		t.Fatalf("%+v, ran %v", result, third.tools.list())
	}
	var told []string
	for _, b := range third.model.requests[0].Messages[2].Content {
		told = append(told, b.ToolUseID+" "+said(b))
	}
	if got := strings.Join(told, "; "); got != "c1 no to one; c2 done: c2; c3 done: c3; c4 never" {
		t.Errorf("the model was told %s", got)
	}
}

// A process that dies between the result and the model's answer has lost nothing.
func TestD8_AfterACrashTheModelIsAsked(t *testing.T) {
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	settled := session.Settlement{ToolUseID: "c1", Result: model.Block{Kind: model.ToolResult, ToolUseID: "c1", Result: []model.Block{model.TextBlock("made")}}}
	if err := first.transcript.Append(session.Settled, settled); err != nil {
		t.Fatal(err)
	}
	desk := &counterDesk{}
	w := first.again(t, desk, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
	if result := w.agent.Resume(t.Context()); result.Text != "finished" || len(w.tools.list()) > 0 || !strings.Contains(w.model.last(), "made") {
		t.Errorf("%+v, ran %v", result, w.tools.list())
	}
	if got := strings.Join(desk.notes, ", "); got != "settle c1 ran well" {
		t.Errorf("the desk was told %q", got)
	}
}

// Where a person is at hand, and inside of a sub-agent, a defer is a question.
func TestD3_WhereNothingIsParked(t *testing.T) {
	p := says(permission.Allow)
	w := newWorld(t, config{asker: p, hooks: decides(hookDefers), turns: []reply{makeIt, {text: "finished"}}})
	if result := w.prompt("go"); result.Text != "finished" || len(p.asked) != 1 || len(w.tools.list()) != 1 {
		t.Errorf("%+v, asked %d times", result, len(p.asked))
	}
	sub := newWorld(t, config{
		hooks: decides(hookAllows, hookDefers), turns: []reply{{calls: []model.Block{use("t1", "Task", subtask)}}, makeIt, {text: "sub"}, {text: "finished"}},
		change: func(c *agent.Config) { c.Parking = agent.ParkBatch },
	})
	if result := sub.prompt("go"); result.Text != "finished" || len(result.Denials) != 1 || len(sub.tools.list()) != 0 {
		t.Errorf("%+v, ran %v", result, sub.tools.list())
	}
}
