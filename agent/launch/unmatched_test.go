package launch

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A rule that no call can match is named with its place when a session starts: what it was
// meant to stop is not stopped.
func TestS47_RulesThatMatchNothingAreNamedAtTheStart(t *testing.T) {
	pay := sdk.NewServer(&sdk.Implementation{Name: "pay", Version: "1"}, nil)
	schema := map[string]any{"type": "object", "properties": map[string]any{"amount": map[string]any{"type": "number"}, "order": map[string]any{"type": "object"}}}
	pay.AddTool(&sdk.Tool{Name: "refund", InputSchema: schema}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return pay }, nil))
	defer web.Close()
	o := options(t)
	o.MCPConfig = []string{fmt.Sprintf(`{"mcpServers": {"pay": {"type": "http", "url": %q}}}`, web.URL)}
	put(t, o.Settings.Dir, ".claude/settings.json", `{"permissions": {"deny": [
		"Bsah(rm:*)",
		"Bash(run_in_backgroud:true)",
		"mcp__pay__refund(amuont:>500)",
		"mcp__pay__refund(500)",
		"mcp__pay__refund(amount:>500)", "mcp__pay__refund(order.country:KP)", "mcp__pay(amount:>500)", "Agent(model:opus)", "Bash(rm:*)", "Read(.env)", "mcp__other__x(a:b)"
	]}}`)
	var warned []string
	o.Warn = func(text string) { warned = append(warned, text) }
	mustClose(t, mustOpen(t, o))
	file := filepath.Join(o.Settings.Dir, ".claude/settings.json")
	want := []string{
		file + ":2: deny rule Bsah(rm:*) names no tool that exists (did you mean Bash(rm:*)?)",
		file + ":3: deny rule Bash(run_in_backgroud:true) matches nothing: Bash has no parameter run_in_backgroud (did you mean Bash(run_in_background:true)?)",
		file + ":4: deny rule mcp__pay__refund(amuont:>500) matches nothing: mcp__pay__refund has no parameter amuont (did you mean mcp__pay__refund(amount:>500)?)",
		file + ":5: deny rule mcp__pay__refund(500) never matches: a rule on an MCP tool is about the whole tool, or about a parameter as in mcp__pay__refund(name:value) (write mcp__pay__refund)",
	}
	if got := strings.Join(warned, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("warned\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
