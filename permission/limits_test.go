package permission_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// What is read and written again is the same rule, never a broader one.
func TestP18_UpdatesKeepTheirRules(t *testing.T) {
	for _, text := range []string{
		`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":""}],"behavior":"deny","destination":"session"}`,
		`{"type":"replaceRules","rules":[{"toolName":"Bash","ruleContent":""},{"toolName":"Edit"}],"behavior":"deny","destination":"session"}`,
		`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"echo (x)"}],"behavior":"allow","destination":"session"}`,
	} {
		var u permission.Update
		if err := json.Unmarshal([]byte(text), &u); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if back, err := json.Marshal(u); err != nil || string(back) != text {
			t.Errorf("%s became %s, %v", text, back, err)
		}
	}
}

func TestP18_UpdatesThatSayNothingClearAreRefused(t *testing.T) {
	for _, text := range []string{
		`{"type":"addRules","behavior":"allow","rules":[null]}`,
		`{"type":"addRules","behavior":"allow","rules":[{"toolName":"Bash"},null]}`,
		`{"type":"addRules","behavior":"allow","rules":[{}]}`,
		`{"type":"addRules","behavior":"allow","rules":[{"ruleContent":"x"}]}`,
		`{"type":"replaceRules","behavior":"deny","rules":null}`,
		`{"type":"addDirectories","directories":[null]}`,
		`{"type":"addDirectories","directories":null}`,
		`{"type":"addRules","behavior":"deny","rules":[{"toolName":"Bash"}],"dest":"userSettings"}`,
		`{"type":"addRules","behavior":"deny","Behavior":"allow","rules":[{"toolName":"Bash"}]}`,
		`{"type":"setMode","mode":"plan","scope":"session"}`,
	} {
		var u permission.Update
		if err := json.Unmarshal([]byte(text), &u); err == nil {
			t.Errorf("%s was read as %+v", text, u)
		}
	}
}

// Whatever a sub-agent is told, it may never do more than its parent.
func TestS10_SubAgentsNeverExceedTheirParents(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{"Bash(rm:*)"}, Ask: []string{"Bash(curl:*)"}})
	child := w.ctx.Bubble()
	for _, u := range []permission.Update{
		{Type: permission.SetMode, Mode: permission.AcceptEdits},
		{Type: permission.SetMode, Mode: permission.Auto},
		{Type: permission.AddRules, Behavior: rule.Allow, Rules: []string{"Bash"}},
		{Type: permission.ReplaceRules, Behavior: rule.Allow, Rules: []string{"Bash"}},
		{Type: permission.ReplaceRules, Behavior: rule.Deny},
		{Type: permission.RemoveRules, Behavior: rule.Deny, Rules: []string{"Bash(rm:*)"}},
		{Type: permission.RemoveRules, Behavior: rule.Ask, Rules: []string{"Bash(curl:*)"}},
		{Type: permission.AddDirectories, Directories: []string{"/etc"}},
	} {
		for _, u.Destination = range []rule.Source{rule.Session, rule.ProjectSettings} {
			for _, ctx := range []*permission.Context{child, child.Bubble()} {
				if next, err := ctx.Apply(u); !errors.Is(err, permission.ErrSubAgent) || next != nil {
					t.Errorf("%+v: %v", u, err)
				}
			}
			if _, err := w.ctx.Apply(u); err != nil {
				t.Errorf("the parent itself: %+v: %v", u, err)
			}
		}
	}
}

