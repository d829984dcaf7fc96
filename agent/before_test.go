package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/wire"
)

// ends are the results that were told, each as one text.
func (w *world) ends() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for _, m := range w.messages {
		if r, ok := m.(*wire.Result); ok {
			list = append(list, strings.TrimSpace(string(r.Subtype)+" "+r.Text))
		}
	}
	return list
}

// answersWhen says when somebody approves a call that waits: before the prompt comes, or
// at the last moment.
var answersWhen = map[string]func(desk *counterDesk, yes agent.Word){
	"before the prompt": func(desk *counterDesk, yes agent.Word) { desk.words = map[string]agent.Word{"c1": yes} },
	"at the last moment": func(desk *counterDesk, yes agent.Word) {
		desk.meanwhile = func(words map[string]agent.Word) { words["c1"] = yes }
	},
}

// What a custom command may do holds for its own prompt, and not for the work of the
// prompt before, which is finished first.
func TestS43_RulesOfACommandDoNotHoldForWhatWaited(t *testing.T) {
	for name, answers := range answersWhen {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{}
			w := parked(t, desk, config{
				hooks: decides(hookDefers, hookDefers, silence), change: shipping(t, "big-model", "Bash(git push:*)"),
				turns: []reply{onePush("c2"), {text: "made"}, onePush("c3"), {text: "shipped"}},
			})
			answers(desk, agent.Word{Kind: agent.Yes, By: "ann"})
			if result := w.prompt("/ship now"); result.IsError || result.Text != "shipped" {
				t.Errorf("%+v", result)
			}
			if r := w.results(); r["c1"].IsError || !r["c2"].IsError || r["c3"].IsError || len(w.tools.list()) != 2 {
				t.Errorf("ran %v, told %+v", w.tools.list(), r)
			}
			var models []string
			for _, r := range w.model.requests {
				models = append(models, r.Model)
			}
			if got := strings.Join(models, " "); got != "test-model test-model test-model big-model big-model" {
				t.Errorf("asked %s", got)
			}
		})
	}
}

// A prompt that is not worked off takes the place of nothing.
func TestS40_APromptThatIsTurnedAwayCancelsNothing(t *testing.T) {
	blocks := function(hook.UserPromptSubmit, func() hook.Output { return hook.Block("not that") })
	for name, tt := range map[string]struct {
		hooks  []hook.Entry
		prompt string
	}{
		"no such command": {nil, "/sail"},
		"a hook refuses":  {[]hook.Entry{blocks}, "more"},
		"summing up":      {nil, "/compact"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: append(decides(hookDefers), tt.hooks...), change: shipping(t, "")})
			if result := w.prompt(tt.prompt); result.Text == "" && len(result.Errors) == 0 {
				t.Errorf("%+v", result)
			}
			if !w.agent.Pending() || len(desk.notes) > 0 || len(w.model.requests) > 0 {
				t.Errorf("the desk was told %v", desk.notes)
			}
		})
	}
}

// refunding is a world in which a call of a server's tool waits.
func refunding(t *testing.T) *world {
	t.Helper()
	servers := &shelf{}
	servers.put("mcp__pay__refund")
	w := newWorld(t, config{hooks: decides(hookDefers), turns: []reply{{calls: []model.Block{use("c1", "mcp__pay__refund", `{}`)}}}, change: func(c *agent.Config) {
		c.Servers, c.Parking = servers, agent.ParkAlone
	}})
	if result := w.prompt("go"); result.StopReason != "tool_deferred" {
		t.Fatalf("%+v", result)
	}
	return w
}

// The tool of a call may come with a server that is connected when the session goes on.
func TestD9_TheToolComesWithItsServer(t *testing.T) {
	for name, goOn := range map[string]func(*world) *wire.Result{
		"without a prompt": func(w *world) *wire.Result { return w.agent.Resume(t.Context()) },
		"before a prompt":  func(w *world) *wire.Result { return w.prompt("and now?") },
	} {
		servers := &shelf{}
		w := refunding(t).again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "refunded"}, {text: "well"}}, change: func(c *agent.Config) { c.Servers = servers }})
		servers.put("mcp__pay__refund")
		if result := goOn(w); result.IsError || said(w.results()["c1"]) != "mcp__pay__refund has run c1" {
			t.Errorf("%s: %+v, told %v", name, result, w.results())
		}
	}
}

