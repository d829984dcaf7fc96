package rule

import (
	"errors"
	"strings"
	"testing"
)

func TestS14_WellFormedRules(t *testing.T) {
	for _, c := range []struct {
		text, tool, content, canonical string
	}{
		{"Bash", "Bash", "", "Bash"},
		{"Bash(*)", "Bash", "", "Bash"},
		{"Bash( * )", "Bash", "", "Bash"},
		{"Bash(:*)", "Bash", "", "Bash"},
		{"Read(*)", "Read", "", "Read"},
		{" Bash(npm test) ", "Bash", "npm test", "Bash(npm test)"},
		{"Bash(  npm test )", "Bash", "npm test", "Bash(npm test)"},
		{"Bash(echo (a) b)", "Bash", "echo (a) b", "Bash(echo (a) b)"},
		{"Bash(f())", "Bash", "f()", "Bash(f())"},
		{`Bash(\*)`, "Bash", `\*`, `Bash(\*)`},
		{"Bash(**)", "Bash", "**", "Bash(**)"},
		{"Task(:*)", "Task", ":*", "Task(:*)"},
		{`Read(a\ )`, "Read", `a\ `, `Read(a\ )`},
		{`Read(a\\ )`, "Read", `a\\`, `Read(a\\)`},
		{`Read(\!a)`, "Read", `\!a`, `Read(\!a)`},
		{"Read(/app/[id]/page.tsx)", "Read", "/app/[id]/page.tsx", "Read(/app/[id]/page.tsx)"},
		{"WebFetch(domain:example.com)", "WebFetch", "domain:example.com", "WebFetch(domain:example.com)"},
		{"WebFetch(*)", "WebFetch", "", "WebFetch"},
		{"mcp__pay__get_*", "mcp__pay__get_*", "", "mcp__pay__get_*"},
		{"mcp__pay__*(*)", "mcp__pay__*", "", "mcp__pay__*"},
		{"*", "*", "", "*"},
		{"MyTool(x)", "MyTool", "x", "MyTool(x)"},
		{"deploy_v2.run", "deploy_v2.run", "", "deploy_v2.run"},
	} {
		got, err := Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got.Tool != c.tool || got.Content != c.content || got.Bare != (c.content == "") || got.Text != c.text {
			t.Errorf("Parse(%q) = %+v", c.text, got)
		}
		if got.String() != c.canonical {
			t.Errorf("Parse(%q).String() = %q, want %q", c.text, got.String(), c.canonical)
		}
	}
}

