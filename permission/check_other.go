package permission

import "github.com/assent-dev/assent/rule"

// judgeOther is the check of tools that are neither files nor shell commands.
func judgeOther(ctx *Context, call *Call) finding {
	f := finding{rules: Pass, check: Pass}
	for _, source := range rule.Sources {
		set := ctx.sets[source]
		if set == nil {
			continue
		}
		f.strictest(set.Tool(call.Name))
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
