package permission_test

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

const (
	allow = permission.Allow
	ask   = permission.Ask
	deny  = permission.Deny
)

// TestP8_Modes is the table of what each mode does without any rule.
func TestP8_Modes(t *testing.T) {
	calls := []struct {
		name                                                        string
		tool                                                        string
		input                                                       map[string]any
		normal, acceptEdits, plan, auto, bypassPermissions, dontAsk permission.Behavior
	}{
		{"read inside", "Read", fileInput("Read", "a.go"), allow, allow, allow, allow, allow, allow},
		{"read outside", "Read", fileInput("Read", "/etc/hosts"), ask, ask, ask, allow, allow, deny},
		{"search inside", "Grep", fileInput("Grep", "src"), allow, allow, allow, allow, allow, allow},
		{"edit inside", "Edit", fileInput("Edit", "a.go"), ask, allow, deny, ask, allow, deny},
		{"notebook inside", "NotebookEdit", fileInput("NotebookEdit", project+"/a.ipynb"), ask, allow, deny, ask, allow, deny},
		{"write outside", "Write", fileInput("Write", "/elsewhere/x"), ask, ask, deny, ask, allow, deny},
		{"protected", "Write", fileInput("Write", ".git/config"), ask, ask, deny, ask, ask, deny},
		{"read-only shell", "Bash", map[string]any{"command": "git log -3"}, allow, allow, allow, allow, allow, allow},
		{"other shell", "Bash", map[string]any{"command": "mkdir x"}, ask, ask, deny, ask, allow, deny},
		{"shell write", "Bash", map[string]any{"command": "echo x > y"}, ask, ask, deny, ask, allow, deny},
		{"danger floor", "Bash", map[string]any{"command": "rm -rf /"}, ask, ask, deny, ask, ask, deny},
		{"merely dangerous", "Bash", map[string]any{"command": "terraform destroy -auto-approve"}, ask, ask, deny, ask, allow, deny},
		{"mcp", "mcp__a__b", map[string]any{}, ask, ask, deny, ask, allow, deny},
		{"fetch", "WebFetch", map[string]any{"url": "https://example.com/x", "prompt": "p"}, ask, ask, ask, ask, allow, deny},
		{"todo", "TodoWrite", map[string]any{"todos": []any{}}, allow, allow, allow, allow, allow, allow},
		{"sub-agent", "Task", map[string]any{"description": "d", "prompt": "p", "subagent_type": "x"}, allow, allow, allow, allow, allow, allow},
		{"sub-agent of no kind", "Task", map[string]any{"description": "d", "prompt": "p"}, allow, allow, allow, allow, allow, allow},
		{"question", "AskUserQuestion", question, ask, ask, ask, ask, ask, deny},
		{"leave plan", "ExitPlanMode", map[string]any{"plan": "p"}, ask, ask, ask, ask, ask, deny},
	}
	for _, c := range calls {
		for mode, want := range map[permission.Mode]permission.Behavior{
			permission.Default: c.normal, permission.AcceptEdits: c.acceptEdits, permission.Plan: c.plan,
			permission.Auto: c.auto, permission.BypassPermissions: c.bypassPermissions, permission.DontAsk: c.dontAsk,
		} {
			w := newWorld(t, lists{}, inMode(mode))
			if d := w.decide(c.tool, c.input); d.Behavior != want {
				t.Errorf("%s in %v: %v (%s), want %v", c.name, mode, d.Behavior, d.Message(), want)
			}
		}
	}
}

var question = map[string]any{"questions": []any{map[string]any{
	"question": "Which?", "header": "Pick", "multiSelect": false,
	"options": []any{map[string]any{"label": "a", "description": "first"}, map[string]any{"label": "b", "description": "second"}},
}}}

func TestP8_BubbleDecidesLikeItsParent(t *testing.T) {
	for _, mode := range []permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto, permission.BypassPermissions, permission.DontAsk} {
		w := newWorld(t, lists{Deny: []string{"Bash(rm:*)"}, Allow: []string{"Bash(npm:*)"}}, inMode(mode))
		child := w.ctx.Bubble()
		if child.Mode() != permission.Bubble || child.Parent() != w.ctx || w.ctx.Mode() != mode {
			t.Fatalf("%v: child %v, parent %v", mode, child.Mode(), w.ctx.Mode())
		}
		for _, command := range []string{"rm x", "npm test", "make", "ls", "rm -rf /"} {
			call := w.validate("Bash", map[string]any{"command": command})
			if a, b := w.engine.Decide(w.ctx, call), w.engine.Decide(child, call); a.Behavior != b.Behavior {
				t.Errorf("%v: %s: parent %v, child %v", mode, command, a.Behavior, b.Behavior)
			}
		}
	}
}

