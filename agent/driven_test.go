package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

// The tools of a server come and go with its switch, also over a change of settings; a
// rule of somebody else stays what it is.
func TestW5_SwitchedServers(t *testing.T) {
	w := newWorld(t, config{rules: []string{"allow mcp__pay", "deny mcp__shut"}, change: func(c *agent.Config) {
		c.Tools = append(c.Tools, remote{tool.Named("mcp__pay__refund")}, remote{tool.Named("mcp__shut__x")})
	}})
	removed := func() bool {
		w.model.list = []reply{{calls: []model.Block{use("t1", "mcp__pay__refund", `{}`)}}, {text: "done"}}
		w.messages, w.model.requests = nil, nil
		w.prompt("go")
		hidden := !strings.Contains(toolsOf(w.model.requests[0]), "mcp__pay__refund")
		if ran := strings.Contains(said(w.results()["t1"]), "has run"); ran == hidden {
			t.Errorf("offered: %v, ran: %v", !hidden, ran)
		}
		return hidden
	}
	check := func(what string, want bool) {
		t.Helper()
		if removed() != want {
			t.Errorf("%s: removed is %v", what, !want)
		}
		if off := strings.Join(w.agent.SwitchedOffServers(), " "); (off == "pay") != want {
			t.Errorf("%s: off are %q", what, off)
		}
	}
	do := func(server string, to agent.Switch) {
		t.Helper()
		if err := w.agent.SwitchServer(server, to); err != nil {
			t.Fatal(err)
		}
	}
	before := w.agent.Permissions()
	do("pay", agent.On) // it is
	check("at the start", false)
	do("pay", agent.Off)
	do("pay", agent.Off)
	check("off", true)
	w.agent.Rebase(before)
	check("off, after settings have changed", true)
	do("pay", agent.On)
	check("on", false)
	w.agent.Rebase(before)
	check("on, after settings have changed", false)

	if err := w.agent.SwitchServer("shut", agent.Off); err == nil {
		t.Error("a server that a rule removes is switched off")
	}
	do("shut", agent.On)
	if w.agent.Permissions().Removed("mcp__shut__x") == nil {
		t.Error("a rule of the settings was lifted")
	}
	u := permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny, Rules: []string{"mcp__pay"}}
	if err := w.agent.Restrict(u); err != nil {
		t.Fatal(err)
	}
	if err := w.agent.SwitchServer("pay", agent.Off); err == nil {
		t.Error("a server that the host's rule removes is switched off")
	}
	do("pay", agent.On)
	if !removed() {
		t.Error("a rule of the host was lifted")
	}
}

// A rule that somebody makes while a server is switched off stays when it is on again.
func TestW5_ASwitchLiftsNoRule(t *testing.T) {
	w := newWorld(t, config{rules: []string{"allow mcp__pay"}})
	for _, to := range []agent.Switch{agent.Off, agent.On} {
		if err := w.agent.SwitchServer("pay", to); err != nil {
			t.Fatal(err)
		}
		if to == agent.On {
			break
		}
		u := permission.Update{Type: permission.AddRules, Destination: rule.Session, Behavior: rule.Deny, Rules: []string{"mcp__pay"}}
		if err := w.agent.Restrict(u); err != nil {
			t.Fatal(err)
		}
	}
	if w.agent.Permissions().Removed("mcp__pay__refund") == nil {
		t.Error("the rule is gone")
	}
}

// What is switched off while a sub-agent works is gone for it, too.
func TestW5_ASwitchReachesSubAgents(t *testing.T) {
	var w *world
	w = newWorld(t, config{rules: []string{"allow mcp__pay"}, change: func(c *agent.Config) {
		c.Tools = append(c.Tools, remote{tool.Named("mcp__pay__refund")})
	}, turns: []reply{
		{calls: []model.Block{use("t1", "Task", subtask)}},
		{calls: []model.Block{use("s1", "mcp__pay__refund", `{}`)}, during: func(context.Context) {
			if err := w.agent.SwitchServer("pay", agent.Off); err != nil {
				t.Error(err)
			}
		}},
		{text: "sub"},
		{text: "done"},
	}})
	w.prompt("go")
	if got := said(w.results()["s1"]); strings.Contains(got, "has run") || got == "" {
		t.Errorf("%q", got)
	}
}

// The hooks of a session that has begun to start are those it has.
func TestW5_HooksComeBeforeTheStart(t *testing.T) {
	w := newWorld(t, config{})
	w.agent.Start(t.Context(), "startup")
	if err := w.agent.AddHooks([]hook.Entry{{Event: hook.SessionStart}}); err == nil {
		t.Error("a hook was added that nobody has asked")
	}
}

// Instructions are for the whole session: after the first prompt they cannot change.
func TestW5_InstructionsComeFirst(t *testing.T) {
	w := newWorld(t, config{turns: []reply{{text: "Well."}}})
	if err := w.agent.Instruct("Be brief."); err != nil {
		t.Fatal(err)
	}
	w.prompt("hello")
	if err := w.agent.Instruct("Be long."); err == nil {
		t.Error("they changed")
	}
	if got := w.model.requests[0].System; got != "Be brief." {
		t.Errorf("the model was told %q", got)
	}
}
