package agent_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

const subtask = `{"description":"d","prompt":"do it"}`

func hasTool(r model.Request, name string) bool {
	return slices.ContainsFunc(r.Tools, func(t model.Tool) bool { return t.Name == name })
}

func TestS10_ASubAgentHasNoMorePermissionThanItsParent(t *testing.T) {
	p := says(permission.Allow)
	w := newWorld(t, config{asker: p, rules: []string{"deny Bash(git push:*)"}, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		{calls: []model.Block{use("s1", "Bash", push)}},
		{calls: []model.Block{use("s2", "Bash", `{"command":"make"}`)}},
		{text: "sub done"},
		{text: "done"},
	}})
	result := w.prompt("go")
	if got := w.tools.list(); len(got) != 1 || !strings.Contains(got[0], "make") {
		t.Errorf("ran %v", got)
	}
	if len(p.asked) != 1 || p.asked[0].ToolUseID != "s2" || !strings.HasPrefix(p.asked[0].AgentID, "a") {
		t.Errorf("asked %+v", p.asked)
	}
	if len(result.Denials) != 1 || result.Denials[0].ToolUseID != "s1" || result.Text != "done" {
		t.Errorf("%+v", result)
	}
	if got := said(w.results()["t1"]); got != "sub done" {
		t.Errorf("the parent was told %q", got)
	}
	for _, m := range w.messages {
		if a, ok := m.(*wire.Assistant); ok && strings.HasPrefix(a.Block.ID, "s") && a.ParentToolUseID != "t1" {
			t.Errorf("%s has the parent %q", a.Block.ID, a.ParentToolUseID)
		}
	}
	agents := map[string]bool{}
	for _, r := range w.audit.records {
		agents[r.ToolUseID+" "+r.Agent[:min(1, len(r.Agent))]] = true
	}
	if !agents["t1 "] || !agents["s1 a"] || !agents["s2 a"] {
		t.Errorf("audit %v", agents)
	}
}

func TestSubAgentsHearOfChangesAtOnce(t *testing.T) {
	p := &person{}
	w := newWorld(t, config{asker: p, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		{calls: []model.Block{use("s1", "Bash", push)}},
		{calls: []model.Block{use("s2", "Bash", push)}},
		{text: "sub done"},
		{text: "done"},
	}})
	p.answer = func(context.Context, agent.Question) (permission.Answer, error) {
		return permission.Answer{Behavior: permission.Allow}, w.agent.SetMode(permission.BypassPermissions)
	}
	w.prompt("go")
	if len(p.asked) != 1 || len(w.tools.list()) != 2 {
		t.Errorf("asked %d times, ran %v", len(p.asked), w.tools.list())
	}
}

func TestSubAgentsAreNestedThreeDeep(t *testing.T) {
	down := reply{calls: []model.Block{use("t", "Task", subtask)}}
	w := newWorld(t, config{turns: []reply{down, down, down, {text: "deepest"}, {text: "third"}, {text: "second"}, {text: "first"}}})
	if result := w.prompt("go"); result.Text != "first" {
		t.Fatalf("%+v", result)
	}
	deepest := w.model.requests[3]
	if hasTool(deepest, "Task") || !hasTool(w.model.requests[2], "Task") {
		t.Error("the third in a row is the last that has no Task")
	}
	if hasTool(deepest, "ExitPlanMode") {
		t.Error("a sub-agent can leave plan mode")
	}
}

func TestH1_HooksOfSubAgents(t *testing.T) {
	var mu sync.Mutex
	var told []string
	note := func(event hook.Event) hook.Entry {
		return hook.Entry{Event: event, Handler: hook.Function{Label: string(event), Func: func(_ context.Context, call hook.Invocation) (hook.Output, error) {
			mu.Lock()
			defer mu.Unlock()
			mark := ""
			if strings.Contains(string(call.JSON), `"agent_type":"general-purpose"`) {
				mark = "*"
			}
			told = append(told, string(event)+mark)
			return hook.Output{}, nil
		}}}
	}
	var entries []hook.Entry
	for _, e := range []hook.Event{hook.UserPromptSubmit, hook.SubagentStart, hook.SubagentStop, hook.Stop, hook.PreToolUse} {
		entries = append(entries, note(e))
	}
	w := newWorld(t, config{mode: permission.BypassPermissions, hooks: entries, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}}, {calls: []model.Block{use("s1", "Bash", push)}}, {text: "sub done"}, {text: "done"},
	}})
	w.prompt("go")
	want := []string{"UserPromptSubmit", "PreToolUse", "SubagentStart*", "PreToolUse*", "SubagentStop*", "Stop"}
	if !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}

func TestATaskThatCannotBe(t *testing.T) {
	for name, tt := range map[string]struct{ input, wants string }{
		"unknown kind": {`{"description":"d","prompt":"p","subagent_type":"wizard"}`, "general-purpose"},
		"background":   {`{"description":"d","prompt":"p","run_in_background":true}`, "side by side"},
		"resume":       {`{"description":"d","prompt":"p","resume":"a1"}`, "start a new one"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, config{turns: []reply{{calls: []model.Block{use("t1", "Task", tt.input)}}, {text: "done"}}})
			w.prompt("go")
			if b := w.results()["t1"]; !b.IsError || !strings.Contains(said(b), tt.wants) {
				t.Errorf("%+v", b)
			}
		})
	}
}

func TestInterruptReachesSubAgents(t *testing.T) {
	var w *world
	w = newWorld(t, config{turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		{text: "late", during: func(ctx context.Context) { w.agent.Interrupt(); <-ctx.Done() }},
	}})
	result := w.prompt("go")
	if result.Subtype != wire.ErrorDuringExecution || !w.results()["t1"].IsError {
		t.Errorf("%+v, %+v", result, w.results())
	}
}

// A task that names no kind of agent starts the general one: what is said about that
// holds.
func TestS10_ATaskOfNoKindIsGeneral(t *testing.T) {
	for _, rule := range []string{"deny Task(general-purpose)", "deny Agent(general-purpose)", "ask Task(general-purpose)"} {
		w := newWorld(t, config{rules: []string{rule}, asker: says(permission.Deny), turns: []reply{
			{calls: []model.Block{use("t1", "Task", subtask), use("t2", "Task", `{"description":"d","prompt":"p","subagent_type":""}`)}}, {text: "done"},
		}})
		if result := w.prompt("go"); len(result.Denials) != 2 || result.Text != "done" {
			t.Errorf("%s: %+v", rule, result)
		}
	}
}
