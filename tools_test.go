package assent_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type purchase struct {
	Item string `json:"item" jsonschema:"what to buy"`
}

// TestTools_OfOnesOwn: a Go function is a tool like any other, for rules, hooks and people.
func TestTools_OfOnesOwn(t *testing.T) {
	script := `
turns:
  - call: {mcp__shop__buy: {item: tea}}
  - call: {mcp__shop__buy: {price: 5}}
  - call: {mcp__shop__sell: {item: tea}}
  - call: {mcp__shop__crash: {item: tea}}
  - say: Well.
`
	for name, tt := range map[string]struct {
		options []assent.Option
		want    []string
		bought  int
	}{
		"nothing allows them": {nil, []string{"told *", "told *", "told *", "told *"}, 0},
		"a rule for one": {
			[]assent.Option{assent.Allow("mcp__shop__buy")},
			[]string{"told bought tea", "told the input is not what the tool buy takes*", "told *", "told *"},
			1,
		},
		"a rule for all": {
			[]assent.Option{assent.Allow("mcp__shop")},
			[]string{"told bought tea", "told the input*", "told nobody wants it", "told The tool crash failed: it panicked: oh"},
			1,
		},
		"a rule against one": {
			[]assent.Option{assent.Allow("mcp__shop"), assent.Deny("mcp__shop__buy")},
			[]string{"told *", "told *", "told nobody wants it", "told The tool crash failed: it panicked: oh"},
			0,
		},
		"a hook": {
			[]assent.Option{assent.Allow("mcp__shop"), assent.On("mcp__shop__buy", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
				return hook.Deny("we have enough"), nil
			})},
			[]string{"told we have enough", "told *", "told nobody wants it", "told *"},
			0,
		},
		"somebody is asked": {
			[]assent.Option{assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
				if call.ToolName == "mcp__shop__buy" {
					return assent.YesWith(purchase{"coffee"})
				}
				return assent.No("only buying"), nil
			})},
			[]string{"told bought coffee", "told bought coffee", "told only buying", "told only buying"},
			2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			bought := 0
			serve := assent.Serve(
				"shop",
				tool(t, "buy", func(_ context.Context, in purchase) (string, error) { bought++; return "bought " + in.Item, nil }),
				tool(t, "sell", func(context.Context, purchase) (string, error) { return "", errors.New("nobody wants it") }),
				tool(t, "crash", func(context.Context, purchase) (string, error) { panic("oh") }),
			)
			all, result := watch(t, "shop", p.with(script, append(tt.options, serve)...))
			lines(t, slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, "told ") }), tt.want)
			if bought != tt.bought || result.Text != "Well." {
				t.Errorf("bought %d times; %+v", bought, result)
			}
		})
	}
}

// What the model is offered is what somebody has chosen.
func TestTools_WhatIsOffered(t *testing.T) {
	p := newPlace(t)
	for name, tt := range map[string]struct {
		options []assent.Option
		want    []string
	}{
		"some":       {[]assent.Option{assent.Tools("Read", "Bash")}, []string{"Read", "Bash"}},
		"none":       {[]assent.Option{assent.Tools(), assent.Serve("own", hello(t))}, []string{"mcp__own__hello"}},
		"taken away": {[]assent.Option{assent.Tools("Read", "Bash"), assent.Deny("Bash")}, []string{"Read"}},
	} {
		for m := range assent.Query(t.Context(), "hi", p.with("turns: []\nafterwards: Hello.\n", tt.options...)...) {
			if init, ok := m.(*assent.Init); ok && !slices.Equal(slices.Sorted(slices.Values(init.Tools)), slices.Sorted(slices.Values(tt.want))) {
				t.Errorf("%s: %q", name, init.Tools)
			}
		}
	}
}

// asking is an MCP server that asks the person.
func asking(t *testing.T) string {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "site", Version: "2"}, nil)
	s.AddTool(&sdk.Tool{Name: "ask", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "which account?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"account": map[string]any{"type": "string"}},
		}})
		if err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprint(answer.Action, " ", answer.Content["account"])}}}, nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(web.Close)
	return fmt.Sprintf(`{"mcpServers": {"bank": {"type": "http", "url": %q}}}`, web.URL)
}

