package assent_test

import (
	"context"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

// TestK1_NothingGoesOnAfterwards: a function of the program that heeds its context has ended
// when the loop has, whatever kind it is of. What it shares with the loop is free then.
func TestK1_NothingGoesOnAfterwards(t *testing.T) {
	const own = "turns:\n  - call: {mcp__own__wait: {}}\nafterwards: Well.\n"
	type heeding = func(ctx context.Context) error
	for name, tt := range map[string]struct {
		script string
		option func(t *testing.T, wait heeding) assent.Option
	}{
		"a hook": {touches("a"), func(_ *testing.T, wait heeding) assent.Option {
			return assent.On("Bash", func(ctx context.Context, _ hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
				return hook.Output{}, wait(ctx)
			})
		}},
		"a hook of any kind": {touches("a"), func(_ *testing.T, wait heeding) assent.Option {
			return assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: hook.Typed("wait", func(ctx context.Context, _ hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
				return hook.Output{}, wait(ctx)
			})})
		}},
		"a handler of one's own": {touches("a"), func(_ *testing.T, wait heeding) assent.Option {
			return assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: handler(wait)})
		}},
		"an answer": {touches("a"), func(_ *testing.T, wait heeding) assent.Option {
			return assent.CanUseTool(func(ctx context.Context, _ assent.ToolCall) (assent.Answer, error) { return assent.Answer{}, wait(ctx) })
		}},
		"a tool": {own, func(t *testing.T, wait heeding) assent.Option {
			return assent.Options(assent.Allow("mcp__own"), assent.Serve("own", tool(t, "wait", func(ctx context.Context, _ struct{}) (string, error) { return "", wait(ctx) })))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			bothSides(t, func(t *testing.T, s side) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				ended := false // no lock: whoever reads it is alone
				client := opened(t, s.with(tt.script, tt.option(t, func(ctx context.Context) error {
					cancel()
					<-ctx.Done()
					<-time.After(100 * time.Millisecond) // it tidies up
					ended = true
					return ctx.Err()
				}))...)
				for range client.Query(ctx, "go") { // its error is that of the context
				}
				if !ended {
					t.Error("it goes on")
				}
			})
		})
	}
}

// handler is a hook of one's own kind.
type handler func(context.Context) error

func (handler) Name() string { return "handler" }
func (handler) Key() string  { return "" }
func (h handler) Handle(ctx context.Context, _ hook.Invocation) hook.Reply {
	_ = h(ctx)
	return hook.Reply{Output: &hook.Output{}}
}

// TestK1_HooksInTheBackground may go on: no loop waits for them, but the end of the session.
func TestK1_HooksInTheBackground(t *testing.T) {
	p := newPlace(t)
	free, ended := make(chan struct{}), false
	slow := hook.Typed("slow", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		<-free
		ended = true
		return hook.Output{}, nil
	})
	client := opened(t, p.with(touches("a"), assent.Allow("Bash"), assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: slow, Async: true}))...)
	before := time.Now()
	ask(t, client, "go")
	if took := time.Since(before); took > 450*time.Millisecond {
		t.Errorf("the loop took %v", took)
	}
	close(free)
	if err := client.Close(); err != nil || !ended {
		t.Errorf("%v, ended: %v", err, ended)
	}
}
