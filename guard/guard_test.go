package guard_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings/oslinks"
	"github.com/assent-dev/assent/tool"
)

const rules = `{"permissions":{
  "allow": ["Bash(make:*)", "Edit(./docs/**)", "WebFetch(domain:example.com)", "mcp__*__list"],
  "ask": ["Bash(make deploy:*)"],
  "deny": ["Bash(git push:*)", "Read(.env)", "mcp__pay__refund"]
}}`

func claude(tool, input string) string {
	return `{"hook_event_name":"PreToolUse","tool_name":` + strconv.Quote(tool) + `,"tool_input":` + input + `}`
}

// The guard decides what `assent check` says.
func TestT4_DecidesLikeCheck(t *testing.T) {
	w := newWorld(t, dialect.Claude).user(rules)
	set, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		t.Fatal(err)
	}
	o := w.options.Settings
	o.Dir = w.proj
	checker := &policy.Checker{Tools: set, Links: oslinks.Links{}, Settings: o}
	for _, call := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"ls -la"}`, "allow"},
		{"Bash", `{"command":"make"}`, "allow"},
		{"Bash", `{"command":"make deploy"}`, "ask"},
		{"Bash", `{"command":"cd web && git push"}`, "deny"},
		{"Bash", `{"command":"cat .env"}`, "deny"},
		{"Bash", `{"command":"rm -rf /"}`, "ask"},
		{"Read", `{"file_path":"a.txt"}`, "allow"},
		{"Read", `{"file_path":".env"}`, "deny"},
		{"Edit", `{"file_path":"docs/a.md","old_string":"a","new_string":"b"}`, "allow"},
		{"Edit", `{"file_path":"a.go","old_string":"a","new_string":"b"}`, "ask"},
		{"Write", `{"file_path":".git/config","content":"x"}`, "ask"},
		{"Grep", `{"pattern":"x","glob":".env"}`, "ask"},
		{"WebFetch", `{"url":"https://example.com/","prompt":"x"}`, "allow"},
		{"WebFetch", `{"url":"https://evil.example/","prompt":"x"}`, "ask"},
		{"TodoWrite", `{"todos":[]}`, "allow"},
		{"TodoWrite", `{"todos":17}`, "ask"},
		{"AskUserQuestion", `{"questions":[]}`, "ask"},
	} {
		j, err := checker.Judge(policy.Query{Tool: call.tool, Input: []byte(call.input)})
		if err != nil {
			t.Fatal(err)
		}
		word, reason := decision(t, w.send(claude(call.tool, call.input)))
		if want := j.Reply(); word != call.want || want.Decision != call.want || reason != "assent: "+want.Reason {
			t.Errorf("%s %s: the guard says %s (%s), check %s (%s), want %s", call.tool, call.input, word, reason, want.Decision, want.Reason, call.want)
		}
	}
}

// Denials, questions of rules and safety checks hold in the agent's loosest mode.
func TestT4_Modes(t *testing.T) {
	w := newWorld(t, dialect.Claude).user(rules)
	for _, test := range []struct{ mode, command, want string }{
		{"default", "npm ci", "ask"},
		{"bypassPermissions", "npm ci", "allow"},
		{"bypassPermissions", "git push", "deny"},
		{"bypassPermissions", "make deploy", "ask"},
		{"bypassPermissions", "rm -rf /", "ask"},
		{"bypassPermissions", "echo x > .git/config", "ask"},
		{"dontAsk", "npm ci", "deny"},
		{"plan", "make", "deny"},
		{"plan", "ls", "allow"},
	} {
		word, reason := decision(t, w.send(with(shellEvent(dialect.Claude, w.proj, test.command), "permission_mode", test.mode)))
		if word != test.want {
			t.Errorf("%s in %s: %s (%s), want %s", test.command, test.mode, word, reason, test.want)
		}
	}
	w.project(`{"permissions":{"disableBypassPermissionsMode":"disable"}}`)
	if word, reason := decision(t, w.send(with(shellEvent(dialect.Claude, w.proj, "npm ci"), "permission_mode", "bypassPermissions"))); word != "ask" {
		t.Errorf("with bypassPermissions disabled: %s (%s)", word, reason)
	}
}

// A workspace nobody has trusted restricts and does not grant.
func TestT4_Trust(t *testing.T) {
	w := newWorld(t, dialect.Claude).project(`{"permissions":{"allow":["Bash(npm:*)"],"deny":["Bash(yarn:*)"]}}`)
	if word, reason := decision(t, w.run("npm ci")); word != "ask" || !strings.Contains(reason, "held back") {
		t.Errorf("untrusted: %s (%s)", word, reason)
	}
	if word, reason := decision(t, w.run("yarn")); word != "deny" {
		t.Errorf("untrusted: %s (%s)", word, reason)
	}
	w.options.Settings.TrustWorkspace = true
	if word, reason := decision(t, w.run("npm ci")); word != "allow" {
		t.Errorf("trusted: %s (%s)", word, reason)
	}
}

// What a held-back hook would have judged asks, unless it only reads.
func TestT4_HeldBackHooks(t *testing.T) {
	w := newWorld(t, dialect.Claude).user(`{"permissions":{"allow":["Bash"]}}`)
	for _, test := range []struct{ matcher, command, want string }{
		{"Bash", "make", "ask"},
		{"Edit|Bash", "make", "ask"},
		{"^Ba", "make", "ask"},
		{"(", "make", "ask"},
		{"", "make", "ask"},
		{"Edit", "make", "allow"},
		{"^Edit$", "make", "allow"},
		{"Bash", "ls", "allow"},
	} {
		w.project(`{"hooks":{"PreToolUse":[{"matcher":` + strconv.Quote(test.matcher) + `,"hooks":[{"type":"command","command":"x"}]}]}}`)
		if word, reason := decision(t, w.run(test.command)); word != test.want {
			t.Errorf("matcher %q, %s: %s (%s), want %s", test.matcher, test.command, word, reason, test.want)
		}
	}
}

// The settings of the project hold wherever in it the agent stands, and names are
// read from there.
func TestT4_ProjectAndDirectory(t *testing.T) {
	w := newWorld(t, dialect.Claude).project(`{"permissions":{"deny":["Bash(git push:*)","Read(./web/key)"]}}`)
	web := filepath.Join(w.proj, "web")
	if err := os.Mkdir(web, 0o755); err != nil {
		t.Fatal(err)
	}
	w.options.Settings.Dir = w.proj
	for _, command := range []string{"git push", "cat key"} {
		if word, reason := decision(t, w.send(shellEvent(dialect.Claude, web, command))); word != "deny" {
			t.Errorf("%s: %s (%s)", command, word, reason)
		}
	}
	if word, reason := decision(t, w.send(shellEvent(dialect.Claude, web, "cat ../README.md"))); word != "allow" {
		t.Errorf("%s (%s)", word, reason)
	}
	if word, reason := decision(t, w.send(shellEvent(dialect.Claude, web, "cat ../../x"))); word != "ask" {
		t.Errorf("%s (%s)", word, reason)
	}
}

// The directory that a call asks for is where it runs.
func TestT4_DirectoryOfTheCall(t *testing.T) {
	w := newWorld(t, dialect.Gemini)
	event := func(dir string) string {
		return `{"hook_event_name":"BeforeTool","cwd":` + strconv.Quote(w.proj) + `,"tool_name":"run_shell_command","tool_input":{"command":"cat x","dir_path":` + strconv.Quote(dir) + `}}`
	}
	for dir, want := range map[string]string{"": "allow", "web": "allow", "../..": "ask", "/etc": "ask", "~": "deny"} {
		var answer struct {
			Decision string `json:"decision"`
		}
		reply := w.send(event(dir))
		if err := strictjson.Unmarshal(reply.Stdout, &answer); err != nil || answer.Decision != want {
			t.Errorf("in %q: %s, want %s", dir, reply.Stdout, want)
		}
	}
}

// The strictest of several calls decides, and guesses only restrict.
func TestT4_Strictest(t *testing.T) {
	patch := func(files ...string) string {
		text := "*** Begin Patch\n"
		for _, f := range files {
			text += "*** Update File: " + f + "\n@@\n-a\n+b\n"
		}
		return `{"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":` + strconv.Quote(text+"*** End Patch") + `}}`
	}
	tests := []struct {
		name    string
		agent   dialect.Agent
		event   string
		through bool
		says    string
	}{
		{"every file allowed", dialect.Codex, patch("docs/a", "docs/b"), true, ""},
		{"one file asks", dialect.Codex, patch("docs/a", "src/b"), false, "needs a person"},
		{"one file denied", dialect.Codex, patch("docs/a", "src/b", "docs/.env"), false, "Read(.env)"},
		{"a protected file", dialect.Codex, patch("docs/a", ".git/config"), false, "needs a person"},
		{"mcp: the server's tool is denied", dialect.Gemini, `{"hook_event_name":"BeforeTool","tool_name":"mcp_pay_refund","tool_input":{}}`, false, "mcp__pay__refund"},
		{"mcp: no reading has a rule", dialect.Gemini, `{"hook_event_name":"BeforeTool","tool_name":"mcp_pay_refund_x","tool_input":{}}`, false, "no rule allows"},
		{"mcp: every reading allowed", dialect.Gemini, `{"hook_event_name":"BeforeTool","tool_name":"mcp_a_b_list","tool_input":{},"mcp_context":{"server_name":"a_b","tool_name":"list"}}`, true, ""},
		{"any server: denied for one", dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"MCP:refund","tool_input":{}}`, false, "mcp__pay__refund"},
		{"any server: allowed for all", dialect.Cursor, `{"hook_event_name":"preToolUse","tool_name":"MCP:list","tool_input":{}}`, true, ""},
		{"any server: no rule", dialect.Cursor, `{"hook_event_name":"beforeMCPExecution","tool_name":"x","tool_input":"{}"}`, false, "no rule allows"},
		{"a guess denies", dialect.Copilot, `{"toolName":"pay-refund","toolArgs":{}}`, false, "mcp__pay__refund"},
		{"a guess does not allow", dialect.Copilot, `{"toolName":"srv-list","toolArgs":{}}`, false, "no rule allows"},
		{"PowerShell asks", dialect.Copilot, `{"toolName":"powershell","toolArgs":{"command":"make"}}`, false, "does not read PowerShell"},
		{"PowerShell is denied like bash", dialect.Copilot, `{"toolName":"powershell","toolArgs":{"command":"git push"}}`, false, "Bash(git push:*)"},
		{"typing is running", dialect.Codex, `{"hook_event_name":"PreToolUse","tool_name":"write_stdin","tool_input":{"chars":"git push\n"}}`, false, "Bash(git push:*)"},
		{"a foreign name", dialect.Gemini, `{"hook_event_name":"BeforeTool","tool_name":"TodoWrite","tool_input":{"todos":[]}}`, false, "no rule allows"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.agent).user(rules)
			reply := w.send(test.event)
			if got := w.letsThrough(reply); got != test.through || !strings.Contains(string(reply.Stdout), test.says) {
				t.Errorf("lets through: %v: %s", got, reply.Stdout)
			}
		})
	}
}