// TestTools_OfAServer: its tools are offered, and its questions reach the program.
func TestTools_OfAServer(t *testing.T) {
	config := asking(t)
	for name, tt := range map[string]struct {
		options []assent.Option
		want    string
	}{
		"nobody": {nil, "told *"},
		"answered": {[]assent.Option{assent.Elicit(func(_ context.Context, q mcp.Elicitation) (mcp.Answer, error) {
			return mcp.Answer{Action: mcp.Accept, Content: []byte(`{"account": "` + q.Server + `"}`)}, nil
		})}, "told accept bank"},
		"panics": {[]assent.Option{assent.Elicit(func(context.Context, mcp.Elicitation) (mcp.Answer, error) { panic("oh") })}, "told *"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			options := p.with("turns:\n  - call: {mcp__bank__ask: {}}\nafterwards: Well.\n", append(tt.options, assent.Allow("mcp__bank"), assent.MCPConfig(config))...)
			var all []string
			for m, err := range assent.Query(t.Context(), "ask", options...) {
				if err != nil {
					t.Fatal(err)
				}
				if init, ok := m.(*assent.Init); ok && (len(init.MCPServers) != 1 || init.MCPServers[0].Status != "connected") {
					t.Errorf("%+v", init.MCPServers)
				}
				all = append(all, told(m))
			}
			lines(t, all, []string{"init", "call mcp__bank__ask", tt.want, "say Well.", "end success"})
		})
	}
	p := newPlace(t)
	if _, err := assent.Open(t.Context(), p.with(touches("a"), assent.MCPConfig(config), assent.Serve("bank", hello(t)))...); err == nil || !strings.Contains(err.Error(), "bank") {
		t.Errorf("two servers have one name: %v", err)
	}
}

// crowd is a model that starts some sub-agents at once, each of which has something to do.
const crowd = `
turns:
  - calls:
      - {Task: {description: a, prompt: a, subagent_type: general-purpose}}
      - {Task: {description: b, prompt: b, subagent_type: general-purpose}}
      - {Task: {description: c, prompt: c, subagent_type: worker}}
  - {calls: [{Bash: {command: touch made}}, {Read: {file_path: a.txt}}], repeat: 3}
  - {say: Done., repeat: 9}
`

// TestTools_SubAgents: several at once tell what they do, nobody waits for ever, and what
// they ask about names them.
func TestTools_SubAgents(t *testing.T) {
	p := newPlace(t)
	p.file("a.txt", "hello\n")
	var mu sync.Mutex
	agents := map[string]bool{}
	var events []string
	client := opened(t, p.with(crowd,
		assent.Agents(`{"worker": {"description": "works", "prompt": "Work."}}`), assent.HookEvents(),
		assent.OnEvent(hook.PreToolUse, "", noteTo(&events)), assent.OnEvent(hook.SubagentStop, "", noteTo(&events)),
		assent.Ask("Bash(touch:*)"), // in every mode
		assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
			mu.Lock()
			defer mu.Unlock()
			agents[call.AgentID] = true
			return assent.Yes(), nil
		}))...)
	parents := map[string]int{}
	for m, err := range client.Query(t.Context(), "go") {
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *assent.Status: // that is our own doing
			continue
		case *assent.Assistant:
			parents[m.ParentToolUseID]++
		}
		for _, mode := range []permission.Mode{permission.AcceptEdits, permission.Default} { // while others wait to tell something
			if err := client.SetPermissionMode(t.Context(), mode); err != nil {
				t.Error(err)
			}
		}
	}
	if len(agents) != 3 || agents[""] || len(parents) != 4 {
		t.Errorf("asked by %v, told by %v", agents, parents)
	}
	if !p.exists("made") || len(events) < 6 {
		t.Errorf("%q", events)
	}
}

// A loop with several sub-agents at work can be left, too.
func TestTools_SubAgentsAreLeft(t *testing.T) {
	for _, at := range []int{1, 4, 7, 10} {
		p := newPlace(t)
		p.file("a.txt", "hello\n")
		i := 0
		for range assent.Query(t.Context(), "go", p.with(crowd, assent.Agents(`{"worker": {"description": "works", "prompt": "Work."}}`), assent.HookEvents(),
			assent.OnEvent(hook.PreToolUse, "", noteTo(new([]string))), assent.Allow("Bash(touch:*)"))...) {
			if i++; i > at {
				break
			}
		}
	}
}