func TestS10_SubAgentsCanBeRestrictedFurther(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Bash(make)", "Bash(npm:*)"}}, inMode(permission.AcceptEdits))
	child, err := w.ctx.Bubble().ApplyAll([]permission.Update{
		{Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash(make)"}, Destination: rule.Session},
		{Type: permission.RemoveRules, Behavior: rule.Allow, Rules: []string{"Bash(npm:*)"}, Destination: rule.ProjectSettings},
		{Type: permission.SetMode, Mode: permission.AcceptEdits, Destination: rule.Session},
		{Type: permission.SetMode, Mode: permission.Plan, Destination: rule.Session},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.want(w.bash("make"), allow, permission.ByRule)
	w.ctx = child
	w.want(w.bash("make"), deny, permission.ByRule)
	w.want(w.bash("npm test"), deny, permission.ByMode)
	w.want(w.file("Edit", "a.go"), deny, permission.ByMode)
	if _, err := child.WithMode(permission.AcceptEdits); !errors.Is(err, permission.ErrSubAgent) {
		t.Errorf("back from plan: %v", err)
	}
}

// A sub-agent's question is answered with the parent's context, so "always allow"
// is offered for that.
func TestS10_SubAgentsGetSuggestionsForTheirParents(t *testing.T) {
	w := newWorld(t, lists{})
	child := w.ctx.Bubble()
	call := w.validate("Bash", map[string]any{"command": "make all"})
	if got := w.engine.Suggest(child, call, w.engine.Decide(child, call)); len(got) != 1 {
		t.Errorf("suggestions %v", got)
	}
}

// The administrator's mode can be tightened and not loosened, by nobody.
func TestS5_ModeLimit(t *testing.T) {
	modes := []permission.Mode{permission.Default, permission.AcceptEdits, permission.Plan, permission.Auto, permission.BypassPermissions, permission.DontAsk}
	within := map[permission.Mode][]permission.Mode{
		permission.Default:           {permission.Default, permission.Plan, permission.DontAsk},
		permission.AcceptEdits:       {permission.Default, permission.AcceptEdits, permission.Plan, permission.DontAsk},
		permission.Plan:              {permission.Plan},
		permission.Auto:              {permission.Default, permission.Plan, permission.Auto, permission.DontAsk},
		permission.BypassPermissions: modes,
		permission.DontAsk:           {permission.DontAsk},
		0:                            modes,
	}
	for limit, allowed := range within {
		for _, mode := range modes {
			want := false
			for _, m := range allowed {
				want = want || m == mode
			}
			limited := func(c *permission.Config) { c.Mode, c.ModeLimit, c.AllowBypass = mode, limit, true }
			started := newWorld(t, lists{}, limited).ctx
			if got := started.Mode() == mode; got != want {
				t.Errorf("limit %v: started in %v instead of %v", limit, started.Mode(), mode)
			}
			next, err := started.WithMode(mode)
			if (err == nil) != want || err != nil && (next != nil || !errors.Is(err, permission.ErrModeLimit)) {
				t.Errorf("limit %v: switching to %v: %v", limit, mode, err)
			}
		}
	}
}

// S6 names what plan mode lets through. What a server, a skill or a signal does is
// not among it.
func TestS6_PlanModeOnlyReads(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"Skill", "ReadMcpResourceTool", "ListMcpResourcesTool", "SlashCommand", "mcp__a", "KillShell", "TaskStop", "WebSearch", "BashOutput"}}, inMode(permission.Plan))
	for name, input := range map[string]map[string]any{
		"Skill": {"skill": "x"}, "ReadMcpResourceTool": {"server": "a", "uri": "b"}, "ListMcpResourcesTool": {}, "SlashCommand": {"command": "/x"},
		"mcp__a__b": {}, "KillShell": {"shell_id": "1"}, "TaskStop": {"task_id": "1"},
	} {
		w.want(w.decide(name, input), deny, permission.ByMode)
	}
	for name, input := range map[string]map[string]any{"WebSearch": {"query": "abc"}, "BashOutput": {"bash_id": "1"}, "TodoWrite": {"todos": []any{}}} {
		if d := w.decide(name, input); d.Behavior != allow {
			t.Errorf("%s: %v (%s)", name, d.Behavior, d.Message())
		}
	}
	normal := newWorld(t, lists{})
	normal.want(normal.decide("KillShell", map[string]any{"shell_id": "1"}), allow, permission.ByTool)
	normal.want(normal.decide("Skill", map[string]any{"skill": "x"}), ask, permission.ByNoRule)
}