// forgetful is a desk that takes every cancellation, whatever it holds.
type forgetful struct{ counterDesk }

func (d *forgetful) Cancel(context.Context, []agent.ParkedCall, string) error { return nil }

// The model is not told that a call was not run when nobody can say what became of it.
func TestS40_WhatNobodyCanReadIsNotCancelled(t *testing.T) {
	desk := &forgetful{}
	breaks := function(hook.UserPromptSubmit, func() hook.Output { // after what waits was looked at
		desk.mu.Lock()
		defer desk.mu.Unlock()
		desk.fault = errDesk
		return hook.Output{}
	})
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: append(decides(hookDefers), breaks), turns: []reply{{text: "other"}}})
	for range 2 {
		if result := w.prompt("more"); !result.IsError || !strings.Contains(result.Errors[0], errDesk.Error()) || !w.agent.Pending() || len(w.model.requests) > 0 {
			t.Errorf("%+v, %d requests", result, len(w.model.requests))
		}
	}
}

// Hooks are asked once more about calls of an earlier process, before the first prompt.
// Calls that have begun to wait in this one have heard them: only an answer at the desk
// counts then.
func TestD2_HooksAreAskedAgainInAnotherProcess(t *testing.T) {
	w := parked(t, nil, config{hooks: decides(hookDefers, hookAllows), turns: []reply{{text: "other"}}})
	if result := w.prompt("more"); result.Text != "other" || len(w.tools.list()) > 0 || !strings.Contains(w.model.last(), "a new request came") {
		t.Errorf("the same process: %+v, ran %v", result, w.tools.list())
	}
	w = parked(t, nil, config{hooks: decides(hookDefers)}).again(t, nil, config{
		hooks: decides(hookAllows, hookDefers, hookAllows), turns: []reply{{text: "made"}, makeIt, {text: "other"}},
	})
	w.prompt("more")
	w.prompt("even more")
	if got := strings.Join(w.ends(), "; "); got != "success made; success; success other" || len(w.tools.list()) != 1 {
		t.Errorf("another process: %s, ran %v", got, w.tools.list())
	}
}

// Half of a batch was answered while the process lives: hooks have no say about the other
// half.
func TestD2_TheRestOfABatchHearsNoHooks(t *testing.T) {
	desk := &counterDesk{}
	w := newWorld(t, config{hooks: decides(hookDefers, hookDefers, hookAllows), turns: []reply{makes(2), {text: "other"}}, change: func(c *agent.Config) {
		c.Parking, c.Desk = agent.ParkBatch, desk
	}})
	w.prompt("go")
	desk.words = map[string]agent.Word{"c2": {Kind: agent.Yes, By: "ann"}}
	if result := w.prompt("more"); result.Text != "other" {
		t.Errorf("%+v", result)
	}
	if got := strings.Join(w.tools.list(), "; "); got != `Bash {"command":"make 2"}` {
		t.Errorf("ran %s", got)
	}
	if got := strings.Join(desk.notes, ", "); got != "claim c2, finish c2 true, cancel c1" {
		t.Errorf("the desk was told %q", got)
	}
}

// What is taken up before the first prompt has a result of its own, and the prompt begins
// behind it. Later every prompt has one result.
func TestS40_OneResultForEveryPrompt(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": yesTo("make")}}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{
		hooks: decides(hookDefers), turns: []reply{{text: "made"}, makeIt, {text: "made again"}, {text: "other"}},
	})
	var before []string // the results that were told before each prompt began
	for range 2 {
		w.agent.Prompt(t.Context(), agent.Prompt{Content: agent.TextPrompt("more").Content, Begins: func() {
			before = append(before, strings.Join(w.ends(), ", "))
		}})
	}
	if got := strings.Join(before, "; "); got != "success made; success made, success" {
		t.Errorf("before the prompts began: %s", got)
	}
	if got := strings.Join(w.ends(), ", "); got != "success made, success, success other" || len(w.tools.list()) != 2 {
		t.Errorf("ends: %s, ran %v", got, w.tools.list())
	}
}

