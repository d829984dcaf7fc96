package guard_test

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// However an agent writes the name of an MCP tool, a rule that denies it holds.
func TestT4_SpellingsOfMCPTools(t *testing.T) {
	const codex, gemini, cursor, copilot = dialect.Codex, dialect.Gemini, dialect.Cursor, dialect.Copilot
	for _, test := range []struct {
		agent   dialect.Agent
		names   []string
		through bool
	}{
		{cursor, []string{
			"MCP:refund", "MCP:pay:refund", "MCP:pay/refund", "MCP:pay-refund", "MCP:pay__refund", "MCP:pay.refund", "MCP:mcp__pay__refund", "MCP: refund",
			"MCP:refund ", "mcp:refund", "Mcp:refund", "mcp_pay_refund", "mcp__pay__refund", "pay:refund", "pay/refund", "pay__refund", "MCP:user-pay-refund", " MCP:refund",
		}, false},
		{copilot, []string{
			"pay-refund", "pay_refund", "pay/refund", "pay__refund", "pay:refund", "pay.refund", "mcp_pay_refund", "mcp-pay-refund", "mcp__pay__refund",
			"MCP:pay:refund", " pay-refund",
		}, false},
		{gemini, []string{"mcp_pay_refund", "mcp__pay__refund", "pay__refund", "mcp_pay__refund", "mcp_pay.refund", "mcp_pay-refund", "mcp_pay:refund", "pay.refund", "pay:refund"}, false},
		{codex, []string{"mcp__pay__refund", "pay__refund", "pay.refund", "pay/refund", "pay:refund", "mcp_pay_refund", "mcp.pay.refund", "mcp:pay:refund"}, false},
		{cursor, []string{"MCP:list", "MCP:pay:list", "SemanticSearch", "read_lints", "mcp:list"}, true},
		{copilot, []string{"pay-list", "show_file", "refund"}, true},
		{gemini, []string{"mcp_pay_list", "pay__list", "save_memory", "refund"}, true},
		{codex, []string{"mcp__pay__list", "pay__list", "list_dir", "refund"}, true},
	} {
		w := newWorld(t, test.agent).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["mcp__pay__refund"]}}`)
		for _, name := range test.names {
			if reply := w.send(toolEvent(test.agent, w.proj, name, "{}")); w.letsThrough(reply) != test.through {
				t.Errorf("%v: %q: %s%s", test.agent, name, reply.Stdout, reply.Stderr)
			}
		}
	}
}

// Cursor's event for MCP tools has a server of its own, whatever the name looks like.
func TestT4_SpellingsBeforeMCPExecution(t *testing.T) {
	w := newWorld(t, dialect.Cursor).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["mcp__pay__refund"]}}`)
	for name, want := range map[string]bool{
		"refund": false, "pay:refund": false, "pay-refund": false, "pay_refund": false, "mcp__pay__refund": false, "MCP:refund": false, "user-pay-refund": false,
		"list": true, "pay:list": true,
	} {
		event := fmt.Sprintf(`{"hook_event_name":"beforeMCPExecution","cwd":%q,"tool_name":%q,"tool_input":"{}"}`, w.proj, name)
		if reply := w.send(event); w.letsThrough(reply) != want {
			t.Errorf("%q: %s", name, reply.Stdout)
		}
	}
}

// A tool that calls the tools of servers is judged by what it calls.
func TestT4_CallsOfMCPTools(t *testing.T) {
	for input, want := range map[string]bool{
		`{"server":"pay","toolName":"refund","arguments":{}}`:             false,
		`{"server":"pay","tool":"refund"}`:                                false,
		`{"server":"pay","tool_name":"refund"}`:                           false,
		`{"server_name":"pay","tool_name":"refund"}`:                      false,
		`{"serverName":"pay","name":"refund"}`:                            false,
		`{"calls":[{"server":"pay","tool":"refund"}]}`:                    false,
		`{"params":"{\"server\":\"pay\",\"tool\":\"refund\"}"}`:           false,
		`{"server":"pay","toolName":"list","arguments":{"for":"refund"}}`: true,
		`{"server":"shop","toolName":"refund","arguments":{"for":"pay"}}`: true,
		`{"server":5,"toolName":["refund"],"arguments":{"server":"pay"}}`: true,
		`{"toolName":"mcp__pay__refund"}`:                                 false,
		`{"tool":"pay.refund","server":""}`:                               false,
	} {
		for _, agent := range []dialect.Agent{dialect.Cursor, dialect.Codex, dialect.Gemini, dialect.Copilot} {
			w := newWorld(t, agent).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["mcp__pay__refund"]}}`)
			if reply := w.send(toolEvent(agent, w.proj, "CallMcpTool", input)); w.letsThrough(reply) != want {
				t.Errorf("%v: %s: %s", agent, input, reply.Stdout)
			}
		}
	}
}

// A name that can be read in too many ways is for a person.
func TestT4_TooManySpellings(t *testing.T) {
	for _, agent := range []dialect.Agent{dialect.Cursor, dialect.Codex, dialect.Gemini, dialect.Copilot} {
		name := "mcp_"
		for range 100 {
			name += "a_b."
		}
		w := newWorld(t, agent).user(`{"permissions":{"defaultMode":"bypassPermissions"}}`)
		if reply := w.send(toolEvent(agent, w.proj, name+"x", "{}")); w.letsThrough(reply) {
			t.Errorf("%v: %s", agent, reply.Stdout)
		}
	}
}
