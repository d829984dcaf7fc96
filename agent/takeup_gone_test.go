package agent_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// goneHost is a host whose input has ended.
func goneHost(t *testing.T) *wire.Host {
	t.Helper()
	out := wire.NewOutput(io.Discard, "s", wire.StreamJSON, true)
	t.Cleanup(func() { out.Close() })
	h := wire.NewHost(out, nil)
	if err := h.Serve(strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	return h
}

// callback is a hook of a host that matches everything.
func callback(t *testing.T, h *wire.Host, event hook.Event, onFailure string) []hook.Entry {
	t.Helper()
	entries, _, err := h.Entries(wire.Initialize{Hooks: map[string][]wire.HookMatcher{string(event): {{CallbackIDs: []string{"h"}, OnFailure: onFailure}}}})
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// deadTool is a tool for questions that does not work any more.
type deadTool struct{ tool.Runner }

func (deadTool) Name() string { return "mcp__people__ask" }

func (deadTool) Run(context.Context, tool.Job) tool.Result { return tool.Fail("the server has ended") }

// A host that is gone answers nothing, and neither does one whose answer is no decision: a call that waits
// is neither denied nor run because of it, its ticket waits on, and no prompt takes its place.
func TestS45_AHostThatIsGoneAnswersNothing(t *testing.T) {
	h := goneHost(t)
	gone := agent.HostAsker{Host: h}
	for name, c := range map[string]struct {
		config
		word agent.Word
	}{
		"a hook asks":                         {config: config{hooks: decides(hookAsks), asker: gone}},
		"nothing allows it":                   {config: config{hooks: decides(silence), asker: gone}},
		"a hook allows what needs a person":   {config: config{hooks: decides(hookAllows), asker: gone, rules: []string{"ask Bash(make:*)"}}},
		"its time has ended":                  {config: config{hooks: decides(hookDefers), asker: gone, rules: []string{"ask Bash(make:*)"}}, word: agent.Word{Kind: agent.Lapsed}},
		"its hook":                            {config: config{hooks: callback(t, h, hook.PreToolUse, "")}},
		"its hook, and a rule allows it":      {config: config{hooks: callback(t, h, hook.PreToolUse, "continue"), rules: []string{"allow Bash(make:*)"}}},
		"its hook, and the end of its time":   {config: config{hooks: callback(t, h, hook.PreToolUse, "continue")}, word: agent.Word{Kind: agent.Lapsed}},
		"its PermissionRequest hook":          {config: config{hooks: append(decides(hookAsks), callback(t, h, hook.PermissionRequest, "block")...)}},
		"its PermissionRequest hook, allowed": {config: config{hooks: append(decides(hookAllows), callback(t, h, hook.PermissionRequest, "block")...), rules: []string{"ask Bash(make:*)"}}},
		"the tool for questions":              {config: config{hooks: decides(hookAsks), asker: agent.ToolAsker{Tool: deadTool{}}}},
		"the tool says what is no decision":   {config: config{hooks: decides(hookAsks), asker: agent.ToolAsker{Tool: decider{says: "the database is down"}}}},
		"the tool says an unknown word":       {config: config{hooks: decides(silence), asker: agent.ToolAsker{Tool: decider{says: `{"behavior":"maybe"}`}}}},
		"the tool says nothing, and time has": {config: config{hooks: decides(hookDefers), asker: agent.ToolAsker{Tool: decider{}}, rules: []string{"ask Bash(make:*)"}}, word: agent.Word{Kind: agent.Lapsed}},
	} {
		t.Run(name, func(t *testing.T) {
			c.turns = []reply{{text: "finished"}}
			first := parked(t, nil, config{hooks: decides(hookDefers)})
			desk := &counterDesk{words: map[string]agent.Word{"c1": c.word}}
			w := first.again(t, desk, c.config)
			if result := w.agent.Resume(t.Context()); result.IsError || result.StopReason != wire.ToolDeferred || len(result.Deferred) != 1 || len(result.Denials) != 0 {
				t.Errorf("%+v", result)
			}
			if result := w.prompt("go on"); !result.IsError || !strings.Contains(strings.Join(result.Errors, " "), "not worked off") && c.word.Kind == agent.NoWord {
				t.Errorf("the prompt has its turn: %+v", result)
			}
			if len(w.tools.list()) > 0 || len(w.results()) > 0 || len(desk.notes) > 0 || !w.agent.Pending() {
				t.Errorf("ran %v, told %v, the desk was told %v", w.tools.list(), w.results(), desk.notes)
			}
		})
	}
}
