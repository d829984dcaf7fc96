package dialecttest_test

import (
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
)

// The habits of the agents that have let calls through.
func TestT4_LetsThrough(t *testing.T) {
	const specific = `{"hookSpecificOutput":{"hookEventName":"PreToolUse",`
	tests := []struct {
		agent  dialect.Agent
		kind   dialect.Kind
		stdout string
		stderr string
		exit   int
		want   bool
	}{
		{dialect.Claude, dialect.ToolCall, "", "", 0, true},
		{dialect.Claude, dialect.ToolCall, "", "no", 1, true},
		{dialect.Claude, dialect.ToolCall, "", "no", 2, false},
		{dialect.Claude, dialect.ToolCall, specific + `"permissionDecision":"ask"}}`, "", 0, false},
		{dialect.Claude, dialect.ToolCall, `{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"deny"}}`, "", 0, true},
		{dialect.Claude, dialect.ToolCall, `{"permissionDecision":"deny"}`, "", 0, true},
		{dialect.Claude, dialect.ToolCall, `{"decision":"block","reason":"x"}`, "", 0, false},
		{dialect.Claude, dialect.ToolCall, `{"decision":"deny","reason":"x"}`, "", 0, true},
		{dialect.Claude, dialect.ToolCall, `{"permission":"deny"}`, "", 0, true},
		{dialect.Claude, dialect.PermissionRequest, "", "", 0, false},
		{dialect.Codex, dialect.ToolCall, "", "", 0, true},
		{dialect.Codex, dialect.ToolCall, "", "no", 2, true},
		{dialect.Codex, dialect.ToolCall, specific + `"permissionDecision":"ask","permissionDecisionReason":"x"}}`, "", 0, true},
		{dialect.Codex, dialect.ToolCall, specific + `"permissionDecision":"deny"}}`, "", 0, true},
		{dialect.Codex, dialect.ToolCall, specific + `"permissionDecision":"deny","permissionDecisionReason":"x"}}`, "", 0, false},
		{dialect.Codex, dialect.ToolCall, `{"decision":"block","reason":"x"}`, "", 0, false},
		{dialect.Codex, dialect.ToolCall, `{"decision":"block"}`, "", 0, true},
		{dialect.Codex, dialect.ToolCall, `{"decision":"block","reason":"x"}`, "", 2, true},
		{dialect.Codex, dialect.PermissionRequest, "", "", 0, false},
		{dialect.Gemini, dialect.ToolCall, "", "", 2, true},
		{dialect.Gemini, dialect.ToolCall, "no", "", 1, true},
		{dialect.Gemini, dialect.ToolCall, "no", "", 2, false},
		{dialect.Gemini, dialect.ToolCall, "", `{"decision":"deny"}`, 0, false},
		{dialect.Cursor, dialect.ToolCall, `{"permission":"ask"}`, "", 0, true},
		{dialect.Cursor, dialect.ToolCall, "", "", 1, true},
		{dialect.Cursor, dialect.ToolCall, "", "", 2, false},
		{dialect.Copilot, dialect.ToolCall, "", "", 1, false},
		{dialect.Copilot, dialect.ToolCall, "", "", 0, true},
		{dialect.Copilot, dialect.ToolCall, `{"permissionDecision":"deny"}`, "", 0, true},
		{dialect.Copilot, dialect.ToolCall, `{"permissionDecision":"deny","permissionDecisionReason":"x"}{}`, "", 0, true},
		{dialect.Copilot, dialect.PermissionRequest, `{}`, "", 0, false},
	}
	for _, test := range tests {
		reply := dialect.Reply{Stdout: []byte(test.stdout), Stderr: []byte(test.stderr), Exit: test.exit}
		if got := dialecttest.LetsThrough(test.agent, test.kind, reply); got != test.want {
			t.Errorf("%v reads %q, %q, %d as %v", test.agent, test.stdout, test.stderr, test.exit, got)
		}
	}
}
