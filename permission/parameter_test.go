package permission_test

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// parameterCalls are rules of the form Tool(name:value) and calls of that tool. Each rule
// stands in a deny, an ask and an allow list.
var parameterCalls = []struct {
	rule, tool, input string
	restricts         bool // the call matches the rule in a deny or ask list
	grants            bool // and in an allow list
}{
	// One top-level parameter, as given.
	{"Bash(run_in_background:true)", "Bash", `{"command":"make","run_in_background":true}`, true, true},
	{"Bash(run_in_background:true)", "Bash", `{"command":"make","run_in_background":false}`, false, false},
	{"Bash(run_in_background:true)", "Bash", `{"command":"make"}`, false, false},
	{"Bash(run_in_background: true )", "Bash", `{"command":"make","run_in_background":true}`, true, true},
	{"Bash(run_in_background:*)", "Bash", `{"command":"make","run_in_background":false}`, true, true},
	{"Bash(run_in_background:*)", "Bash", `{"command":"make"}`, false, false},
	{"Bash(dangerouslyDisableSandbox:true)", "Bash", `{"command":"make","dangerouslyDisableSandbox":true}`, true, true},
	{"Bash(timeout:600000)", "Bash", `{"command":"make","timeout":600000}`, true, true},
	{"Bash(timeout:600000)", "Bash", `{"command":"make","timeout":6e5}`, true, true},
	{"Bash(timeout:600000)", "Bash", `{"command":"make","timeout":600000.0}`, true, true},
	{"Bash(timeout:600000)", "Bash", `{"command":"make","timeout":60000}`, false, false},
	{"Bash(description:*deploy*)", "Bash", `{"command":"make","description":"now deploy it"}`, true, true},
	{"Bash(description:*deploy*)", "Bash", `{"command":"make","description":"build"}`, false, false},

	// The older reading stays where it means something.
	{"Bash(make test:*)", "Bash", `{"command":"make test x"}`, true, true},
	{"Bash(timeout:*)", "Bash", `{"command":"make","timeout":1000}`, false, false},
	{"Bash(command:*)", "Bash", `{"command":"make"}`, false, false},
	{"Bash(description:*)", "Bash", `{"command":"make","description":"x"}`, false, false},

	// What a tool's own syntax is about is compared as given: enough to restrict, never to grant.
	{"Bash(command:make *)", "Bash", `{"command":"make x; rm -r y"}`, true, false},
	{"Edit(file_path:*.env)", "Edit", `{"file_path":"/home/dev/proj/.env","old_string":"a","new_string":"b"}`, true, false},
	{"Edit(file_path:*/x)", "Write", `{"file_path":"/home/dev/proj/x","content":""}`, true, false},
	{"WebFetch(url:http://*)", "WebFetch", `{"url":"http://example.com/","prompt":"p"}`, true, false},

	// Every built-in tool.
	{"Edit(replace_all:true)", "Edit", `{"file_path":"a.go","old_string":"a","new_string":"b","replace_all":true}`, true, true},
	{"Edit(replace_all:true)", "Edit", `{"file_path":"a.go","old_string":"a","new_string":"b"}`, false, false},
	{"Write(content:*secret*)", "Write", `{"file_path":"a.go","content":"a\nsecret\n"}`, true, true},
	{"Write(content:*secret*)", "Write", `{"file_path":"a.go","content":"a"}`, false, false},
	{"NotebookEdit(edit_mode:delete)", "NotebookEdit", `{"notebook_path":"a.ipynb","cell_id":"1","new_source":"","edit_mode":"delete"}`, true, true},
	{"Read(limit:5)", "Read", `{"file_path":"/srv/a","limit":5}`, true, true},
	{"Read(limit:5)", "Read", `{"file_path":"/srv/limit:5"}`, false, false},
	{"Grep(-i:true)", "Grep", `{"pattern":"x","path":"/srv","-i":true}`, true, true},
	{"Glob(pattern:*.pem)", "Glob", `{"pattern":"k.pem","path":"/srv"}`, true, true},
	{"WebFetch(prompt:*key*)", "WebFetch", `{"url":"https://example.com/","prompt":"the key"}`, true, true},
	{"WebFetch(domain:example.com)", "WebFetch", `{"url":"https://example.com/","prompt":"p"}`, true, true},
	{"WebSearch(query:*salary*)", "WebSearch", `{"query":"my salary now"}`, true, true},
	{"WebSearch(allowed_domains:a.b)", "WebSearch", `{"query":"q1","allowed_domains":["x.y","a.b"]}`, true, false},
	{"WebSearch(allowed_domains:a.b)", "WebSearch", `{"query":"q1","allowed_domains":["a.b"]}`, true, true},
	{"Skill(args:--force*)", "Skill", `{"skill":"deploy","args":"--force x"}`, true, true},
	{"Skill(skill:deploy)", "Skill", `{"skill":"deploy"}`, true, true},
	{"Skill(plugin:deploy)", "Skill", `{"skill":"plugin:deploy"}`, true, true},

	// MCP tools, by tool and by server.
	{"mcp__pay__refund(currency:EUR)", "mcp__pay__refund", `{"currency":"EUR"}`, true, true},
	{"mcp__pay__refund(currency:EUR)", "mcp__pay__refund", `{"currency":"USD"}`, false, false},
	{"mcp__pay__refund(currency:EUR)", "mcp__pay__refund", `{}`, false, false},
	{"mcp__pay__refund(currency:EUR)", "mcp__pay__charge", `{"currency":"EUR"}`, false, false},
	{"mcp__pay(currency:EUR)", "mcp__pay__charge", `{"currency":"EUR"}`, true, true},
	{"mcp__pay__refund(currency:E*)", "mcp__pay__refund", `{"currency":"EUR"}`, true, true},
	{"mcp__pay__refund(currency:eur)", "mcp__pay__refund", `{"currency":"EUR"}`, false, false},
	{`mcp__pay__refund(note:a\*b)`, "mcp__pay__refund", `{"note":"a*b"}`, true, true},
	{`mcp__pay__refund(note:a\*b)`, "mcp__pay__refund", `{"note":"axb"}`, false, false},
	{"mcp__pay__refund(url:https://a.b/*)", "mcp__pay__refund", `{"url":"https://a.b/c"}`, true, true},
	{"mcp__pay__refund(note:a)", "mcp__pay__refund", `{"n\u006fte":"\u0061"}`, true, true},
	{"mcp__pay__refund(fast:true)", "mcp__pay__refund", `{"fast":true}`, true, true},
	{"mcp__pay__refund(note:*)", "mcp__pay__refund", `{"note":null}`, true, true},

	// Names in other letter case may be the same to the server.
	{"mcp__pay__refund(amount:500)", "mcp__pay__refund", `{"Amount":500}`, true, false},
	{"mcp__pay__refund(amount:500)", "mcp__pay__refund", `{"amount":500,"Amount":9}`, true, false},

	// Numbers are compared exactly.
	{"mcp__pay__refund(amount:500)", "mcp__pay__refund", `{"amount":500}`, true, true},
	{"mcp__pay__refund(amount:500)", "mcp__pay__refund", `{"amount":5.00e2}`, true, true},
	{"mcp__pay__refund(amount:500)", "mcp__pay__refund", `{"amount":"500"}`, true, true},
	{"mcp__pay__refund(amount:500)", "mcp__pay__refund", `{"amount":5000}`, false, false},
	{"mcp__pay__refund(id:9007199254740993)", "mcp__pay__refund", `{"id":9007199254740993}`, true, true},
	{"mcp__pay__refund(id:9007199254740993)", "mcp__pay__refund", `{"id":9007199254740992}`, false, false},
	{"mcp__pay__refund(amount:0.1)", "mcp__pay__refund", `{"amount":0.1000000000000000055511151231257827}`, false, false},
	{"mcp__pay__refund(amount:0)", "mcp__pay__refund", `{"amount":-0.0}`, true, true},
	{"mcp__pay__refund(amount:50*)", "mcp__pay__refund", `{"amount":500}`, true, true},
	{"mcp__pay__refund(amount:50*)", "mcp__pay__refund", `{"amount":5e2}`, true, false},
	{"mcp__pay__refund(amount:*)", "mcp__pay__refund", `{"amount":5e2}`, true, true},

	// Comparisons.
	{"mcp__pay__refund(amount:>500)", "mcp__pay__refund", `{"amount":500}`, false, false},
	{"mcp__pay__refund(amount:>500)", "mcp__pay__refund", `{"amount":500.0000000000000000001}`, true, true},
	{"mcp__pay__refund(amount:>= 500)", "mcp__pay__refund", `{"amount":5E+2}`, true, true},
	{"mcp__pay__refund(amount:<500)", "mcp__pay__refund", `{"amount":-1}`, true, true},
	{"mcp__pay__refund(amount:<=500)", "mcp__pay__refund", `{"amount":500.01}`, false, false},
	{"mcp__pay__refund(amount:<=-500)", "mcp__pay__refund", `{"amount":-500.01}`, true, true},
	{"mcp__pay__refund(amount:>9007199254740992)", "mcp__pay__refund", `{"amount":9007199254740993}`, true, true},
	{"mcp__pay__refund(amount:>500)", "mcp__pay__refund", `{}`, false, false},
	// What cannot be compared restricts and does not grant.
	{"mcp__pay__refund(amount:>500)", "mcp__pay__refund", `{"amount":"1"}`, true, false},
	{"mcp__pay__refund(amount:<500)", "mcp__pay__refund", `{"amount":true}`, true, false},
	{"mcp__pay__refund(amount:<500)", "mcp__pay__refund", `{"amount":null}`, true, false},
	{"mcp__pay__refund(amount:<500)", "mcp__pay__refund", `{"amount":{"value":1}}`, true, false},
	{"mcp__pay__refund(note:a)", "mcp__pay__refund", `{"note":{"a":1}}`, true, false},
	{"mcp__pay__refund(note:a)", "mcp__pay__refund", `{"note":[]}`, true, false},

	// Nested names.
	{"mcp__pay__refund(order.country:DE)", "mcp__pay__refund", `{"order":{"country":"DE"}}`, true, true},
	{"mcp__pay__refund(order.country:DE)", "mcp__pay__refund", `{"order":{"country":"US"}}`, false, false},
	{"mcp__pay__refund(order.country:DE)", "mcp__pay__refund", `{"order.country":"DE"}`, true, true},
	{"mcp__pay__refund(order.country:DE)", "mcp__pay__refund", `{"order.country":"DE","order":{"country":"US"}}`, true, false},
	{"mcp__pay__refund(order.country:DE)", "mcp__pay__refund", `{"country":"DE"}`, false, false},
	{"mcp__pay__refund(order.country:DE)", "mcp__pay__refund", `{"order":"{\"country\":\"US\"}"}`, true, false},
	{"mcp__pay__refund(order.lines.amount:>5)", "mcp__pay__refund", `{"order":{"lines":[{"amount":1},{"amount":9}]}}`, true, false},
	{"mcp__pay__refund(order.lines.amount:>5)", "mcp__pay__refund", `{"order":{"lines":[{"amount":8},{"amount":9}]}}`, true, true},
}

