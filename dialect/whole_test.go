package dialect_test

import (
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/dialect/dialecttest"
	"github.com/assent-dev/assent/permission"
)

// Whoever says yes has seen everything that would run: no part of an input is left out,
// and none is shown that the agent does not run.
func TestT5_WhatPeopleSeeIsWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		agent dialect.Agent
		event string
		tool  string
		input string
		dir   string
		own   bool
	}{
		"Claude Code's own": {
			dialect.Claude, `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"text"}}`,
			"Write", `{"file_path":"a","content":"text"}`, "", true,
		},
		"the same words": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`,
			"Bash", `{"command":"make"}`, "", true,
		},
		"words of a command": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"make","workdir":"web","timeout_ms":5}}`,
			"Bash", `{"command":"make"}`, "web", false,
		},
		"more than a command": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"make","sandbox_permissions":"require_escalated"}}`,
			"codex:exec_command", `{"cmd":"make","sandbox_permissions":"require_escalated"}`, "", true,
		},
		"a patch": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}}`,
			"codex:apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}`, "", true,
		},
		"a patch as text": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}`,
			"codex:apply_patch", `{"text":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}`, "", true,
		},
		"a file with its text": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a","contents":"text"}}`,
			"Write", `{"content":"text","file_path":"a"}`, "", false,
		},
		"a file with something else": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a","contents":"text","mode":"0777"}}`,
			"cursor:Write", `{"path":"a","contents":"text","mode":"0777"}`, "", true,
		},
		"a file with two texts": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a","contents":"text","content":"other"}}`,
			"cursor:Write", `{"path":"a","contents":"text","content":"other"}`, "", true,
		},
		"a file without its text": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a"}}`,
			"cursor:Write", `{"path":"a"}`, "", true,
		},
		"an edit": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"StrReplace","tool_input":{"path":"a","old_string":"x","new_string":"y"}}`,
			"Edit", `{"file_path":"a","new_string":"y","old_string":"x"}`, "", false,
		},
		"a file of somebody's home": { // which may be one of two
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Read","tool_input":{"path":"~/a"}}`,
			"cursor:Read", `{"path":"~/a"}`, "", true,
		},
		"a tool of a server": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"mcp__pay__refund","tool_input":{"cents":5}}`,
			"mcp__pay__refund", `{"cents":5}`, "", true,
		},
		"a tool of some server": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"MCP:refund","tool_input":{"cents":5}}`,
			"cursor:MCP:refund", `{"cents":5}`, "", true,
		},
		"a command before it runs": {
			dialect.Cursor, `{"hook_event_name":"beforeShellExecution","command":"make","cwd":"/srv"}`,
			"Bash", `{"command":"make"}`, "", true,
		},
		"an unknown tool": {
			dialect.Copilot, `{"toolName":"launch","toolArgs":"{\"where\":\"moon\"}"}`,
			"copilot:launch", `{"where":"moon"}`, "", true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			event, err := dialect.Parse(tt.agent, []byte(tt.event))
			if err != nil {
				t.Fatal(err)
			}
			w, ok := event.Whole()
			if !ok || w.Tool != tt.tool || string(w.Input) != tt.input || w.Dir != tt.dir || w.Own != tt.own {
				t.Errorf("%s %s in %q, own: %v, %v", w.Tool, w.Input, w.Dir, w.Own, ok)
			}
		})
	}
}

// An input that an agent cannot be given is never dropped in silence.
func TestA3_AnInputIsPassedOnOrDenied(t *testing.T) {
	for _, agent := range dialect.Agents {
		for _, kind := range []dialect.Kind{dialect.ToolCall, dialect.PermissionRequest} {
			e := dialect.Event{Agent: agent, Kind: kind, Name: "PreToolUse"}
			r := dialect.Answer(e, dialect.Outcome{Behavior: permission.Allow, Reason: "x", Input: []byte(`{"command":"ls"}`)})
			text := string(r.Stdout)
			passes := agent == dialect.Claude || agent == dialect.Codex
			if passes && kind == dialect.ToolCall {
				if text != `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"assent: x","updatedInput":{"command":"ls"}}}`+"\n" {
					t.Errorf("%v: %s", agent, text)
				}
				continue
			}
			if dialecttest.LetsThrough(agent, kind, r) {
				t.Errorf("%v, kind %d: %s", agent, kind, text)
			}
		}
	}
}
