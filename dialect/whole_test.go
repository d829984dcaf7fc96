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
		edits dialect.Edits
	}{
		"Claude Code's own": {
			dialect.Claude, `{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a","content":"text"}}`,
			"Write", `{"file_path":"a","content":"text"}`, "", true, dialect.Taken,
		},
		"the same words": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}`,
			"Bash", `{"command":"make"}`, "", true, dialect.Taken,
		},
		"words of a command": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"make","workdir":"web","timeout_ms":5}}`,
			"Bash", `{"command":"make"}`, "web", false, dialect.OtherWords,
		},
		"more than a command": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"exec_command","tool_input":{"cmd":"make","sandbox_permissions":"require_escalated"}}`,
			"codex:exec_command", `{"cmd":"make","sandbox_permissions":"require_escalated"}`, "", true, dialect.Taken,
		},
		"a patch": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}}`,
			"codex:apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}`, "", true, dialect.Taken,
		},
		"a patch as text": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}`,
			"codex:apply_patch", `{"text":"*** Begin Patch\n*** Add File: a\n+secret\n*** End Patch"}`, "", true, dialect.Taken,
		},
		"a file with its text": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a","contents":"text"}}`,
			"Write", `{"content":"text","file_path":"a"}`, "", false, dialect.NotTaken,
		},
		"a file with something else": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a","contents":"text","mode":"0777"}}`,
			"cursor:Write", `{"path":"a","contents":"text","mode":"0777"}`, "", true, dialect.NotTaken,
		},
		"a file with two texts": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a","contents":"text","content":"other"}}`,
			"cursor:Write", `{"path":"a","contents":"text","content":"other"}`, "", true, dialect.NotTaken,
		},
		"a file without its text": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Write","tool_input":{"path":"a"}}`,
			"cursor:Write", `{"path":"a"}`, "", true, dialect.NotTaken,
		},
		"an edit": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"StrReplace","tool_input":{"path":"a","old_string":"x","new_string":"y"}}`,
			"Edit", `{"file_path":"a","new_string":"y","old_string":"x"}`, "", false, dialect.NotTaken,
		},
		"a file of somebody's home": { // which may be one of two
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"Read","tool_input":{"path":"~/a"}}`,
			"cursor:Read", `{"path":"~/a"}`, "", true, dialect.NotTaken,
		},
		"a tool of a server": {
			dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"mcp__pay__refund","tool_input":{"cents":5}}`,
			"mcp__pay__refund", `{"cents":5}`, "", true, dialect.Taken,
		},
		"a tool of some server": {
			dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"MCP:refund","tool_input":{"cents":5}}`,
			"cursor:MCP:refund", `{"cents":5}`, "", true, dialect.NotTaken,
		},
		"a command before it runs": {
			dialect.Cursor, `{"hook_event_name":"beforeShellExecution","command":"make","cwd":"/srv"}`,
			"Bash", `{"command":"make"}`, "", true, dialect.NotTaken,
		},
		"an unknown tool": {
			dialect.Copilot, `{"toolName":"launch","toolArgs":"{\"where\":\"moon\"}"}`,
			"copilot:launch", `{"where":"moon"}`, "", true, dialect.NotTaken,
		},
	} {
		t.Run(name, func(t *testing.T) {
			event, err := dialect.Parse(tt.agent, []byte(tt.event))
			if err != nil {
				t.Fatal(err)
			}
			w, ok := event.Whole()
			if got := event.Edits(w); got != tt.edits {
				t.Errorf("another input: %v", got)
			}
			if !ok || w.Tool != tt.tool || string(w.Input) != tt.input || w.Dir != tt.dir || w.Own != tt.own {
				t.Errorf("%s %s in %q, own: %v, %v", w.Tool, w.Input, w.Dir, w.Own, ok)
			}
		})
	}
}

// Only an event whose answer can carry another input is said to take one.
func TestA3_WhoTakesAnotherInput(t *testing.T) {
	for name, tt := range map[string]struct {
		agent dialect.Agent
		event string
		want  dialect.Edits
	}{
		"before a tool":                    {dialect.Claude, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"x"}}`, dialect.Taken},
		"before a person is asked":         {dialect.Claude, `{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"x"}}`, dialect.NotTaken},
		"before a person is asked, Codex":  {dialect.Codex, `{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"x"}}`, dialect.NotTaken},
		"Copilot with Claude Code's hooks": {dialect.Claude, `{"hook_event_name":"PreToolUse","timestamp":"2026-01-01T00:00:00Z","tool_name":"Bash","tool_input":{"command":"x"}}`, dialect.NotTaken},
		"Gemini CLI":                       {dialect.Gemini, `{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"x"}}`, dialect.NotTaken},
		"Copilot":                          {dialect.Copilot, `{"toolName":"bash","toolArgs":{"command":"x"}}`, dialect.NotTaken},
	} {
		event, err := dialect.Parse(tt.agent, []byte(tt.event))
		if err != nil {
			t.Fatal(name, err)
		}
		w, _ := event.Whole()
		if got := event.Edits(w); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
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
