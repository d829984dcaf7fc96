package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// handler is a hook that answers by what it is told.
func handler(event hook.Event, answer func(told string) (hook.Output, error)) hook.Entry {
	return hook.Entry{Event: event, Handler: hook.Function{Label: "handler", Func: func(_ context.Context, in hook.Invocation) (hook.Output, error) {
		return answer(string(in.JSON))
	}}}
}

func TestS31_WhoStopsASubAgentStopsTheSession(t *testing.T) {
	p := &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Deny, Message: "no more of this", Interrupt: true}, nil
	}}
	w := newWorld(t, config{asker: p, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}}, {calls: []model.Block{use("s1", "Bash", push)}}, {text: "goes on"},
	}})
	result := w.prompt("go")
	if len(w.model.requests) != 2 || result.Subtype != wire.ErrorDuringExecution || result.StopReason != "tool_use" {
		t.Errorf("the model was asked %d times: %+v", len(w.model.requests), result)
	}
	if got := said(w.results()["s1"]); got != "no more of this" {
		t.Errorf("the call was answered with %q", got)
	}
	if got := w.results()["t1"]; !got.IsError {
		t.Errorf("the task was answered with %+v", got)
	}
}

// A person who stops one sub-agent does not wait for the others.
func TestS31_WhoStopsASubAgentStopsThoseBesideIt(t *testing.T) {
	p := &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Deny, Interrupt: true}, nil
	}}
	w := newWorld(t, config{asker: p})
	beside := make(chan struct{})
	w.model.list = []reply{
		{calls: []model.Block{use("t1", "Task", subtask), use("t2", "Task", subtask)}},
		{calls: []model.Block{use("s1", "Bash", push)}, during: func(context.Context) { <-beside }},
		{text: "late", during: func(ctx context.Context) { close(beside); <-ctx.Done() }},
	}
	if result := w.prompt("go"); result.Subtype != wire.ErrorDuringExecution {
		t.Errorf("%+v", result)
	}
}

func TestS21_AHookThatStopsASubAgentStopsTheSession(t *testing.T) {
	for _, event := range []hook.Event{hook.PreToolUse, hook.PostToolUse} {
		t.Run(string(event), func(t *testing.T) {
			stops := handler(event, func(told string) (hook.Output, error) {
				if strings.Contains(told, `"tool_name":"Bash"`) {
					return hook.Halt("the budget is spent"), nil
				}
				return hook.Output{}, nil
			})
			w := newWorld(t, config{mode: permission.BypassPermissions, hooks: []hook.Entry{stops}, turns: []reply{
				{calls: []model.Block{use("t1", "Task", subtask)}}, {calls: []model.Block{use("s1", "Bash", push)}}, {text: "goes on"}, {text: "the next prompt"},
			}})
			result := w.prompt("go")
			if len(w.model.requests) != 2 || result.Subtype != wire.Success || result.Text != "" || result.StopReason != "tool_use" {
				t.Errorf("the model was asked %d times: %+v", len(w.model.requests), result)
			}
			if got := said(w.results()["t1"]); !strings.Contains(got, "a hook stopped the session") {
				t.Errorf("the task was answered with %q", got)
			}
			w.model.list = w.model.list[1:]
			if result := w.prompt("again"); result.Text != "the next prompt" {
				t.Errorf("the next prompt: %+v", result)
			}
		})
	}
}

// A hook may take a while after the answer, and the record as well: who ends the work
// meanwhile ends this call, too.
func TestACallDoesNotRunAfterTheWorkHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := handler(hook.PermissionRequest, func(string) (hook.Output, error) {
			time.Sleep(500 * time.Millisecond)
			return hook.Output{}, nil
		})
		w := newWorld(t, config{mode: permission.Plan, asker: says(permission.Allow), hooks: []hook.Entry{slow}, turns: []reply{
			{calls: []model.Block{use("t1", "ExitPlanMode", `{"plan":"p"}`)}}, {text: "ok"},
		}})
		time.AfterFunc(200*time.Millisecond, func() {
			if err := w.agent.SetMode(permission.DontAsk); err != nil {
				t.Error(err)
			}
			w.agent.Interrupt()
		})
		w.prompt("go")
		if got := w.agent.Mode(); got != permission.DontAsk || len(w.tools.list()) != 0 {
			t.Errorf("the mode is %v, ran %v", got, w.tools.list())
		}
		if got := w.audit.decisions(); got != "deny" {
			t.Errorf("on record: %s", got)
		}
	})
}

// What is on record as allowed and does not run after all is followed by a record that
// says so.
func TestTheRecordOfACallThatWasCutOffSaysSo(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Bash", push)}}, {text: "ok"}}})
	w.audit.during = func() { w.agent.Interrupt() }
	w.prompt("go")
	if len(w.tools.list()) != 0 {
		t.Errorf("ran %v", w.tools.list())
	}
	if got := w.audit.decisions(); got != "allow deny" || !strings.Contains(w.audit.records[1].Reason, "interrupted") {
		t.Errorf("on record: %s %+v", got, w.audit.records)
	}
}

