package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// mended is a PreToolUse hook that does not work until somebody mends it; then it answers.
func mended(working *bool, output string) []hook.Entry {
	return []hook.Entry{{Event: hook.PreToolUse, Handler: hook.Function{Label: "guard", Func: func(context.Context, hook.Invocation) (hook.Output, error) {
		if !*working {
			return hook.Output{}, errors.New("the server is down")
		}
		out, _, err := hook.ReadOutput(hook.PreToolUse, []byte(output))
		return out, err
	}}}}
}

// A hook that is broken may know an answer: a prompt does not take the place of the call, as
// it does not where the desk cannot be read.
func TestS40_ABrokenHookKeepsThePromptBack(t *testing.T) {
	working := false
	desk := &counterDesk{}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: mended(&working, hookAllows), turns: []reply{{text: "made"}, {text: "other"}}})
	for range 2 {
		result := w.prompt("more")
		if !result.IsError || len(result.Deferred) != 1 || !strings.Contains(strings.Join(result.Errors, ""), "nobody can say whether it was answered") {
			t.Errorf("%+v", result)
		}
	}
	if !w.agent.Pending() || len(desk.notes) > 0 || len(w.model.requests) > 0 {
		t.Errorf("the desk was told %v", desk.notes)
	}
	working = true
	if result := w.prompt("more"); result.IsError || result.Text != "other" || len(w.tools.list()) != 1 {
		t.Errorf("%+v, ran %v", result, w.tools.list())
	}
}

// After an error the next prompt finds all calls as the first one did, whatever the error
// came from.
func TestS40_AfterABrokenHookAllAreLookedAtAgain(t *testing.T) {
	for name, word := range map[string]agent.Word{"approved": {Kind: agent.Yes, By: "ann"}, "not answered": {}} {
		working := false
		hooks := []hook.Entry{{Event: hook.PreToolUse, Handler: hook.Function{Label: "guard", Func: func(_ context.Context, in hook.Invocation) (hook.Output, error) {
			say := hookAllows
			if !working && strings.Contains(string(in.Input.(hook.PreToolUseInput).ToolInput), "make 1") {
				return hook.Output{}, errors.New("the server is down")
			}
			if !working {
				say = hookDefers
			}
			out, _, err := hook.ReadOutput(hook.PreToolUse, []byte(say))
			return out, err
		}}}}
		desk := &counterDesk{words: map[string]agent.Word{"c1": word}}
		w := parkedBatch(t, 2, nil).again(t, desk, config{hooks: hooks, turns: []reply{{text: "made"}, {text: "other"}}, change: inBatches})
		if result := w.prompt("more"); !result.IsError || len(result.Deferred) != 2 {
			t.Errorf("%s: %+v", name, result)
		}
		working = true
		if result := w.prompt("more"); result.Text != "other" || len(w.tools.list()) != 2 {
			t.Errorf("%s: %+v, ran %v", name, result, w.tools.list())
		}
	}
}

// Plan mode leaves every call waiting that it keeps from running, whatever was said. Only
// of one that nobody has answered a prompt takes the place.
func TestS26_PlanModeLeavesCallsWaiting(t *testing.T) {
	for name, tt := range map[string]struct {
		hook  string
		word  agent.Word
		keeps string // what the prompt is told; empty means that it takes the place of the call
	}{
		"nobody has answered":     {hookDefers, agent.Word{}, ""},
		"the hook asks":           {hookAsks, agent.Word{}, ""},
		"the hook is gone":        {silence, agent.Word{}, ""},
		"the hook allows":         {hookAllows, agent.Word{}, "although a hook allows it"},
		"somebody has approved":   {hookDefers, agent.Word{Kind: agent.Yes, By: "ann"}, "its answer still holds"},
		"nobody answered in time": {hookDefers, agent.Word{Kind: agent.Lapsed}, "its answer still holds"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": tt.word}}
			first := parked(t, nil, config{hooks: decides(hookDefers)})
			w := first.again(t, desk, config{hooks: decides(tt.hook), mode: permission.Plan})
			if result := w.agent.Resume(t.Context()); result.IsError || result.StopReason != "tool_deferred" || !w.agent.Pending() || len(desk.notes) > 0 {
				t.Errorf("%+v, the desk was told %v", result, desk.notes)
			}
			if warned := w.warnings(); !strings.Contains(warned, "--permission-mode default") || strings.Contains(warned, "ExitPlanMode") {
				t.Errorf("warned %q", warned)
			}
			w = first.again(t, desk, config{hooks: decides(tt.hook), mode: permission.Plan, turns: []reply{{text: "other"}}})
			result := w.prompt("more")
			if tt.keeps == "" && (result.Text != "other" || strings.Join(desk.notes, "") != "cancel c1") {
				t.Errorf("%+v, the desk was told %v", result, desk.notes)
			}
			if warned := w.warnings(); strings.Contains(warned, "waits on") != (tt.keeps != "") || strings.Contains(warned, "takes its place") != (tt.keeps == "") {
				t.Errorf("warned %q before a prompt", warned)
			}
			if tt.keeps != "" && (!result.IsError || !strings.Contains(strings.Join(result.Errors, ""), tt.keeps) || len(desk.notes) > 0) {
				t.Errorf("%+v, the desk was told %v", result, desk.notes)
			}
		})
	}
}

