package guard_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/rule"
)

// spoken is a tool as an agent calls it.
type spoken struct {
	agent dialect.Agent
	tool  string
	// as is assent's tool, input what a call cannot be without.
	as, input string
	// words are members of an input, by the parameter that they are about. Each has the value VALUE, true
	// or 7.
	words map[string]string
}

var spokenTools = []spoken{
	{dialect.Codex, "exec_command", "Bash", `"cmd":"make"`, map[string]string{
		"dangerouslyDisableSandbox": `"sandbox_permissions":"require_escalated"`, "timeout": `"timeout_ms":7`, "command": `"cmd":"VALUE"`,
	}},
	{dialect.Codex, "shell", "Bash", `"command":["make"]`, map[string]string{"dangerouslyDisableSandbox": `"with_escalated_permissions":true`}},
	{dialect.Gemini, "run_shell_command", "Bash", `"command":"make"`, map[string]string{"run_in_background": `"is_background":true`, "description": `"description":"VALUE"`}},
	{dialect.Cursor, "Shell", "Bash", `"command":"make"`, map[string]string{
		"run_in_background": `"is_background":true`, "dangerouslyDisableSandbox": `"required_permissions":["all"]`, "description": `"description":"VALUE"`,
	}},
	{dialect.Copilot, "bash", "Bash", `"command":"make"`, map[string]string{"run_in_background": `"async":true`, "description": `"description":"VALUE"`}},
	{dialect.Copilot, "bash", "Bash", `"command":"make"`, map[string]string{"run_in_background": `"mode":"async"`}},
	{dialect.Copilot, "bash", "Bash", `"command":"make"`, map[string]string{"run_in_background": `"detach":true`}},

	{dialect.Codex, "apply_patch", "Write", `"x":null`, map[string]string{"content": `"command":"*** Begin Patch\n*** Add File: a\n+VALUE\n*** End Patch"`}},
	{dialect.Codex, "apply_patch", "Edit", `"x":null`, map[string]string{
		"new_string": `"command":"*** Begin Patch\n*** Update File: a\n@@\n-x\n+VALUE\n@@\n-y\n+z\n*** End Patch"`,
		"old_string": `"command":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-VALUE\n+z\n*** End Patch"`,
	}},
	{dialect.Codex, "exec_command", "Edit", `"x":null`, map[string]string{
		"new_string": `"cmd":"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n@@\n-x\n+VALUE\n*** End Patch\nEOF"`,
	}},
	{dialect.Gemini, "write_file", "Write", `"file_path":"a"`, map[string]string{"content": `"content":"VALUE"`}},
	{dialect.Gemini, "replace", "Edit", `"file_path":"a"`, map[string]string{
		"old_string": `"old_string":"VALUE"`, "new_string": `"new_string":"VALUE"`, "replace_all": `"allow_multiple":true`,
	}},
	{dialect.Cursor, "Write", "Write", `"path":"a"`, map[string]string{"content": `"contents":"VALUE"`}},
	{dialect.Cursor, "StrReplace", "Edit", `"path":"a"`, map[string]string{
		"old_string": `"old_string":"VALUE"`, "new_string": `"new_string":"VALUE"`, "replace_all": `"replace_all":true`,
	}},
	{dialect.Copilot, "create", "Write", `"path":"a"`, map[string]string{"content": `"file_text":"VALUE"`}},
	{dialect.Copilot, "edit", "Edit", `"path":"a"`, map[string]string{"old_string": `"old_str":"VALUE"`, "new_string": `"new_str":"VALUE"`}},
	{dialect.Copilot, "str_replace_editor", "Edit", `"path":"a"`, map[string]string{
		"old_string": `"command":"str_replace","old_str":"VALUE"`, "new_string": `"command":"insert","insert_line":1,"insert_text":"VALUE"`,
	}},
	{dialect.Copilot, "str_replace_editor", "Write", `"path":"a"`, map[string]string{"content": `"command":"create","file_text":"VALUE"`}},
	{dialect.Claude, "MultiEdit", "Edit", `"file_path":"a"`, map[string]string{"new_string": `"edits":[{"old_string":"x","new_string":"y"},{"old_string":"x","new_string":"VALUE"}]`}},

	{dialect.Codex, "spawn_agent", "Agent", `"agent_type":"x"`, map[string]string{"prompt": `"message":"VALUE"`, "model": `"model":"VALUE"`, "subagent_type": `"agent_type":"VALUE"`}},
	{dialect.Codex, "spawn_agent", "Agent", `"agent_type":"x"`, map[string]string{"prompt": `"items":[{"type":"text","text":"VALUE"}]`}},
	{dialect.Gemini, "invoke_agent", "Agent", `"agent_name":"x"`, map[string]string{"prompt": `"prompt":"VALUE"`}},
	{dialect.Gemini, "delegate_to_agent", "Agent", `"x":null`, map[string]string{"prompt": `"objective":"VALUE"`}},
	{dialect.Cursor, "Task", "Agent", `"description":"d"`, map[string]string{"prompt": `"prompt":"VALUE"`, "model": `"model":"VALUE"`, "run_in_background": `"run_in_background":true`}},
	{dialect.Copilot, "task", "Agent", `"description":"d"`, map[string]string{"prompt": `"prompt":"VALUE"`, "subagent_type": `"agent_type":"VALUE"`, "run_in_background": `"mode":"background"`}},

	{dialect.Gemini, "search_file_content", "Grep", `"pattern":"x"`, map[string]string{"glob": `"include":"VALUE"`, "pattern": `"pattern":"VALUE"`}},
	{dialect.Gemini, "grep_search", "Grep", `"pattern":"x"`, map[string]string{"glob": `"include_pattern":"VALUE"`, "-A": `"after":7`, "context": `"context":7`}},
	{dialect.Cursor, "Grep", "Grep", `"pattern":"x"`, map[string]string{"glob": `"glob":"VALUE"`, "type": `"type":"VALUE"`, "-A": `"-A":7`, "multiline": `"multiline":true`}},
	{dialect.Copilot, "grep", "Grep", `"pattern":"x"`, map[string]string{"glob": `"glob":"VALUE"`, "output_mode": `"output_mode":"VALUE"`, "-i": `"-i":true`}},
	{dialect.Gemini, "glob", "Glob", `"pattern":"x"`, map[string]string{"pattern": `"pattern":"VALUE"`}},
	{dialect.Cursor, "Glob", "Glob", `"x":null`, map[string]string{"pattern": `"glob_pattern":"VALUE"`}},
	{dialect.Gemini, "read_file", "Read", `"file_path":"a"`, map[string]string{"offset": `"start_line":7`, "limit": `"limit":7`}},
	{dialect.Cursor, "Read", "Read", `"path":"a"`, map[string]string{"offset": `"offset":7`, "limit": `"limit":7`}},
	{dialect.Gemini, "web_fetch", "WebFetch", `"x":null`, map[string]string{"prompt": `"prompt":"VALUE https://example.com/"`}},
	{dialect.Copilot, "web_fetch", "WebFetch", `"x":null`, map[string]string{"url": `"url":"https://VALUE/"`}},
	{dialect.Cursor, "WebSearch", "WebSearch", `"x":null`, map[string]string{"query": `"search_term":"VALUE"`}},
	{dialect.Gemini, "google_web_search", "WebSearch", `"x":null`, map[string]string{"query": `"query":"VALUE"`}},
	{dialect.Codex, "update_plan", "TodoWrite", `"explanation":"e"`, map[string]string{"todos": `"plan":[{"step":"VALUE","status":"pending"}]`}},
}

