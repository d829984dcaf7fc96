package permission_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// A hook of a workspace nobody has trusted does not run; what it might have stopped
// asks, whatever the mode, the rules and the other hooks say, unless it only reads.
func TestS33_HeldBackHookAsksUnlessItOnlyReads(t *testing.T) {
	const why = "a hook is held back"
	all := lists{Allow: []string{"Bash", "Edit", "WebFetch", "mcp__pay", "Task"}}
	for _, tt := range []struct {
		name  string
		tool  string
		input map[string]any
		hook  permission.Behavior
		mode  permission.Mode
		want  permission.Behavior
		kind  permission.ReasonKind
	}{
		{"a command that changes something", "Bash", map[string]any{"command": "make"}, permission.Pass, permission.Default, permission.Ask, permission.ByHook},
		{"under bypass", "Bash", map[string]any{"command": "make"}, permission.Pass, permission.BypassPermissions, permission.Ask, permission.ByHook},
		{"a hook's allow does not lift it", "Bash", map[string]any{"command": "make"}, permission.Allow, permission.Default, permission.Ask, permission.ByHook},
		{"a denial stays", "Bash", map[string]any{"command": "ls"}, permission.Deny, permission.Default, permission.Deny, permission.ByHook},
		{"a deferral stays", "Bash", map[string]any{"command": "make"}, permission.Defer, permission.Default, permission.Defer, permission.ByHook},
		{"an ask stays for what only reads", "Bash", map[string]any{"command": "ls"}, permission.Ask, permission.Default, permission.Ask, permission.ByHook},
		{"a command that only reads", "Bash", map[string]any{"command": "ls -la | head"}, permission.Pass, permission.Default, permission.Allow, permission.ByRule},
		{"half of it reads", "Bash", map[string]any{"command": "ls; make"}, permission.Pass, permission.Default, permission.Ask, permission.ByHook},
		{"a hook's allow of what only reads", "Bash", map[string]any{"command": "cat /etc/hosts"}, permission.Allow, permission.Default, permission.Allow, permission.ByHook},
		{"a read", "Read", fileInput("Read", "a.go"), permission.Pass, permission.Default, permission.Allow, permission.ByReadOnly},
		{"a search", "Grep", fileInput("Grep", "."), permission.Pass, permission.Default, permission.Allow, permission.ByReadOnly},
		{"an edit", "Write", fileInput("Write", "a.go"), permission.Allow, permission.AcceptEdits, permission.Ask, permission.ByHook},
		{"an MCP tool", "mcp__pay__refund", map[string]any{}, permission.Pass, permission.Default, permission.Ask, permission.ByHook},
		{"a fetch", "WebFetch", map[string]any{"url": "https://example.com/", "prompt": "x"}, permission.Pass, permission.Default, permission.Ask, permission.ByHook},
		{"with nobody to ask", "Bash", map[string]any{"command": "make"}, permission.Allow, permission.DontAsk, permission.Deny, permission.ByMode},
		{"in auto mode no classifier answers", "Bash", map[string]any{"command": "make"}, permission.Pass, permission.Auto, permission.Ask, permission.ByHook},
		{"plan mode still denies", "Bash", map[string]any{"command": "make"}, permission.Allow, permission.Plan, permission.Deny, permission.ByMode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, all, inMode(tt.mode))
			call := w.validate(tt.tool, tt.input)
			call.Hook = permission.Verdict{Behavior: tt.hook, Reason: "the hook said so", AskUnlessReads: why}
			d := w.engine.Decide(w.ctx, call)
			w.want(d, tt.want, tt.kind)
			if d.Classify {
				t.Error("a classifier may answer in place of the hook")
			}
			if tt.want == permission.Ask && tt.hook != permission.Ask && !strings.Contains(d.Message(), why) {
				t.Errorf("the reason is %q", d.Message())
			}
		})
	}
}

// Deny rules, ask rules and safety checks keep their place and their reason.
func TestS33_HeldBackHookIsOnlyAFloor(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(make clean)"}, Ask: []string{"Bash(make deploy)"}})
	for command, want := range map[string]struct {
		behavior permission.Behavior
		kind     permission.ReasonKind
	}{
		"make clean":  {permission.Deny, permission.ByRule},
		"make deploy": {permission.Ask, permission.ByRule},
		"rm -rf ~":    {permission.Ask, permission.BySafety},
	} {
		call := w.validate("Bash", map[string]any{"command": command})
		call.Hook = permission.Verdict{Behavior: permission.Allow, AskUnlessReads: "held back"}
		d := w.engine.Decide(w.ctx, call)
		w.want(d, want.behavior, want.kind)
		if d.NeedsPerson != (want.kind == permission.BySafety) {
			t.Errorf("%s: needs a person: %v", command, d.NeedsPerson)
		}
	}
}