// What another hook makes of a call that was approved keeps it from running, also if one
// wants it to wait: the deferring hook is the normal case, and the other one may be what
// makes the call safe.
func TestA2_WhatAHookMakesOfADeferredCall(t *testing.T) {
	for name, tt := range map[string]struct {
		approved string
		edits    []hook.Entry
		ran      string
		fails    string
	}{
		"as it was parked":          {"make", decides(hookEdits), "", `approved as {"command":"make"}, to {"command":"make slowly"}`},
		"as the hook makes it":      {"make slowly", decides(hookEdits), `Bash {"command":"make slowly"}`, ""},
		"what a hook makes anew":    {"nice make", nices(), `Bash {"command":"nice make"}`, ""},
		"what no hook makes of it":  {"nice nice make", nices(), "", `to {"command":"nice nice nice make"}`},
		"the hook makes no change":  {"make", decides(hookAllows), `Bash {"command":"make"}`, ""},
		"the hook makes an invalid": {"make", decides(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":7}}}`), "", `to {"command":7}`},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo(tt.approved)}}
			both := append(decides(hookDefers), tt.edits...)
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: both, turns: []reply{{text: "finished"}}})
			result := w.agent.Resume(t.Context())
			if ran := strings.Join(w.tools.list(), "; "); ran != tt.ran || !strings.Contains(strings.Join(result.Errors, ""), tt.fails) || result.IsError != (tt.fails != "") {
				t.Errorf("ran %q, %+v", ran, result)
			}
			if tt.fails != "" && (!w.agent.Pending() || len(desk.notes) > 0) {
				t.Errorf("the desk was told %v", desk.notes)
			}
		})
	}
	desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("nice make")}}
	both := append(decides(hookDefers), nices()...)
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: both, rules: []string{"deny Bash(nice make)"}, turns: []reply{{text: "finished"}}})
	if result := w.agent.Resume(t.Context()); len(w.tools.list()) > 0 || len(result.Denials) != 1 {
		t.Errorf("a rule denies it: %+v, ran %v", result, w.tools.list())
	}
}

// What a process has left that died before the model was told has a result of its own,
// whatever the model makes of it.
func TestD8_WhatTheModelIsToldBeforeAPromptHasAResult(t *testing.T) {
	first := parked(t, nil, config{hooks: decides(hookDefers)})
	settled := session.Settlement{ToolUseID: "c1", Result: model.Block{Kind: model.ToolResult, ToolUseID: "c1", Result: []model.Block{model.TextBlock("made")}}}
	if err := first.transcript.Append(session.Settled, settled); err != nil {
		t.Fatal(err)
	}
	again := reply{calls: []model.Block{use("c2", "Bash", `{"command":"make 2"}`)}, usage: model.Usage{InputTokens: 1000, OutputTokens: 500}}
	w := first.again(t, nil, config{hooks: decides(hookDefers), turns: []reply{again, {text: "other"}}})
	result := w.prompt("more")
	if got := strings.Join(w.ends(), ", "); got != "success, success other" {
		t.Errorf("told %s", got)
	}
	if result.Usage.InputTokens != 0 {
		t.Errorf("%+v", result)
	}
	ends := 0
	for r, err := range w.transcript.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == session.Ended {
			ends++
		}
	}
	if ends != 3 { // of the prompt that parked the call, of what was taken up, and of this one
		t.Errorf("%d ends are on record", ends)
	}
}

// Only once the model owes an answer to what a dead process has asked it.
func TestD8_TheModelIsAskedOnceForWhatItOwes(t *testing.T) {
	for name, answer := range map[string]reply{"a text": {text: "well"}, "an empty turn": {}} {
		first := newWorld(t, config{})
		if err := first.transcript.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("go")}}); err != nil {
			t.Fatal(err)
		}
		w := first.again(t, nil, config{turns: []reply{{err: errDesk}, answer}})
		for _, want := range []bool{true, false} { // a model that gives no turn still owes it
			if !w.agent.Unfinished() {
				t.Fatalf("%s: nothing is unfinished", name)
			}
			if w.agent.Resume(t.Context()); w.agent.Unfinished() != want {
				t.Errorf("%s: unfinished is %v, want %v", name, !want, want)
			}
		}
	}
}