func TestS47_ParameterRules(t *testing.T) {
	for _, c := range parameterCalls {
		for list, rules := range map[string]lists{"deny": {Deny: []string{c.rule}}, "ask": {Ask: []string{c.rule}}, "allow": {Allow: []string{c.rule}}} {
			t.Run(fmt.Sprintf("%s %s %s", list, c.rule, c.input), func(t *testing.T) {
				w := newWorld(t, rules, inMode(permission.BypassPermissions))
				want, matches := allow, c.restricts
				switch list {
				case "deny":
					want = deny
				case "ask":
					want = ask
				case "allow":
					matches = c.grants
				}
				d := w.engine.Decide(w.ctx, w.given(c.tool, c.input))
				got := d.Trace[permission.StageRules-1].Outcome
				if matches && (got != want || list != "allow" && d.Behavior != want) || !matches && got != permission.Pass {
					t.Errorf("the rules say %v, the decision is %v (%s); want a match: %v", got, d.Behavior, d.Message(), matches)
				}
			})
		}
	}
}

// given is a call whose input is written as the model writes it.
func (w *world) given(name, input string) *permission.Call {
	w.t.Helper()
	call, err := w.engine.Validate(w.ctx, permission.Request{Tool: name, Input: []byte(input)})
	if err != nil {
		w.t.Fatalf("%s %s: %v", name, input, err)
	}
	return call
}

