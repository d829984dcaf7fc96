package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// A hook that stops the session does so when it hears of a resumed call: before it runs
// or after. The model is not asked any more, and nothing waits.
func TestS21_AHookStopsAResumedCall(t *testing.T) {
	for name, tt := range map[string]struct {
		hooks  []hook.Entry
		ran    int
		denied int
		desk   string
	}{
		"before it runs":  {decides(hookHalts), 0, 1, "refuse c1"},
		"after it ran":    {append(decides(hookAllows), function(hook.PostToolUse, func() hook.Output { return hook.Halt("freeze") })), 1, 0, "claim c1, finish c1 true"},
		"while it defers": {decides(`{"continue":false,"stopReason":"freeze","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`), 0, 1, "refuse c1"},
	} {
		t.Run(name, func(t *testing.T) {
			desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}
			w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, desk, config{hooks: tt.hooks, turns: []reply{{text: "goes on"}}})
			result := w.agent.Resume(t.Context())
			if result.IsError || result.Subtype != wire.Success || result.Text != "" || len(result.Deferred) > 0 || len(result.Denials) != tt.denied {
				t.Errorf("%+v", result)
			}
			if len(w.model.requests) > 0 || len(w.tools.list()) != tt.ran || w.agent.Pending() {
				t.Errorf("%d requests, ran %v", len(w.model.requests), w.tools.list())
			}
			if got := strings.Join(desk.notes, ", "); got != tt.desk {
				t.Errorf("the desk was told %q", got)
			}
			if warned := w.warnings(); strings.Count(warned, "A hook stopped the session: freeze") != 1 || strings.Contains(warned, "as a hook wants") {
				t.Errorf("the halt is told once: %q", warned)
			}
			kept, err := w.transcript.Conversation()
			if err != nil || kept.Pending != nil || len(kept.Messages) != 3 || !strings.HasPrefix(told(kept.Messages[2]), "c1 ") {
				t.Errorf("on record: %+v, %v", kept, err)
			}
		})
	}
}

// The session stops after the turn, also if another call of it waits on for the next
// process.
func TestS21_AHaltOfAResumedCallOutlivesThePause(t *testing.T) {
	desk := &counterDesk{words: map[string]agent.Word{"c1": {Kind: agent.Yes, By: "ann"}}}
	halts := append(decides(hookDefers), function(hook.PostToolUse, func() hook.Output { return hook.Halt("freeze") }))
	first := parkedBatch(t, 2, nil).again(t, desk, config{hooks: halts, change: inBatches})
	if result := first.agent.Resume(t.Context()); result.StopReason != "tool_deferred" || len(result.Deferred) != 1 || len(first.tools.list()) != 1 {
		t.Fatalf("%+v", result)
	}
	w := first.again(t, desk, config{hooks: decides(hookAllows), turns: []reply{{text: "goes on"}}, change: inBatches})
	if result := w.agent.Resume(t.Context()); result.IsError || result.Text != "" || len(w.model.requests) > 0 || len(w.tools.list()) != 1 || w.agent.Pending() {
		t.Errorf("%+v, %d requests, ran %v", result, len(w.model.requests), w.tools.list())
	}
}