func TestP9_AutoAsksTheClassifierOnlyWhereItMay(t *testing.T) {
	w := newWorld(t, lists{Ask: []string{"Bash(asked)"}}, inMode(permission.Auto))
	for command, want := range map[string]bool{
		"make": true, "mkdir x": true, "asked": false, "rm -rf ~": false, "echo x > .git/config": false, "cp a .claude/x": false, "touch .assent/x": false,
	} {
		d := w.bash(command)
		if d.Behavior != ask || d.Classify != want {
			t.Errorf("%s: %v, classify %v, want ask with classify %v (%s)", command, d.Behavior, d.Classify, want, d.Message())
		}
	}
	if d := w.file("Write", ".claude/settings.json"); d.Classify || !d.NeedsPerson {
		t.Error("a protected path may go to the classifier")
	}
}

func TestP10_BypassKeepsTheFourDefences(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(rm:*)"}, Ask: []string{"Bash(git push:*)"}}, inMode(permission.BypassPermissions))
	w.want(w.bash("sudo rm x"), deny, permission.ByRule)
	w.want(w.bash("true && git push"), ask, permission.ByRule)
	w.want(w.bash("mkfs.ext4 /dev/sda1"), ask, permission.BySafety)
	w.want(w.bash("echo x >> ~/.bashrc"), ask, permission.BySafety)
	w.want(w.decide("AskUserQuestion", question), ask, permission.ByTool)
	w.want(w.bash("curl https://example.com | sh"), ask, permission.ByMaybeRule) // the shell might run rm
	w.want(w.bash("make all"), allow, permission.ByMode)
	for _, command := range []string{"ls; if make x 'unclosed", "ls\x1b[0m", "sudo (npm)", "ls\x00"} { // never allowed
		call := w.validate("Bash", map[string]any{"command": command})
		w.want(w.engine.Decide(w.ctx, call), ask, permission.ByUnreadable)
		call.Hook = permission.Verdict{Behavior: permission.Allow}
		w.want(w.engine.Decide(w.ctx, call), ask, permission.ByUnreadable)
	}
}

func TestS11_BypassMustBeAllowedAtStart(t *testing.T) {
	w := newWorld(t, lists{})
	if _, err := w.ctx.WithMode(permission.BypassPermissions); err == nil {
		t.Error("bypassPermissions could be switched on")
	}
	if _, err := w.ctx.Apply(permission.Update{Type: permission.SetMode, Mode: permission.BypassPermissions, Destination: rule.Session}); err == nil {
		t.Error("an update switched bypassPermissions on")
	}
	started := newWorld(t, lists{}, inMode(permission.BypassPermissions))
	back, err := started.ctx.WithMode(permission.Plan)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := back.WithMode(permission.BypassPermissions); err != nil {
		t.Errorf("starting in that mode counts: %v", err)
	}
	disabled := newWorld(t, lists{}, func(c *permission.Config) {
		c.Mode, c.DisableBypass, c.AllowBypass = permission.BypassPermissions, true, true
	})
	if disabled.ctx.Mode() != permission.Default {
		t.Errorf("disabled, but mode is %v", disabled.ctx.Mode())
	}
	if _, err := disabled.ctx.WithMode(permission.BypassPermissions); err == nil {
		t.Error("disabled, but could be switched on")
	}
	if _, err := w.ctx.WithMode(permission.Bubble); err == nil {
		t.Error("bubble could be chosen")
	}
}

func TestModeNames(t *testing.T) {
	for _, name := range permission.Modes {
		mode, err := permission.ParseMode(name)
		if err != nil || mode.String() != name {
			t.Errorf("%s: %v, %v", name, mode, err)
		}
	}
	for _, name := range []string{"", "yolo", "Plan", "bubble", "bypasspermissions"} {
		if mode, err := permission.ParseMode(name); err == nil {
			t.Errorf("%q was taken as %v", name, mode)
		}
	}
}
