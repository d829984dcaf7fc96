package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

const (
	hookEditsOther = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"make otherwise"}}}`
	hookHalts      = `{"continue":false,"stopReason":"freeze"}`
)

// breaks is a PreToolUse hook that does not work.
func breaks() []hook.Entry {
	return []hook.Entry{{Event: hook.PreToolUse, Handler: hook.Function{Label: "guard", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		return hook.Output{}, errors.New("the server is down")
	}}}}
}

// hears is a PreToolUse hook that notes the inputs it is told, and defers.
func hears(inputs *[]string) []hook.Entry {
	return []hook.Entry{{Event: hook.PreToolUse, Handler: hook.Function{Label: "hears", Func: func(_ context.Context, in hook.Invocation) (hook.Output, error) {
		*inputs = append(*inputs, string(in.Input.(hook.PreToolUseInput).ToolInput))
		out, _, err := hook.ReadOutput(hook.PreToolUse, []byte(hookDefers))
		return out, err
	}}}}
}

func yesTo(command string) agent.Word {
	return agent.Word{Kind: agent.Yes, By: "ann", Input: strictjson.Raw(`{"command":"` + command + `"}`)}
}

// What a person approved is exactly what runs, whatever else would let the call run. What
// keeps it from running only now uses nothing up.
func TestA2_WhatWasApprovedIsWhatRuns(t *testing.T) {
	for _, tt := range []struct {
		name  string
		hooks []hook.Entry
		rules []string
		mode  permission.Mode
		ran   bool   // what was approved
		says  string // what the model is told; empty means that the call waits on
		fails string // what the error result says
		warns string
	}{
		{name: "a rule allows the original", hooks: decides(silence), rules: []string{"allow Bash(make:*)"}, ran: true, says: "done: c1"},
		{name: "the mode allows everything", hooks: decides(silence), mode: permission.BypassPermissions, ran: true, says: "done: c1"},
		{name: "the hook allows", hooks: decides(hookAllows), ran: true, says: "done: c1"},
		{name: "the hook makes the same of it", hooks: decides(hookEdits), ran: true, says: "done: c1"},
		{name: "the hook makes something else of it", hooks: decides(hookEditsOther), fails: `approved as {"command":"make slowly"}, to {"command":"make otherwise"} (approve it`},
		{name: "a rule denies the original", hooks: decides(hookDefers), rules: []string{"deny Bash(make)"}, ran: true, says: "done: c1"},
		{name: "the hook is broken", hooks: breaks(), warns: "hook broken: function guard: the server is down"},
		{name: "nothing is asked in this mode", hooks: decides(silence), mode: permission.DontAsk, ran: true, says: "done: c1"},
		{name: "nothing is asked, and the hook defers", hooks: decides(hookDefers), mode: permission.DontAsk, ran: true, says: "done: c1"},
		{name: "nothing is asked, and a rule denies it", hooks: decides(silence), mode: permission.DontAsk, rules: []string{"deny Bash(make slowly)"}, says: "make slowly"},
		{name: "plan mode", hooks: decides(hookDefers), mode: permission.Plan, warns: "plan mode only reads"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := parked(t, nil, config{hooks: decides(hookDefers)})
			desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("make slowly")}}
			w := first.again(t, desk, config{hooks: tt.hooks, rules: tt.rules, mode: tt.mode, turns: []reply{{text: "finished"}}})
			result := w.agent.Resume(t.Context())
			if ran := strings.Join(w.tools.list(), "; "); tt.ran != (ran == `Bash {"command":"make slowly"}`) || !tt.ran && ran != "" {
				t.Errorf("ran %q", ran)
			}
			if tt.says != "" {
				if result.Text != "finished" || !strings.Contains(w.model.last(), tt.says) {
					t.Errorf("%+v\nthe model was told %s", result, w.model.last())
				}
				return
			}
			if !w.agent.Pending() || len(desk.notes) > 0 || len(w.model.requests) > 0 || result.StopReason != "tool_deferred" || len(result.Deferred) != 1 {
				t.Errorf("%+v; the desk was told %v", result, desk.notes)
			}
			if result.IsError != (tt.fails != "") || !strings.Contains(strings.Join(result.Errors, ""), tt.fails) || !strings.Contains(w.warnings(), tt.warns) {
				t.Errorf("%q, warned %q", result.Errors, w.warnings())
			}
		})
	}
}

// Hooks judge what would run: the input that was approved.
func TestA2_HooksAreToldWhatWasApproved(t *testing.T) {
	var told []string
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	w := first.again(t, &counterDesk{words: map[string]agent.Word{"c1": yesTo("make slowly")}}, config{hooks: hears(&told), turns: []reply{{text: "finished"}}})
	w.agent.Resume(t.Context())
	if got := strings.Join(told, ", "); got != `{"command":"make slowly"}` {
		t.Errorf("the hook was told %s", got)
	}
}

// Somebody answers while the hooks of a resumed call still think.
func TestS27_AnAnswerThatComesWhileTheCallIsJudged(t *testing.T) {
	for name, tt := range map[string]struct {
		word agent.Word
		ran  string
		says string
	}{
		"yes to another input": {yesTo("make slowly"), `Bash {"command":"make slowly"}`, "done: c1"},
		"no":                   {agent.Word{Kind: agent.No, Message: "not today"}, "", "not today"},
	} {
		t.Run(name, func(t *testing.T) {
			first := parked(t, nil, config{hooks: decides(hookDefers)})
			desk := &counterDesk{meanwhile: func(words map[string]agent.Word) { words["c1"] = tt.word }}
			w := first.again(t, desk, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
			result := w.agent.Resume(t.Context())
			if got := strings.Join(w.tools.list(), "; "); got != tt.ran || result.Text != "finished" || !strings.Contains(w.model.last(), tt.says) {
				t.Errorf("ran %q, %+v", got, result)
			}
		})
	}
}

// A SessionStart hook that wants no work stops parked calls as well.
func TestS21_AHookThatStopsTheSessionStopsParkedCalls(t *testing.T) {
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("make")}}
	freeze := hook.Entry{Event: hook.SessionStart, Handler: hook.Function{Label: "freeze", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		out, _, err := hook.ReadOutput(hook.SessionStart, []byte(hookHalts))
		return out, err
	}}}
	w := first.again(t, desk, config{hooks: []hook.Entry{freeze}, turns: []reply{{text: "finished"}}})
	w.agent.Start(t.Context(), "resume")
	result := w.agent.Resume(t.Context())
	if result.StopReason != "tool_deferred" || len(result.Deferred) != 1 || len(w.tools.list()) > 0 || len(desk.notes) > 0 || !strings.Contains(w.warnings(), "freeze") {
		t.Errorf("%+v, ran %v, the desk was told %v", result, w.tools.list(), desk.notes)
	}
	if result := w.prompt("more"); result.Text != "freeze" || !w.agent.Pending() || len(w.ends()) != 2 {
		t.Errorf("%+v, told %v", result, w.ends())
	}
}

// The end of its time lets a call run as a rule would, and is no person.
func TestS41_TheEndOfItsTimeIsNoPerson(t *testing.T) {
	question := `{"questions":[{"question":"Deploy?","header":"D","multiSelect":false,"options":[{"label":"Yes","description":"y"},{"label":"No","description":"n"}]}]}`
	for _, tt := range []struct {
		name, tool, input string
		hook              string
		rules             []string
		mode              permission.Mode
		asker             *person
		runs              bool
	}{
		{name: "an ordinary call", tool: "Bash", input: `{"command":"make"}`, hook: hookDefers, runs: true},
		{name: "the hook is gone", tool: "Bash", input: `{"command":"make"}`, hook: silence, runs: true},
		{name: "nothing is asked", tool: "Bash", input: `{"command":"make"}`, hook: hookDefers, mode: permission.DontAsk, runs: true},
		{name: "a rule asks", tool: "Bash", input: `{"command":"make"}`, hook: hookDefers, rules: []string{"ask Bash(make:*)"}},
		{name: "a rule denies", tool: "Bash", input: `{"command":"make"}`, hook: hookDefers, rules: []string{"deny Bash(make:*)"}},
		{name: "the danger floor", tool: "Bash", input: `{"command":"rm -rf .."}`, hook: hookDefers},
		{name: "the danger floor, under bypass", tool: "Bash", input: `{"command":"rm -rf .."}`, hook: hookDefers, mode: permission.BypassPermissions},
		{name: "a person is there", tool: "Bash", input: `{"command":"rm -rf .."}`, hook: hookDefers, asker: says(permission.Allow), runs: true},
		{name: "a protected path", tool: "Write", input: `{"file_path":"/project/.claude/settings.json","content":"{}"}`, hook: hookDefers},
		{name: "a question", tool: "AskUserQuestion", input: question, hook: hookDefers},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := config{hooks: decides(hookDefers), turns: []reply{{calls: []model.Block{use("c1", tt.tool, tt.input)}}}}
			c.change = func(c *agent.Config) { c.Parking = agent.ParkAlone }
			first := newWorld(t, c)
			if result := first.prompt("go"); result.StopReason != "tool_deferred" {
				t.Fatalf("%+v", result)
			}
			desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Lapsed}}}
			next := config{hooks: decides(tt.hook), rules: tt.rules, mode: tt.mode, turns: []reply{{text: "finished"}}}
			if tt.asker != nil {
				next.asker = tt.asker
			}
			w := first.again(t, desk, next)
			result := w.agent.Resume(t.Context())
			if result.Text != "finished" || tt.runs != (len(w.tools.list()) == 1) || tt.runs != (len(result.Denials) == 0) {
				t.Errorf("%+v, ran %v", result, w.tools.list())
			}
			if !tt.runs && tt.rules == nil && !strings.Contains(w.model.last(), "nobody answered in time") {
				t.Errorf("the model was told %s", w.model.last())
			}
			for _, r := range w.audit.records {
				if tt.asker == nil && r.Trust == permission.TrustPerson.String() {
					t.Errorf("a person is on record: %+v", r)
				}
			}
		})
	}
}

// A prompt takes the place of what nobody has answered, and of nothing else.
func TestS40_APromptDoesNotCancelWhatWasApproved(t *testing.T) {
	desk := &counterDesk{}
	w := parked(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "made"}, {text: "and now"}}})
	desk.words = map[string]agent.Word{"c1": yesTo("make slowly")} // while the process lives
	result := w.prompt("and now?")
	if got := strings.Join(w.tools.list(), "; "); got != `Bash {"command":"make slowly"}` || result.Text != "and now" || result.IsError {
		t.Errorf("ran %q, %+v", got, result)
	}
	if got := strings.Join(desk.notes, ", "); got != "claim c1, finish c1 true" {
		t.Errorf("the desk was told %q", got)
	}
	if len(w.model.requests) != 3 || strings.Contains(w.model.last(), "a new request came") {
		t.Errorf("%d requests, the last: %s", len(w.model.requests), w.model.last())
	}
}

// The answer comes at the last moment before the prompt takes the place of the call.
func TestS40_AnApprovalAtTheLastMoment(t *testing.T) {
	desk := &counterDesk{meanwhile: func(words map[string]agent.Word) { words["c1"] = yesTo("make slowly") }}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "made"}, {text: "and now"}}})
	if result := w.prompt("and now?"); result.Text != "and now" || len(w.tools.list()) != 1 || len(w.ends()) != 1 {
		t.Errorf("%+v, ran %v, told %v", result, w.tools.list(), w.ends())
	}
}

// What was approved and cannot run now keeps a prompt from going on without it.
func TestS40_AnApprovedCallThatCannotRunNow(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("make")}}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: breaks()})
	for what, result := range map[string]*wire.Result{"the first prompt": w.prompt("more"), "the second": w.prompt("more")} {
		if !result.IsError || !strings.Contains(strings.Join(result.Errors, ""), "hook broken: function guard") || len(result.Deferred) != 1 {
			t.Errorf("%s: %+v", what, result)
		}
	}
	if !w.agent.Pending() || len(desk.notes) > 0 || len(w.model.requests) > 0 {
		t.Errorf("the desk was told %v, %d requests", desk.notes, len(w.model.requests))
	}
}

// The desk is told before the model that a call is not run. A desk that cannot be told
// may hold an answer.
func TestS40_WithoutTheDeskNothingIsCancelled(t *testing.T) {
	desk := &counterDesk{}
	w := parked(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "other", during: func(context.Context) {
		if got := strings.Join(desk.notes, ", "); got != "cancel c1" {
			t.Errorf("before the model was told the desk was told %q", got)
		}
	}}}})
	desk.fault = errDesk
	if result := w.prompt("more"); !result.IsError || !strings.Contains(result.Errors[0], errDesk.Error()) || len(w.model.requests) != 1 || !w.agent.Pending() {
		t.Errorf("%+v, %d requests", result, len(w.model.requests))
	}
	desk.fault = nil
	if result := w.prompt("more"); result.Text != "other" || len(w.model.requests) != 2 {
		t.Errorf("%+v, %d requests", result, len(w.model.requests))
	}
}

// A no needs no tool, and a tool that is gone holds up no other call.
func TestD9_ADenialNeedsNoTool(t *testing.T) {
	without := func(c *agent.Config) { c.Tools = c.Tools[1:] } // Bash
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.No, By: "ann", Message: "gone for good"}}}
	w := first.again(t, desk, config{hooks: decides(hookDefers), change: without, turns: []reply{{text: "finished"}}})
	if result := w.agent.Resume(t.Context()); result.Text != "finished" || !strings.Contains(w.model.last(), "gone for good") || strings.Join(desk.notes, "") != "refuse c1" {
		t.Errorf("%+v", result)
	}

	batch := reply{calls: []model.Block{use("c1", "Bash", `{"command":"make"}`), use("c2", "Write", `{"file_path":"/project/x","content":"x"}`)}}
	two := newWorld(t, config{hooks: decides(hookDefers), turns: []reply{batch}, change: func(c *agent.Config) { c.Parking = agent.ParkBatch }})
	two.prompt("go")
	desk = &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}, "c2": {Kind: agent.Yes, By: "ann"}}}
	w = two.again(t, desk, config{hooks: decides(hookDefers), change: without})
	result := w.agent.Resume(t.Context())
	if got := strings.Join(w.tools.list(), ""); !strings.HasPrefix(got, "Write ") || result.StopReason != "tool_deferred_unavailable" || len(result.Deferred) != 1 || result.Deferred[0].ToolUseID != "c1" {
		t.Errorf("ran %q, %+v", got, result)
	}
}

// Nothing of a session runs as long as the outcome of one of its calls is unknown.
func TestS27_OneUnknownOutcomeStopsTheWholeBatch(t *testing.T) {
	batch := reply{calls: []model.Block{use("c1", "Bash", `{"command":"make 1"}`), use("c2", "Bash", `{"command":"make 2"}`)}}
	two := newWorld(t, config{hooks: decides(hookDefers), turns: []reply{batch}, change: func(c *agent.Config) { c.Parking = agent.ParkBatch }})
	two.prompt("go")
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}, "c2": {Kind: agent.OutcomeUnknown}}}
	w := two.again(t, desk, config{hooks: decides(hookDefers)})
	if result := w.agent.Resume(t.Context()); !result.IsError || !strings.Contains(result.Errors[0], "outcome unknown") || len(w.tools.list()) > 0 {
		t.Errorf("%+v, ran %v", result, w.tools.list())
	}
}

// On a terminal a hook that still defers is a question to the person there.
func TestD3_ResumedWhereAPersonIs(t *testing.T) {
	p := says(permission.Allow)
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	w := first.again(t, &counterDesk{}, config{hooks: decides(hookDefers), asker: p, turns: []reply{{text: "finished"}}, change: func(c *agent.Config) { c.Parking = agent.NoParking }})
	if result := w.agent.Resume(t.Context()); result.Text != "finished" || len(p.asked) != 1 || len(w.tools.list()) != 1 || !strings.Contains(w.warnings(), "a person is at hand") {
		t.Errorf("%+v, asked %d times, warned %q", result, len(p.asked), w.warnings())
	}
}

// The end of its time is on record with the call, so that no desk can lose it.
func TestS41_TheEndOfItsTimeIsOnRecord(t *testing.T) {
	terms := func(c *agent.Config) {
		c.Terms = agent.Terms{Lasts: time.Hour, Outcome: permission.Allow, Policy: "p1"}
	}
	first := parked(t, nil, config{hooks: decides(hookDefers), change: terms})
	desk := &counterDesk{}
	w := first.again(t, desk, config{hooks: decides(hookDefers)}) // where settings say nothing
	w.agent.Resume(t.Context())
	c := desk.parked["c1"]
	if c.Until.Sub(c.Since) != time.Hour || c.Outcome != permission.Allow || time.Since(c.Since) > time.Minute || c.Why != "ask ann, says hook function decides" {
		t.Errorf("%+v", c)
	}
	ever := parked(t, nil, config{hooks: decides(hookDefers)})
	desk = &counterDesk{}
	ever.again(t, desk, config{hooks: decides(hookDefers), change: terms}).agent.Resume(t.Context())
	if c := desk.parked["c1"]; !c.Until.IsZero() || c.Since.IsZero() {
		t.Errorf("what holds is what held when it was parked: %+v", c)
	}
}

// What waits is listed as a batch where batches may wait, also if it is one call.
func TestS24_ABatchOfOne(t *testing.T) {
	for parking, want := range map[agent.Parking]bool{agent.ParkAlone: false, agent.ParkBatch: true} {
		w := parked(t, nil, config{hooks: decides(hookDefers), change: func(c *agent.Config) { c.Parking = parking }})
		w.mu.Lock()
		text, err := wire.Encode(w.messages[len(w.messages)-1])
		w.mu.Unlock()
		if err != nil || strings.Contains(string(text), `"deferred_tool_uses":[{"id":"c1"`) != want || !strings.Contains(string(text), `"deferred_tool_use":{"id":"c1"`) {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// A hook that stops the session after this turn does so too if another call of the turn
// is parked in between.
func TestS21_AHaltOutlivesThePause(t *testing.T) {
	batch := reply{calls: []model.Block{use("c1", "Bash", `{"command":"make 1"}`), use("c2", "Bash", `{"command":"make 2"}`)}}
	first := newWorld(t, config{hooks: decides(hookDefers, hookHalts), turns: []reply{batch}, change: func(c *agent.Config) { c.Parking = agent.ParkBatch }})
	if result := first.prompt("go"); result.StopReason != "tool_deferred" || len(result.Deferred) != 1 {
		t.Fatalf("%+v", result)
	}
	w := first.again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "finished"}}})
	if result := w.agent.Resume(t.Context()); result.IsError || result.Text != "" || len(w.model.requests) > 0 || len(w.tools.list()) != 1 || w.agent.Pending() {
		t.Errorf("%+v, %d requests", result, len(w.model.requests))
	}
}

// A model may use an id again in a later turn.
func TestS27_AnIDThatComesAgain(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}
	first := parked(t, desk, config{hooks: decides(hookDefers)})
	before := desk.parked["c1"].Since
	w := first.again(t, desk, config{hooks: decides(hookDefers), turns: []reply{makeIt}})
	if result := w.agent.Resume(t.Context()); result.StopReason != "tool_deferred" || len(w.tools.list()) != 1 {
		t.Fatalf("%+v", result)
	}
	if since := desk.parked["c1"].Since; !since.After(before) {
		t.Errorf("the second was parked at %v, the first at %v", since, before)
	}
	if stand, err := w.transcript.Conversation(); err != nil || stand.Pending == nil || len(stand.Pending.Settled) > 0 || stand.Pending.Calls[0].Stage != session.Waiting {
		t.Errorf("%+v, %v", stand.Pending, err)
	}
}