// TestS47_ParametersInEveryAgentsWords: a rule on a parameter stops the call whatever the agent calls the
// parameter, and no other call.
func TestS47_ParametersInEveryAgentsWords(t *testing.T) {
	for _, tool := range spokenTools {
		for _, parameter := range slices.Sorted(maps.Keys(tool.words)) {
			word := tool.words[parameter]
			value, other := "*VALUE*", "*OTHER*"
			switch {
			case strings.Contains(word, ":7"):
				value, other = "7", "8"
			case !strings.Contains(word, "VALUE"):
				value, other = "true", "false"
			}
			input := word
			if name, _, _ := strings.Cut(word, ":"); !strings.Contains(tool.input, name) {
				input += "," + tool.input
			}
			values := map[string]bool{value: false, other: true}
			if strings.Contains(word, ":[{") && tool.as != "Edit" { // an object may have any value
				delete(values, other)
			}
			for _, list := range []string{"deny", "ask"} {
				for value, through := range values {
					w := newWorld(t, tool.agent).user(fmt.Sprintf(`{"permissions":{"defaultMode":"bypassPermissions",%q:["%s(%s:%s)"]}}`, list, tool.as, parameter, value))
					if reply := w.send(toolEvent(tool.agent, w.proj, tool.tool, "{"+input+"}")); w.letsThrough(reply) != through {
						t.Errorf("%v %s {%s}: %s %s(%s:%s): %s", tool.agent, tool.tool, input, list, tool.as, parameter, value, reply.Stdout)
					}
				}
			}
		}
	}
}