// Agent and Task are one tool, so a rule on either holds for both.
func TestS47_ParameterRulesOnAgents(t *testing.T) {
	for _, named := range []string{"Agent", "Task"} {
		for _, called := range []string{"Agent", "Task"} {
			w := newWorld(t, lists{Deny: []string{named + "(model:opus)"}, Ask: []string{named + "(isolation:*)"}})
			for input, want := range map[string]permission.Behavior{
				`{"description":"d","prompt":"p","model":"opus"}`:         deny,
				`{"description":"d","prompt":"p","model":"sonnet"}`:       allow,
				`{"description":"d","prompt":"p"}`:                        allow,
				`{"description":"d","prompt":"p","isolation":"worktree"}`: ask,
			} {
				if d := w.engine.Decide(w.ctx, w.given(called, input)); d.Behavior != want {
					t.Errorf("%s(model:opus), %s %s: %v (%s), want %v", named, called, input, d.Behavior, d.Message(), want)
				}
			}
		}
	}
}

// An allow rule on a parameter lifts no more than one on the whole tool does.
func TestS47_WhatAParameterRuleAllows(t *testing.T) {
	w := newWorld(t, lists{
		Allow: []string{"Bash(run_in_background:true)", "mcp__pay__refund(amount:<=500)", "Edit(replace_all:true)"},
		Deny:  []string{"Bash(rm:*)", "mcp__pay__refund(order.country:KP)"},
		Ask:   []string{"mcp__pay__refund(amount:>100)"},
	})
	for _, c := range []struct {
		tool, input string
		want        permission.Behavior
	}{
		{"Bash", `{"command":"make","run_in_background":true}`, allow},
		{"Bash", `{"command":"make"}`, ask},
		{"Bash", `{"command":"rm x","run_in_background":true}`, deny},
		{"Bash", `{"command":"$X","run_in_background":true}`, ask},
		{"Bash", `{"command":"make > /etc/hosts","run_in_background":true}`, ask},
		{"mcp__pay__refund", `{"amount":50}`, allow},
		{"mcp__pay__refund", `{"amount":101}`, ask},
		{"mcp__pay__refund", `{"amount":50,"order":{"country":"KP"}}`, deny},
		{"mcp__pay__refund", `{"amount":501}`, ask},
		{"mcp__pay__refund", `{"amount":"50"}`, ask},
		{"Edit", `{"file_path":"a.go","old_string":"a","new_string":"b","replace_all":true}`, allow},
		{"Edit", `{"file_path":".git/config","old_string":"a","new_string":"b","replace_all":true}`, ask},
	} {
		if d := w.engine.Decide(w.ctx, w.given(c.tool, c.input)); d.Behavior != c.want {
			t.Errorf("%s %s: %v (%s), want %v", c.tool, c.input, d.Behavior, d.Message(), c.want)
		}
	}
}