// Whoever chooses a mode while plan mode is about to be left has chosen last.
func TestS6_LeavingPlanModeDoesNotUndoAnotherChoice(t *testing.T) {
	w := newWorld(t, config{mode: permission.Plan, asker: says(permission.Allow), turns: []reply{
		{calls: []model.Block{use("t1", "ExitPlanMode", `{"plan":"p"}`)}}, {text: "ok"},
	}})
	w.audit.during = func() {
		if err := w.agent.SetMode(permission.DontAsk); err != nil {
			t.Error(err)
		}
	}
	w.prompt("go")
	if got := w.agent.Mode(); got != permission.DontAsk {
		t.Errorf("the mode is %v", got)
	}
}

// Calls beyond the limit cost one record, not one each, and all have an answer.
func TestTooManyCallsAreTurnedDownTogether(t *testing.T) {
	const n = 2000
	var calls []model.Block
	for i := range n {
		calls = append(calls, use(fmt.Sprint("c", i), "Bash", push))
	}
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: calls}, {text: "ok"}}})
	w.agent.SetModel("claude-opus-4-6") // one that can read so much
	if result := w.prompt("go"); result.Text != "ok" || len(result.Denials) != 0 {
		t.Errorf("%q, %d denials", result.Text, len(result.Denials))
	}
	if ran, records := len(w.tools.list()), len(w.audit.records); ran != 256 || records != 257 {
		t.Errorf("%d ran, %d records", ran, records)
	}
	if last := w.audit.records[256]; last.Decision != "error" || last.ToolUseID != "c256" || !strings.Contains(last.Reason, fmt.Sprint(n-257)) {
		t.Errorf("%+v", last)
	}
	answers := w.model.requests[1].Messages[2].Content
	if len(answers) != n || answers[n-1].ToolUseID != fmt.Sprint("c", n-1) || !strings.Contains(said(answers[n-1]), "at most 256") {
		t.Errorf("%d answers, the last %+v", len(answers), answers[len(answers)-1])
	}
}

func TestATurnOfEndlessCallsIsNone(t *testing.T) {
	calls, one := make([]model.Block, 100_001), use("", "Bash", push)
	for i := range calls {
		one.ID = strconv.Itoa(i)
		calls[i] = one
	}
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: calls}, {text: "ok"}}})
	if result := w.prompt("go"); !result.IsError || !strings.Contains(result.Text, "100001 calls") || len(w.tools.list()) != 0 {
		t.Errorf("%+v, ran %d", result, len(w.tools.list()))
	}
	if result := w.prompt("go on"); result.Text != "ok" {
		t.Errorf("%+v", result)
	}
}

func TestAnInterruptEndsALongTurn(t *testing.T) {
	var calls []model.Block
	for i := range 1000 {
		calls = append(calls, use(fmt.Sprint("c", i), "Bash", push))
	}
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: calls}, {text: "late"}}})
	var once sync.Once
	w.audit.during = func() { once.Do(w.agent.Interrupt) }
	result := w.prompt("go")
	if result.Subtype != wire.ErrorDuringExecution || len(w.tools.list()) != 0 || len(w.results()) != 1000 {
		t.Errorf("%v, %d ran, %d answers", result.Subtype, len(w.tools.list()), len(w.results()))
	}
}

func TestCallsWithoutAnIDAreNoTurn(t *testing.T) {
	w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("", "Bash", push), use("", "Bash", push)}}}})
	if result := w.prompt("go"); !result.IsError || len(w.tools.list()) != 0 {
		t.Errorf("%+v, ran %v", result, w.tools.list())
	}
}

// The limit is for the session: what sub-agents ask counts as well.
func TestMaxTurnsCountsWhatSubAgentsAsk(t *testing.T) {
	list := []reply{{calls: []model.Block{use("t1", "Task", subtask)}}}
	for i := range 30 {
		list = append(list, reply{calls: []model.Block{use(fmt.Sprint("s", i), "Bash", push)}})
	}
	w := newWorld(t, config{mode: permission.BypassPermissions, maxTurns: 3, turns: list})
	if result := w.prompt("go"); result.Subtype != wire.ErrorMaxTurns || len(w.model.requests) != 3 {
		t.Errorf("%v, the model was asked %d times", result.Subtype, len(w.model.requests))
	}
	if w.prompt("again"); len(w.model.requests) != 6 {
		t.Errorf("the next prompt asks anew: %d", len(w.model.requests))
	}
}

// A session that ends because nobody can read what its host says tells why in its last
// result.
func TestW5_TheLastResultSaysWhatCouldNotBeRead(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	w := newWorld(t, config{turns: []reply{{text: "never", during: func(context.Context) {
		cancel(&wire.InputError{Line: 3, Err: errors.New("/request_id: want a string, got a number")})
	}}}})
	result := w.agent.Prompt(ctx, agent.TextPrompt("go"))
	if !slices.Equal(result.Errors, []string{"interrupted", "stdin line 3: /request_id: want a string, got a number"}) {
		t.Errorf("%q", result.Errors)
	}

	ctx, cancel = context.WithCancelCause(t.Context())
	w = newWorld(t, config{turns: []reply{{text: "never", during: func(context.Context) { cancel(errors.New("a signal")) }}}})
	if result := w.agent.Prompt(ctx, agent.TextPrompt("go")); !slices.Equal(result.Errors, []string{"interrupted"}) {
		t.Errorf("%q", result.Errors)
	}
}
