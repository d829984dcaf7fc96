package assent_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
)

// cancelled runs a prompt to its end, which is to be that of its context, and soon.
func cancelled(t *testing.T, ctx context.Context, options []assent.Option) []string {
	t.Helper()
	var all []string
	var errs []error
	soon(t, "the loop", func() {
		for m, err := range assent.Query(ctx, "make it", options...) {
			if err != nil {
				errs = append(errs, err)
				continue
			}
			all = append(all, told(m))
		}
	})
	if len(errs) != 1 || !errors.Is(errs[0], context.Canceled) {
		t.Errorf("errors %v after %q", errs, all)
	}
	return all
}

func TestK1_CancelledBefore(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if all := cancelled(t, ctx, p.with(touches("a"))); len(all) != 0 {
		t.Errorf("%q", all)
	}
	if left, _ := os.ReadDir(p.state); len(left) > 0 {
		t.Errorf("something was begun: %v", left)
	}
	client := opened(t, p.with("turns: []\nafterwards: Hello.\n")...)
	for m, err := range client.Query(ctx, "hi") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", m, err)
		}
	}
	if _, result := ask(t, client, "hi"); result.Text != "Hello." {
		t.Errorf("%+v", result)
	}
}

// A reason that the program has given is the one it gets back.
func TestK1_TheReasonOfTheProgram(t *testing.T) {
	p := newPlace(t)
	reason := errors.New("lunch")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var last error
	for _, err := range assent.Query(ctx, "hi", p.with("turns: []\nafterwards: Hello.\n")...) {
		cancel(reason)
		last = err
	}
	if !errors.Is(last, reason) {
		t.Errorf("%v", last)
	}
}

// thinks is a model that never answers the last request, and tells somebody.
type thinks struct {
	model.Provider
	left int
	tell func()
}

func (m *thinks) Ask(ctx context.Context, r model.Request, on func(model.Event)) (model.Turn, error) {
	if m.left--; m.left > 0 {
		return m.Provider.Ask(ctx, r, on)
	}
	m.tell()
	<-ctx.Done()
	return model.Turn{}, ctx.Err()
}

// TestK1_CancelledMeanwhile: wherever the work is, the loop ends soon, with a result that
// says so, and nothing goes on.
func TestK1_CancelledMeanwhile(t *testing.T) {
	const interrupted = "end error_during_execution"
	for name, tt := range map[string]struct {
		script string
		option func(t *testing.T, cancel context.CancelFunc) assent.Option
		ends   string
	}{
		"the model thinks": {touches("a"), func(t *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.Provider(&thinks{play(t, touches("a")), 1, cancel})
		}, interrupted},
		"a tool of ours": {"turns:\n  - call: {mcp__own__wait: {}}\nafterwards: Well.\n", func(t *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.Serve("own", tool(t, "wait", func(ctx context.Context, _ struct{}) (string, error) {
				cancel()
				<-ctx.Done()
				return "", ctx.Err()
			}))
		}, interrupted},
		"a deaf tool": {"turns:\n  - call: {mcp__own__wait: {}}\nafterwards: Well.\n", func(t *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.Serve("own", tool(t, "wait", func(context.Context, struct{}) (string, error) {
				cancel()
				<-time.After(300 * time.Millisecond)
				return "", nil
			}))
		}, interrupted},
		"a command": {"turns:\n  - call: {Bash: {command: 'touch a; sleep 100'}}\nafterwards: Well.\n", func(t *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.OnEvent(hook.PreToolUse, "", func(context.Context, hook.Invocation) (hook.Output, error) {
				time.AfterFunc(100*time.Millisecond, cancel)
				return hook.Allow(), nil
			})
		}, interrupted},
		"a hook before": {touches("a"), func(_ *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.OnEvent(hook.PreToolUse, "", func(ctx context.Context, _ hook.Invocation) (hook.Output, error) {
				cancel()
				<-ctx.Done()
				return hook.Output{}, ctx.Err()
			})
		}, interrupted},
		"the start": {touches("a"), func(_ *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.OnEvent(hook.SessionStart, "", func(ctx context.Context, _ hook.Invocation) (hook.Output, error) {
				cancel()
				<-ctx.Done()
				return hook.Output{}, ctx.Err()
			})
		}, interrupted},
		"a question": {touches("a"), func(_ *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.CanUseTool(func(ctx context.Context, _ assent.ToolCall) (assent.Answer, error) {
				cancel()
				<-ctx.Done()
				return assent.Yes(), nil
			})
		}, interrupted},
		"a sub-agent": {touches("a"), func(t *testing.T, cancel context.CancelFunc) assent.Option {
			return assent.Provider(&thinks{play(t, "turns:\n  - call: {Task: {description: d, prompt: p, subagent_type: general-purpose}}\n"), 2, cancel})
		}, interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var ended []string
			rules := assent.Allow("mcp__own__wait")
			all := cancelled(t, ctx, p.with(tt.script, tt.option(t, cancel), rules, assent.OnEvent(hook.SessionEnd, "", noteTo(&ended))))
			if all[len(all)-1] != tt.ends || len(ended) != 1 {
				t.Errorf("%q, ended %d times", all, len(ended))
			}
			if name != "a command" && p.exists("a") {
				t.Error("it ran")
			}
		})
	}
}

// silent is the address of a server that takes connections and says nothing.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return "http://" + l.Addr().String()
}

// The start of a session, which waits for its servers, can be broken off.
func TestK1_CancelledWhileServersStart(t *testing.T) {
	for name, server := range map[string]string{
		"a program": `{"command": "sleep", "args": ["100"]}`,
		"far away":  fmt.Sprintf(`{"type": "http", "url": %q}`, silent(t)),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(50*time.Millisecond, cancel)
			options := p.with(touches("a"), assent.MCPConfig(`{"mcpServers": {"slow": `+server+`}}`))
			soon(t, "to open it", func() {
				if _, err := assent.Open(ctx, options...); !errors.Is(err, context.Canceled) {
					t.Errorf("%v", err)
				}
			})
			if left, _ := os.ReadDir(p.state + "/sessions"); len(left) > 0 {
				t.Errorf("a session was begun: %v", left)
			}
		})
	}
}

// A deadline is an end like any other.
func TestK1_Deadline(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	soon(t, "the loop", func() {
		result, err := assent.Run(ctx, "hi", p.with("turns:\n  - {say: Hm., delay: 1h}\n")...)
		if !errors.Is(err, context.DeadlineExceeded) || result == nil || !strings.Contains(result.Err().Error(), "interrupted") {
			t.Errorf("%+v, %v", result, err)
		}
	})
}