func TestS14_MalformedRules(t *testing.T) {
	for _, c := range []struct {
		text, problem, hint string
		tool                string // what the quarantined rule asks for
	}{
		{"", "empty", "Bash(npm test)", "*"},
		{" \t", "empty", "Tool(content)", "*"},
		{"mcp__", "names no server", "write mcp__* for the tools of every server", "mcp__*"},
		{"mcp__(amount:5)", "names no server", "mcp__*", "mcp__*"},
		{"Mcp__pay__refund", "in small letters", "did you mean mcp__pay__refund?", "mcp__pay__refund"},
		{"MCP__pay", "in small letters", "did you mean mcp__pay?", "mcp__pay"},
		{"MCP__pay(amount:5)", "in small letters", "did you mean mcp__pay(amount:5)?", "mcp__pay"},
		{"MCP__*", "in small letters", "did you mean mcp__*?", "mcp__*"},
		{"mcp__pay__refund(a..b:5)", "is empty", "order.country", "mcp__pay__refund"},
		{"mcp__pay__refund(.a:5)", "is empty", "order.country", "mcp__pay__refund"},
		{"mcp__pay__refund(a.:5)", "is empty", "order.country", "mcp__pay__refund"},
		{"Bash()", "nothing between", "write Bash for every call", "Bash"},
		{"Bash(  )", "nothing between", "write Bash", "Bash"},
		{"Bash(npm test", `")" is missing`, "did you mean Bash(npm test)?", "Bash"},
		{"bash(npm test", `")" is missing`, "did you mean Bash(npm test)?", "Bash"},
		{"Bash(npm test) now", `after the ")"`, "did you mean Bash(npm test)?", "Bash"},
		{"bash(x)", "case-sensitive", "did you mean Bash(x)?", "Bash"},
		{"READ", "case-sensitive", "did you mean Read?", "Read"},
		{"Webfetch(domain:x.org)", "case-sensitive", "did you mean WebFetch(domain:x.org)?", "WebFetch"},
		{"Bash (rm:*)", "a tool name holds", "did you mean Bash(rm:*)?", "Bash"},
		{"rm -rf *", "a tool name holds", "did you mean Bash(rm -rf *)?", "*"},
		{"Bash\x00(rm)", "a tool name holds", "Tool(content)", "Bash"},
		{"Bash\u200b(rm)", "a tool name holds", "Tool(content)", "Bash"},
		{"B\u0430sh(rm)", "a tool name holds", "Tool(content)", "*"},
		{"Bash,Read", "a tool name holds", "one rule", "Bash"},
		{"Bash|Write", "a tool name holds", "one rule", "Bash"},
		{"Bash)", "a tool name holds", "one rule", "Bash"},
		{"mcp__pay refund", "a tool name holds", "did you mean", "mcp__pay"},
		{"(rm:*)", "name is missing", "did you mean Bash(rm:*)?", "*"},
		{"(rm:*", "name is missing", "did you mean Bash(rm:*)?", "*"},
		{" ()", "name is missing", "write Tool or Tool(content)", "*"},
		{"mcp__*(x)", "takes no content", "write mcp__*", "mcp__*"},
		{"Read(!x)", "negated", `\!`, "Read"},
		{"Edit(../x)", "climb", "//absolute", "Edit"},
		{"Edit(a/../../x)", "climb", "~/path", "Edit"},
		{"Write([ab)", `"["`, `\[`, "Write"},
		{"Write([[:nosuch:]])", `"["`, `\[`, "Write"},
		{"Write([a-)", `"["`, `\[`, "Write"},
		{`Write([a-\)`, `"["`, `\[`, "Write"},
		{"Write([[:alpha:)", `"["`, `\[`, "Write"},
		{`Read(a\)`, "backslash", `\\`, "Read"},
		{"WebFetch(example.com)", "domain:", "WebFetch(domain:example.com)", "WebFetch"},
		{"WebFetch(domain:)", "not the name of a host", "only the name", "WebFetch"},
		{"WebFetch(domain:https://x.org/)", "not the name of a host", "only the name", "WebFetch"},
		{"WebFetch(domain:x.org:443)", "not the name of a host", "only the name", "WebFetch"},
		{"WebFetch(domain:*x.org)", "not the name of a host", "*.example.com", "WebFetch"},
		{"WebFetch(domain:*.*)", "not the name of a host", "*.example.com", "WebFetch"},
		{"WebFetch(domain:http://[::1]/)", "not the name of a host", "only the name", "WebFetch"},
		{"WebFetch(domain:a..b)", "not the name of a host", "only the name", "WebFetch"},
		{"Bash(\xff)", "UTF-8", "UTF-8", "Bash"},
	} {
		_, err := Parse(c.text)
		var bad *SyntaxError
		if !errors.As(err, &bad) {
			t.Errorf("Parse(%q) = %v, want a SyntaxError", c.text, err)
			continue
		}
		if bad.Rule != c.text || !strings.Contains(bad.Problem, c.problem) || !strings.Contains(bad.Hint, c.hint) {
			t.Errorf("Parse(%q): %+v, want problem %q and hint %q", c.text, bad, c.problem, c.hint)
		}
		checkQuarantine(t, c.text, c.tool)
	}
}

// checkQuarantine: what restricts is kept as an ask, what allows is dropped.
func checkQuarantine(t *testing.T, text, tool string) {
	t.Helper()
	origin := Origin{Source: UserSettings, File: "settings.json", Line: 7}
	for _, b := range []Behavior{Deny, Ask} {
		r, ok, err := Read(text, b, origin)
		want := Rule{Text: text, Behavior: Ask, List: b, Origin: origin, Tool: tool, Bare: true, Quarantined: true}
		if !ok || err == nil || r != want {
			t.Errorf("Read(%q, %v) = %#v, %v, %v, want %#v", text, b, r, ok, err, want)
		}
		if r.String() != text {
			t.Errorf("a quarantined rule is shown as written: %q", r.String())
		}
	}
	if r, ok, err := Read(text, Allow, origin); ok || err == nil || r != (Rule{}) {
		t.Errorf("Read(%q, allow) = %+v, %v, %v, want it dropped", text, r, ok, err)
	}
}

func TestS14_MalformedRulesLeaveTheirNeighboursAlone(t *testing.T) {
	var list []Rule
	for _, text := range []string{"Bash(rm:*)", "read(x", "Read(./secrets/**)"} {
		if r, ok, _ := Read(text, Deny, Origin{}); ok {
			list = append(list, r)
		}
	}
	s := compiled(list, testAnchors)
	if r, m := s.Bash(Deny, "rm -rf x"); r == nil || m != Yes {
		t.Error("the rule before a malformed one is lost")
	}
	if s.Path("/home/dev/proj/app/secrets/k").Read.Deny == nil {
		t.Error("the rule after a malformed one is lost")
	}
	if s.Tool("Read").Ask == nil {
		t.Error("the malformed deny does not ask")
	}
}

func TestSyntaxErrorSaysWhatToDo(t *testing.T) {
	_, err := Parse("bash(ls)")
	want := `rule "bash(ls)" is malformed: tool names are case-sensitive; did you mean Bash(ls)?`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