// A take-up that fails is the end of the prompt, which begins before its result. The next
// prompt finds the call as the first one did, and hooks are asked about it.
func TestS40_AfterATakeUpThatFailed(t *testing.T) {
	servers := &shelf{}
	w := refunding(t).again(t, nil, config{hooks: decides(hookAllows), turns: []reply{{text: "refunded"}, {text: "other"}}, change: func(c *agent.Config) { c.Servers = servers }})
	var before []string // the results that were told before each prompt began
	prompt := func() *wire.Result {
		return w.agent.Prompt(t.Context(), agent.Prompt{Content: agent.TextPrompt("more").Content, Begins: func() {
			before = append(before, strings.Join(w.ends(), ", "))
		}})
	}
	for range 2 {
		if result := prompt(); result.StopReason != "tool_deferred_unavailable" || len(result.Errors) != 2 || !strings.Contains(result.Errors[1], "the prompt was not worked off") {
			t.Errorf("%+v", result)
		}
	}
	servers.put("mcp__pay__refund")
	if result := prompt(); result.IsError || result.Text != "other" {
		t.Errorf("%+v", result)
	}
	if got := strings.Join(before, "; "); got != "; error_during_execution; error_during_execution, error_during_execution" {
		t.Errorf("before the prompts began: %s", got)
	}
	if got := strings.Join(w.ends(), ", "); got != "error_during_execution, error_during_execution, success other" || len(w.results()) != 1 {
		t.Errorf("ends: %s", got)
	}
}

// A hook that stops the work on what waited does not make the prompt vanish.
func TestS21_AHaltBeforeAPromptIsNotAboutThePrompt(t *testing.T) {
	for name, answers := range answersWhen {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{}
			halts := append(decides(hookDefers), function(hook.PostToolUse, func() hook.Output { return hook.Halt("freeze") }))
			w := parked(t, desk, config{hooks: halts, turns: []reply{{text: "other"}}})
			answers(desk, agent.Word{Kind: agent.Yes, By: "ann"})
			result := w.prompt("more")
			if result.Text != "other" || len(w.tools.list()) != 1 || len(w.model.requests) != 2 {
				t.Errorf("%+v, ran %v, %d requests", result, w.tools.list(), len(w.model.requests))
			}
			messages := w.model.requests[1].Messages
			if got := told(messages[len(messages)-1]); got != "more" {
				t.Errorf("the model was asked %q", got)
			}
		})
	}
}

// A Stop hook that made the model go on with what waited has not done so with the prompt.
func TestS21_TheStopOfAPromptIsItsOwn(t *testing.T) {
	for name, answers := range answersWhen {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{}
			var active []bool
			objects := hook.Entry{Event: hook.Stop, Handler: hook.Function{Label: "objects", Func: func(_ context.Context, in hook.Invocation) (hook.Output, error) {
				if active = append(active, in.Input.(hook.StopInput).StopHookActive); len(active) == 1 {
					return hook.Block("go on"), nil
				}
				return hook.Output{}, nil
			}}}
			w := parked(t, desk, config{hooks: append(decides(hookDefers), objects), turns: []reply{{text: "made"}, {text: "really"}, {text: "other"}}})
			answers(desk, agent.Word{Kind: agent.Yes, By: "ann"})
			if result := w.prompt("more"); result.Text != "other" || fmt.Sprint(active) != "[false true false]" {
				t.Errorf("%+v, %v", result, active)
			}
		})
	}
}

// What was taken up does not use up the turns of the prompt.
func TestS21_TheLimitOfTurnsIsThatOfEachPrompt(t *testing.T) {
	for name, answers := range answersWhen {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{}
			w := parked(t, desk, config{hooks: decides(hookDefers), maxTurns: 1, turns: []reply{{text: "made"}, {text: "other"}}})
			answers(desk, agent.Word{Kind: agent.Yes, By: "ann"})
			if result := w.prompt("more"); result.IsError || result.Text != "other" {
				t.Errorf("%+v", result)
			}
		})
	}
}

// Whoever interrupts what is taken up does not get the prompt behind it either, and is
// not told what they know.
func TestS21_AnInterruptBeforeThePrompt(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}
	var w *world
	w = parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{
		hooks: decides(hookDefers), turns: []reply{{text: "made", during: func(context.Context) { w.agent.Interrupt() }}, {text: "other"}},
	})
	if result := w.prompt("more"); fmt.Sprint(result.Errors) != "[interrupted]" || len(w.model.requests) != 1 {
		t.Errorf("%+v, %d requests", result, len(w.model.requests))
	}
	if result := w.prompt("more"); result.Text != "other" || len(w.tools.list()) != 1 {
		t.Errorf("%+v, ran %v", result, w.tools.list())
	}
}