// A rule on a parameter is about no command and no file: other calls are decided as if it
// were not there.
func TestS47_ParameterRulesAreAboutNothingElse(t *testing.T) {
	without := newWorld(t, lists{Allow: []string{"Bash", "mcp__pay"}})
	with := newWorld(t, lists{
		Allow: []string{"Bash", "mcp__pay"},
		Deny:  []string{"Bash(run_in_background:true)", "Read(limit:5)", "Edit(replace_all:true)", "mcp__pay__refund(amount:>500)"},
		Ask:   []string{"Bash(timeout:5)"},
	})
	for _, command := range []string{"make; $X", "cat $X", "python3 -c 'x'", "grep -r x .", "run_in_background:true"} {
		if a, b := without.bash(command), with.bash(command); a.Behavior != b.Behavior || a.Message() != b.Message() {
			t.Errorf("%s: %v (%s), without the rules %v (%s)", command, b.Behavior, b.Message(), a.Behavior, a.Message())
		}
	}
}

// A rule with a comparison that says nothing is malformed: it restricts the whole tool, or
// is dropped.
func TestS47_ComparisonsWithWords(t *testing.T) {
	for _, text := range []string{"mcp__pay__refund(amount:>much)", "mcp__pay__refund(amount:>)", "mcp__pay__refund(amount:=>5)", "mcp__pay__refund(amount:!=5)", "mcp__pay__refund(amount:==5)"} {
		if _, err := rule.Parse(text); err == nil {
			t.Errorf("%s is taken for a rule", text)
		}
		w := newWorld(t, lists{Allow: []string{"mcp__pay"}, Deny: []string{text}})
		w.want(w.decide("mcp__pay__refund", map[string]any{"amount": 1}), ask, permission.ByRule)
	}
}

func TestS47_DecideByParametersAllocatesNothing(t *testing.T) {
	var l lists
	for i := range 1000 {
		l.Deny = append(l.Deny, fmt.Sprintf("mcp__server%d__tool(order.amount:>%d)", i, i))
	}
	l.Deny = append(l.Deny, "Bash(run_in_background:true)", "Agent(model:opus)")
	w := newWorld(t, l)
	for name, call := range map[string]*permission.Call{
		"mcp":   w.given("mcp__server3__tool", `{"order":{"country":"DE","amount":5}}`),
		"other": w.given("mcp__other__tool", `{"order":{"country":"DE","amount":5}}`),
		"agent": w.given("Agent", `{"description":"d","prompt":"p","model":"sonnet"}`),
		"read":  w.given("Read", `{"file_path":"a"}`),
	} {
		if n := testing.AllocsPerRun(100, func() { w.engine.Decide(w.ctx, call) }); n != 0 {
			t.Errorf("%s: %.1f allocations", name, n)
		}
	}
}

// What a person is offered for a call whose text reads as a parameter is no rule on that
// parameter: it would allow other calls.
func TestS47_NoParameterRuleIsSuggested(t *testing.T) {
	w := newWorld(t, lists{})
	for tool, input := range map[string]string{"Skill": `{"skill":"args:x"}`, "WebSearch": `{"query":"query:salary"}`, "Bash": `{"command":"timeout:5","timeout":5}`} {
		call := w.given(tool, input)
		if updates := w.engine.Suggest(w.ctx, call, w.engine.Decide(w.ctx, call)); len(updates) > 0 {
			t.Errorf("%s %s: offers %+v", tool, input, updates)
		}
	}
}