// given are the parameters that each of the calls below has.
var given = []string{"file_path", "command", "path", "pattern", "url", "query", "description", "todos", "subagent_type", "old_string", "new_string", "content", "prompt"}

// TestS47_UnknownWordsMayBeAnyParameter: what an agent says under a name that nobody knows is asked about
// where a rule is on a parameter that the call does not have, and nowhere else.
func TestS47_UnknownWordsMayBeAnyParameter(t *testing.T) {
	calls := map[string]string{
		"Write": `"path":"a","contents":"b"`, "StrReplace": `"path":"a","old_string":"x","new_string":"y"`,
		"Shell": `"command":"make","description":"x"`, "Grep": `"pattern":"x","path":"."`, "Glob": `"glob_pattern":"x","path":"."`, "Read": `"path":"a"`,
		"Task": `"subagent_type":"x","prompt":"y","description":"z"`, "WebSearch": `"search_term":"xy"`,
	}
	for tool, as := range map[string]string{
		"Shell": "Bash", "Write": "Write", "StrReplace": "Edit", "Grep": "Grep", "Glob": "Glob", "Read": "Read", "Task": "Agent", "WebSearch": "WebSearch",
	} {
		names, _ := rule.Parameters(as)
		for _, parameter := range names {
			w := newWorld(t, dialect.Cursor).user(fmt.Sprintf(`{"permissions":{"defaultMode":"bypassPermissions","deny":["%s(%s:*unheard*)"]}}`, as, parameter))
			for novelty, through := range map[string]bool{`"x"`: slices.Contains(given, parameter), "false": true} {
				input := fmt.Sprintf(`{%s,"novelty":%s}`, calls[tool], novelty)
				if reply := w.send(toolEvent(dialect.Cursor, w.proj, tool, input)); w.letsThrough(reply) != through {
					t.Errorf("%s %s: a rule on %s: %s", tool, input, parameter, reply.Stdout)
				}
			}
		}
	}
	w := newWorld(t, dialect.Codex).user(`{"permissions":{"defaultMode":"bypassPermissions","deny":["Write(content:*secret*)"]}}`)
	patch := `{"command":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch"}`
	if reply := w.send(toolEvent(dialect.Codex, w.proj, "apply_patch", patch)); w.letsThrough(reply) {
		t.Error("what stands in a file that is moved is not known, and nobody is asked")
	}
}

// TestS47_GrantsInEveryAgentsWords: an allow rule on a parameter grants the call in the agent's words, and
// not one that says something else as well.
func TestS47_GrantsInEveryAgentsWords(t *testing.T) {
	for input, through := range map[string]bool{
		`{"path":"a","file_text":"good"}`:                  true,
		`{"path":"a","file_text":"bad"}`:                   false,
		`{"path":"a","file_text":"good","contents":"bad"}`: false,
		`{"path":"a"}`: false,
	} {
		w := newWorld(t, dialect.Copilot).user(`{"permissions":{"allow":["Write(content:good)"]}}`)
		if reply := w.send(toolEvent(dialect.Copilot, w.proj, "create", input)); w.letsThrough(reply) != through {
			t.Errorf("%s: %s", input, reply.Stdout)
		}
	}
}