// PowerShell asks even where everything else runs.
func TestT4_DoubtHoldsInEveryMode(t *testing.T) {
	w := newWorld(t, dialect.Copilot).user(`{"permissions":{"defaultMode":"bypassPermissions","allow":["powershell"]}}`)
	if reply := w.send(`{"toolName":"powershell","toolArgs":{"command":"make"}}`); w.letsThrough(reply) {
		t.Errorf("%s", reply.Stdout)
	}
	if reply := w.send(`{"toolName":"bash","toolArgs":{"command":"make"}}`); !w.letsThrough(reply) {
		t.Errorf("%s", reply.Stdout)
	}
}

// A question that the agent cannot ask says what a person can do.
func TestT4_Hint(t *testing.T) {
	w := newWorld(t, dialect.Codex)
	reply := string(w.run("npm test -- --watch").Stdout)
	for _, want := range []string{"This needs a person", `assent explain Bash '{\"command\":\"npm test -- --watch\"}'`, "with the rule Bash("} {
		if !strings.Contains(reply, want) {
			t.Errorf("want %q in %s", want, reply)
		}
	}
	reply = string(w.run("rm -rf /").Stdout) // no rule can allow it
	if !strings.Contains(reply, "This needs a person") || strings.Contains(reply, "with the rule") {
		t.Errorf("%s", reply)
	}
}