// What restricts an MCP server restricts its resources; what allows it does not
// allow them.
func TestP16_ServerRulesCoverResources(t *testing.T) {
	for _, c := range []struct {
		name, restriction, server string
		want                      permission.Behavior
	}{
		{"the server", "mcp__a", "a", deny},
		{"all its tools", "mcp__a__*", "a", deny},
		{"all servers", "mcp__*", "a", deny},
		{"some servers", "mcp__pay*", "payments", deny},
		{"a name that tools cannot have", "mcp__my_server", "my server", deny},
		{"a name with a joint", "mcp__a__b", "a__b", deny},
		{"another server", "mcp__b", "a", allow},
		{"a server whose name starts alike", "mcp__a", "ab", allow},
		{"one of its tools", "mcp__a__delete", "a", allow},
		{"some of its tools", "mcp__a__del_*", "a", allow},
		{"every server, one denied", "mcp__a", "", ask},
		{"every server, all denied", "mcp__*", "", ask},
		{"every server, a tool denied", "mcp__a__delete", "", allow},
	} {
		allowed := []string{"ReadMcpResourceTool", "ListMcpResourcesTool"}
		inputs := map[string]map[string]any{"ReadMcpResourceTool": {"server": c.server, "uri": "b"}, "ListMcpResourcesTool": {"server": c.server}}
		if c.server == "" {
			inputs = map[string]map[string]any{"ListMcpResourcesTool": {}}
		}
		for name, input := range inputs {
			w := newWorld(t, lists{Allow: allowed, Deny: []string{c.restriction}})
			if d := w.decide(name, input); d.Behavior != c.want {
				t.Errorf("%s: %s: %v (%s), want %v", c.name, name, d.Behavior, d.Message(), c.want)
			}
			asks := newWorld(t, lists{Allow: allowed, Ask: []string{c.restriction}}, inMode(permission.BypassPermissions))
			if d := asks.decide(name, input); (d.Behavior == ask) != (c.want != allow) {
				t.Errorf("%s: %s with an ask rule: %v (%s)", c.name, name, d.Behavior, d.Message())
			}
		}
	}
	w := newWorld(t, lists{Allow: []string{"mcp__a"}})
	w.want(w.decide("ReadMcpResourceTool", map[string]any{"server": "a", "uri": "b"}), ask, permission.ByNoRule)
}

// A host is a name or an address and nothing else, in its one spelling.
func TestP16_HostsOfCalls(t *testing.T) {
	w := newWorld(t, lists{Allow: []string{"WebFetch(domain:*.good.com)"}, Deny: []string{"WebFetch(domain:::1)", "WebFetch(domain:bücher.de)", "WebFetch(domain:127.0.0.1)"}})
	for url, want := range map[string]permission.Behavior{
		"http://www.good.com/": allow, "http://WWW.good.com./": allow, "http://a_b.good.com/": allow,
		"http://[::1%25lo]/": deny, "http://[0:0::1]/": deny, "http://xn--bcher-kva.de/": deny, "http://[::ffff:127.0.0.1]/": deny, "http://[::ffff:7f00:1%25x]/": deny,
	} {
		if d := w.decide("WebFetch", map[string]any{"url": url, "prompt": "p"}); d.Behavior != want {
			t.Errorf("%s: %v (%s), want %v", url, d.Behavior, d.Message(), want)
		}
	}
	for _, url := range []string{
		"http://evil.com&.good.com/", "http://evil.com,.good.com/", "http://evil.com!.good.com/", "http://evil.com;.good.com/", "http://evil.com$.good.com/",
		"http://evil.com'.good.com/", "http://evil.com(.good.com/", "http://evil.com*.good.com/", "http://evil.com~.good.com/", "http://evil.com=.good.com/",
		"http://bücher.good.com/", "http://evil.com%20.good.com/", "http://a..good.com/", "http://127.1/",
	} {
		input, err := json.Marshal(map[string]any{"url": url, "prompt": "p"})
		if err != nil {
			t.Fatal(err)
		}
		var invalid *permission.InvalidError
		if call, err := w.engine.Validate(w.ctx, permission.Request{Tool: "WebFetch", Input: input}); !errors.As(err, &invalid) {
			t.Errorf("%s was taken as %v, %v", url, call, err)
		}
	}
}

// A rule that nobody can see is shown.
func TestEmptyRuleIsSeen(t *testing.T) {
	w := newWorld(t, lists{Deny: []string{""}})
	if got, want := w.bash("ls").Message(), `rule "" (settings.json:1) says ask, because it is malformed`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
