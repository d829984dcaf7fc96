package permission

import (
	"strings"

	"github.com/assent-dev/assent/rule"
)

// judgeOther is the check of tools that are neither files nor shell commands.
func judgeOther(ctx *Context, call *Call) finding {
	f := finding{rules: Pass, check: Pass}
	if why := ctx.config.refusesServer(call); why != "" {
		f.rules, f.ruleReason = Deny, Reason{Kind: ByLimit, Detail: why}
		return f
	}
	f.strictest(ctx.parameterHits(call))
	for _, source := range rule.Sources {
		set := ctx.sets[source]
		if set == nil {
			continue
		}
		f.strictest(set.Tool(call.Name))
		f.server(set, call)
		if call.Name == "Agent" || call.Name == "Task" { // one tool under two names
			f.strictest(merge(set.Tool("Task"), set.Tool("Agent")))
			f.strictest(merge(set.Content("Task", call.content), set.Content("Agent", call.content)))
			continue
		}
		if call.Kind == Fetch {
			f.strictest(set.Domain(call.host))
		} else {
			f.strictest(set.Content(call.Name, call.content))
		}
	}
	switch call.Kind {
	case Session:
		f.check, f.checkReason = Allow, Reason{Kind: ByTool, Detail: "it changes nothing but the agent's own notes"}
	case Process:
		f.check, f.checkReason = Allow, Reason{Kind: ByTool, Detail: "it only ends what the agent has started itself"}
	case Agent:
		f.check, f.checkReason = Allow, Reason{Kind: ByTool, Detail: "the sub-agent's own calls are judged one by one"}
	case Person:
		f.check, f.checkReason = Ask, Reason{Kind: ByTool, Detail: "only a person can answer this"}
	case Fetch:
		f.checkReason = Reason{Kind: ByNoRule, Detail: "no rule allows fetching from " + call.host}
	case Other, Lookup, Shell, Read, Search, Edit:
		f.checkReason = Reason{Kind: ByNoRule, Detail: "no rule allows this tool"}
	}
	return f
}

// server: the resources of an MCP server are behind tools of another name. What
// restricts the server as a whole restricts them; what allows it is about its tools.
func (f *finding) server(set *rule.Set, call *Call) {
	if call.Name != "ReadMcpResourceTool" && call.Name != "ListMcpResourcesTool" {
		return
	}
	name, _ := call.Input["server"].(string)
	if name == "" { // every server
		f.anyServer(set)
		return
	}
	hits := set.Tool("mcp__" + name + "__")
	hits.Allow = nil
	f.strictest(hits)
}

// anyServer: among all servers there is the one that a rule is about, if it exists.
func (f *finding) anyServer(set *rule.Set) {
	if f.rules == Deny || f.rules == Ask {
		return
	}
	for r := range set.All() {
		server, isMCP := strings.CutPrefix(r.Tool, "mcp__")
		server = strings.TrimSuffix(strings.TrimSuffix(server, "*"), "__")
		if isMCP && r.Bare && r.Behavior != rule.Allow && !strings.Contains(server, "__") {
			f.rules = Ask
			f.ruleReason = Reason{Kind: ByMaybeRule, Rule: r, Detail: "the resources of every server are named"}
			return
		}
	}
}
