package agent_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

func silent(event hook.Event) hook.Entry {
	return function(event, func() hook.Output { return hook.Output{} })
}

// Every hook that is told about has an id of its own: it begins once and ends once.
func TestEveryHookBeginsAndEndsOnce(t *testing.T) {
	w := newWorld(t, config{
		mode: permission.BypassPermissions, hooks: []hook.Entry{silent(hook.SessionStart), silent(hook.PreToolUse)},
		turns: []reply{
			{calls: []model.Block{use("t1", "Task", subtask)}}, {calls: []model.Block{use("s1", "Bash", push)}}, {text: "sub"}, {text: "done"},
		},
		change: func(c *agent.Config) { c.HookEvents = true },
	})
	if err := w.agent.AddHooks([]hook.Entry{silent(hook.Stop)}); err != nil {
		t.Fatal(err)
	}
	w.agent.Start(t.Context(), "startup")
	w.prompt("go")
	began, ended := map[string]string{}, map[string]string{}
	for _, m := range w.messages {
		switch m := m.(type) {
		case *wire.HookStarted:
			if before, twice := began[m.HookID]; twice {
				t.Errorf("%s is %s and %s", m.HookID, before, m.HookName)
			}
			began[m.HookID] = m.HookName
		case *wire.HookResponse:
			if ended[m.HookID] != "" || began[m.HookID] != m.HookName {
				t.Errorf("%s began as %q and ends as %q", m.HookID, began[m.HookID], m.HookName)
			}
			ended[m.HookID] = m.HookName
		}
	}
	if len(began) != 4 || len(ended) != 4 {
		t.Errorf("began %v, ended %v", began, ended)
	}
}

func TestHooksAreAddedWhileASessionEnds(t *testing.T) {
	w := newWorld(t, config{hooks: []hook.Entry{silent(hook.Stop)}})
	var adding sync.WaitGroup
	adding.Go(func() {
		for range 50 {
			if err := w.agent.AddHooks([]hook.Entry{silent(hook.PreToolUse)}); err != nil {
				t.Error(err)
			}
		}
	})
	w.agent.Close(t.Context(), "other")
	adding.Wait()
}

func TestASubAgentIsToldWhatHooksHaveForIt(t *testing.T) {
	tells := function(hook.SubagentStart, func() hook.Output { return hook.Context("mind the gap") })
	w := newWorld(t, config{hooks: []hook.Entry{tells}, turns: []reply{{calls: []model.Block{use("t1", "Task", subtask)}}, {text: "sub"}, {text: "done"}}})
	w.prompt("go")
	first := w.model.requests[1].Messages[0].Content
	if len(first) != 2 || first[0].Text != "mind the gap" || first[1].Text != "do it" {
		t.Errorf("the sub-agent was told %+v", first)
	}
	if strings.Contains(w.model.last(), "mind the gap") {
		t.Error("it was told to its parent, too")
	}
}

// What continue:false says at the start of anything holds for what starts there.
func TestS21_AHookThatWantsNothingToStart(t *testing.T) {
	stops := func(event hook.Event) []hook.Entry {
		return []hook.Entry{function(event, func() hook.Output { return hook.Halt("out of hours") })}
	}
	t.Run("a session", func(t *testing.T) {
		w := newWorld(t, config{hooks: stops(hook.SessionStart), turns: []reply{{text: "went on"}}})
		w.agent.Start(t.Context(), "startup")
		for range 2 {
			if result := w.prompt("go"); result.Text != "out of hours" || len(w.model.requests) != 0 {
				t.Errorf("%+v, the model was asked %d times", result, len(w.model.requests))
			}
		}
		w.expectWarning("out of hours")
	})
	t.Run("a session that goes on from a summary", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, hooks: stops(hook.SessionStart), turns: []reply{
			{calls: []model.Block{use("t1", "Read", read1)}, usage: model.Usage{InputTokens: 10_000_000}}, {text: "the summary"}, {text: "went on"},
		}})
		if w.prompt("go"); len(w.model.requests) != 2 {
			t.Errorf("the model was asked %d times", len(w.model.requests))
		}
	})
	t.Run("a sub-agent", func(t *testing.T) {
		w := newWorld(t, config{hooks: stops(hook.SubagentStart), turns: []reply{{calls: []model.Block{use("t1", "Task", subtask)}}, {text: "went on"}}})
		if w.prompt("go"); len(w.model.requests) != 1 {
			t.Errorf("the model was asked %d times", len(w.model.requests))
		}
		w.expectWarning("out of hours")
	})
}

func (w *world) expectWarning(part string) {
	w.t.Helper()
	for _, m := range w.messages {
		if n, ok := m.(*wire.Informational); ok && strings.Contains(n.Text, part) {
			return
		}
	}
	w.t.Errorf("nobody was told %q", part)
}