// Whoever interrupts a resumed session ends it there. A call that has not begun waits on
// with its answer; one that ran has its result, and is not run again.
func TestS21_AResumedSessionIsInterrupted(t *testing.T) {
	const thinks, recorded, runs = "a hook thinks", "it is recorded", "it runs"
	for _, tt := range []struct {
		while      string
		calls      int
		ran, waits int
		desk       string
	}{
		{thinks, 1, 0, 1, ""},
		{recorded, 1, 0, 1, ""},
		{runs, 1, 1, 0, "claim c1, finish c1 true"},
		{runs, 2, 1, 1, "claim c1, finish c1 true"},
	} {
		t.Run(fmt.Sprintf("while %s, of %d", tt.while, tt.calls), func(t *testing.T) {
			yes := agent.Word{Kind: agent.Yes, By: "ann"}
			desk := &counterDesk{words: map[string]agent.Word{"c1": yes, "c2": yes}}
			var w *world
			interrupt := func(now string) {
				if now == tt.while {
					w.agent.Interrupt()
				}
			}
			defers := function(hook.PreToolUse, func() hook.Output {
				interrupt(thinks)
				return hook.Defer("later")
			})
			w = parkedBatch(t, tt.calls, nil).again(t, desk, config{hooks: []hook.Entry{defers}, turns: []reply{{text: "goes on"}}, change: inBatches})
			w.audit.during = func() { interrupt(recorded) }
			w.tools.run = func(_ context.Context, job tool.Job) tool.Result {
				interrupt(runs)
				return tool.Succeed("done: " + job.ToolUseID)
			}
			result := w.agent.Resume(t.Context())
			if !result.IsError || result.Subtype != wire.ErrorDuringExecution || strings.Join(result.Errors, "") != "interrupted" || len(w.model.requests) > 0 {
				t.Errorf("%+v, %d requests", result, len(w.model.requests))
			}
			if got := strings.Join(desk.notes, ", "); got != tt.desk || len(w.tools.list()) != tt.ran || len(w.agent.Waiting()) != tt.waits {
				t.Errorf("the desk was told %q, ran %v, %v waits", got, w.tools.list(), w.agent.Waiting())
			}
			if tt.waits == 0 {
				return
			}
			later := w.again(t, desk, config{hooks: decides(hookDefers), turns: []reply{{text: "finished"}}, change: inBatches})
			if result := later.agent.Resume(t.Context()); result.Text != "finished" || len(later.tools.list()) != tt.waits {
				t.Errorf("the next process: %+v, ran %v", result, later.tools.list())
			}
		})
	}
}

// A person who denies one of several resumed calls and says stop has looked at none of
// the others: they wait on.
func TestS31_StopAtAResumedCall(t *testing.T) {
	stop := &person{answer: func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Deny, Message: "stop it", Interrupt: true}, nil
	}}
	desk := &counterDesk{}
	w := parkedBatch(t, 2, nil).again(t, desk, config{hooks: decides(hookAsks), asker: stop, change: inBatches})
	result := w.agent.Resume(t.Context())
	if !result.IsError || strings.Join(result.Errors, "") != "interrupted" || len(stop.asked) != 1 || len(w.tools.list()) > 0 || len(w.model.requests) > 0 {
		t.Errorf("%+v, asked %d times", result, len(stop.asked))
	}
	if got := strings.Join(desk.notes, ", "); got != "refuse c1" || len(w.agent.Waiting()) != 1 || w.agent.Waiting()[0].ToolUseID != "c2" {
		t.Errorf("the desk was told %q, %v waits", got, w.agent.Waiting())
	}
}

// The limit of turns holds for what a resumed session asks its model.
func TestS21_TheLimitOfTurnsAfterAPause(t *testing.T) {
	again := reply{calls: []model.Block{use("c2", "Bash", `{"command":"make 2"}`)}}
	w := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, nil, config{hooks: decides(hookAllows), maxTurns: 1, turns: []reply{again, {text: "goes on"}}})
	result := w.agent.Resume(t.Context())
	if !result.IsError || result.Subtype != wire.ErrorMaxTurns || len(w.model.requests) != 1 || len(w.tools.list()) != 2 {
		t.Errorf("%+v, %d requests, ran %v", result, len(w.model.requests), w.tools.list())
	}
	enough := parked(t, nil, config{hooks: decides(hookDefers)}).again(t, nil, config{hooks: decides(hookAllows), maxTurns: 1, turns: []reply{{text: "finished"}}})
	if result := enough.agent.Resume(t.Context()); result.IsError || result.Text != "finished" {
		t.Errorf("%+v", result)
	}
}
