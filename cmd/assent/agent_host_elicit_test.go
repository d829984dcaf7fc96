package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// asking is a URL with an MCP server whose tool asks the person, and reports progress.
func asking(t *testing.T) string {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "bank", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "pay", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Total: 2, Message: "half way"}); err != nil {
			return nil, err
		}
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "From which account?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"account": map[string]any{"type": "string"}}, "required": []string{"account"},
		}})
		if err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: fmt.Sprintf("%s %v", answer.Action, answer.Content["account"])}}}, nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(web.Close)
	return web.URL
}

// The question of a server goes to a host that has shown that it answers questions, as
// the question of that server, and comes back to the server as the host says.
func TestW5_ElicitationGoesToTheHost(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		flags  []string
		first  string // what the host sends before its prompt
		answer string // "" means that the host is not asked
		result string
	}{
		"accepted":      {nil, request("i", `{"subtype":"initialize"}`), `{"action":"accept","content":{"account":"main"}}`, "accept main"},
		"declined":      {[]string{"--permission-prompt-tool", "stdio"}, "", `{"action":"decline"}`, "decline <nil>"},
		"nonsense":      {nil, request("i", `{"subtype":"initialize"}`), `{"action":"accept","content":{"account":17}}`, "cancel <nil>"},
		"no answer":     {nil, request("i", `{"subtype":"initialize"}`), `{}`, "cancel <nil>"},
		"only a feeder": {nil, "", "", "decline <nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			script := p.write("s.yaml", "turns:\n  - call: {mcp__bank__pay: {}}\n  - expect: "+tt.result+"\n    say: Well.\n")
			args := append(append([]string{}, hosted...), "--model", "script:"+script, "--allowedTools", "mcp__bank", "--mcp-config", `{"mcpServers":{"bank":{"type":"http","url":"`+asking(t)+`"}}}`)
			c := p.start(p.env(), append(args, tt.flags...)...)
			c.send(tt.first + prompt)
			c.expect(`"type":"tool_progress"`, `"tool_name":"mcp__bank__pay"`, `"progress":1`, `"total":2`, `"message":"half way"`)
			if tt.answer != "" {
				line := c.expect(`"subtype":"elicitation"`, `"mcp_server_name":"bank"`, `"message":"From which account?"`, `"mode":"form"`, `"requested_schema":{`)
				_, id, _ := strings.Cut(line, `"request_id":"`)
				id, _, _ = strings.Cut(id, `"`)
				c.send(reply(id, tt.answer))
			}
			c.expect(`"type":"result"`, `"subtype":"success"`, "Well.")
			c.stdin.Close()
			if status := c.end(); status != 0 {
				t.Errorf("exit status %d\n%s", status, c.stderr)
			}
		})
	}
}
