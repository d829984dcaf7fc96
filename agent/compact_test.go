package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// boundaries is how often the conversation was summed up.
func (w *world) boundaries() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, m := range w.messages {
		if _, ok := m.(*wire.CompactBoundary); ok {
			n++
		}
	}
	return n
}

// picture is an image of about a megabyte.
func picture() model.Block {
	return model.Block{Kind: "image", Raw: []byte(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("A", 1_400_000) + `"}}`)}
}

func pictures(messages []model.Message) int {
	n := 0
	for _, m := range messages {
		for _, b := range m.Content {
			if b.Kind == "image" {
				n++
			}
		}
	}
	return n
}

// The bytes of a picture are no text: one does not fill a conversation.
func TestAPictureIsNotSummedUp(t *testing.T) {
	t.Run("in a prompt", func(t *testing.T) {
		w := newWorld(t, config{turns: []reply{{text: "a cat"}}})
		result := w.agent.Prompt(t.Context(), agent.Prompt{Content: []model.Block{picture(), model.TextBlock("what is this?")}})
		if result.Text != "a cat" || w.boundaries() != 0 || pictures(w.model.requests[0].Messages) != 1 {
			t.Errorf("%+v, summed up %d times", result, w.boundaries())
		}
	})
	t.Run("in a result", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{{calls: []model.Block{use("t1", "Read", read1)}}, {text: "a cat"}}})
		w.tools.run = func(_ context.Context, _ tool.Job) tool.Result {
			return tool.Result{Outcome: tool.Succeeded, Blocks: []strictjson.Raw{picture().Raw}}
		}
		if result := w.prompt("what is this?"); result.Text != "a cat" || w.boundaries() != 0 {
			t.Errorf("%+v, summed up %d times", result, w.boundaries())
		}
	})
}

// What a conversation is about stays when it is summed up, word for word and picture for
// picture.
func TestTheTaskOutlivesASummary(t *testing.T) {
	full := model.Usage{InputTokens: 10_000_000}
	t.Run("pictures", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{
			{calls: []model.Block{use("t1", "Read", read1)}, usage: full}, {text: "the summary"}, {text: "a cat"},
		}})
		w.agent.Prompt(t.Context(), agent.Prompt{Content: []model.Block{picture(), model.TextBlock("what is this?")}})
		last := w.model.requests[len(w.model.requests)-1].Messages
		if w.boundaries() != 1 || pictures(last) != 1 || len(last) != 1 {
			t.Errorf("summed up %d times, %d pictures", w.boundaries(), pictures(last))
		}
	})
	t.Run("feedback of a hook", func(t *testing.T) {
		n := 0
		objects := function(hook.Stop, func() hook.Output {
			if n++; n == 1 {
				return hook.Block("run the linter, too")
			}
			return hook.Output{}
		})
		w := newWorld(t, config{mode: permission.BypassPermissions, hooks: []hook.Entry{objects}, turns: []reply{
			{text: "finished"}, {calls: []model.Block{use("t1", "Read", read1)}, usage: full}, {text: "the summary"}, {text: "ok"},
		}})
		w.prompt("the exact task")
		for _, want := range []string{"the exact task", "run the linter, too", "the summary"} {
			if !strings.Contains(w.model.last(), want) {
				t.Errorf("%q is not in %s", want, w.model.last())
			}
		}
	})
}

// A summary that leaves the conversation as full as before is not made again each turn.
func TestASummaryIsMadeOnlyWhenItHelps(t *testing.T) {
	var list []reply
	for i := range 5 {
		list = append(list, reply{calls: []model.Block{use(fmt.Sprint("t", i), "Read", read1)}, usage: model.Usage{InputTokens: 127_000}})
	}
	list = append(list, reply{text: "done"})
	t.Run("of a large prompt", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: append([]reply{{text: "the summary"}}, list...)})
		if result := w.prompt(strings.Repeat("x", 900_000)); result.Text != "done" || w.boundaries() != 1 {
			t.Errorf("%q, summed up %d times", result.Text, w.boundaries())
		}
	})
	t.Run("when a hook objects", func(t *testing.T) {
		asked := 0
		objects := function(hook.PreCompact, func() hook.Output { asked++; return hook.Block("not now") })
		w := newWorld(t, config{mode: permission.BypassPermissions, hooks: []hook.Entry{objects}, turns: list})
		if result := w.prompt(strings.Repeat("x", 900_000)); result.Text != "done" || asked != 1 {
			t.Errorf("%q, the hook was asked %d times", result.Text, asked)
		}
	})
	t.Run("again when it has grown", func(t *testing.T) {
		w := newWorld(t, config{mode: permission.BypassPermissions, turns: []reply{
			{text: "the summary"}, {calls: []model.Block{use("t1", "Read", read1)}}, {text: "the second"}, {text: "done"},
		}})
		w.tools.run = func(_ context.Context, _ tool.Job) tool.Result { return tool.Succeed(strings.Repeat("y", 200_000)) }
		if result := w.prompt(strings.Repeat("x", 900_000)); result.Text != "done" || w.boundaries() != 2 {
			t.Errorf("%q, summed up %d times", result.Text, w.boundaries())
		}
	})
}
