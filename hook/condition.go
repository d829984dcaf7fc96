package hook

import (
	"fmt"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Condition is the `if` of an entry: a permission rule. A call meets it when a deny
// rule of that text would stop the call, or might: one part of a compound command is
// enough, and what is only known when it runs counts as met. A hook that runs once
// too often is better than one that was talked out of its work. For the same reason
// what it allows counts only where an allow rule of that text would let the whole call
// run.
type Condition struct{ Text string }

// ParseCondition reads a condition.
func ParseCondition(text string) (*Condition, error) {
	if _, err := rule.Parse(text); err != nil {
		return nil, fmt.Errorf("the condition is no permission rule: %w", err)
	}
	return &Condition{Text: text}, nil
}

// surroundings are what a condition needs to know besides the call.
type surroundings struct {
	engine *permission.Engine
	root   string // the project's
	cwd    string
	home   string
}

// meets reports whether a call meets a condition. What cannot be judged does.
func (c *Condition) meets(call *permission.Call, origin rule.Origin, s surroundings) bool {
	if call == nil {
		return true
	}
	r, decision, judged := c.asRule(rule.Deny, call, origin, s)
	if !judged {
		return true
	}
	switch decision.Reason.Kind {
	case permission.ByRule, permission.ByMaybeRule:
		return true
	case permission.ByUnreadable:
		return r.Tool == call.Name || namesFiles(r.Tool) // what it touches is not known either
	default:
		return false
	}
}

// covers reports whether an allow rule of that text would let the call run: every
// part of it, and nothing that is only known when it runs. What cannot be judged is
// not covered. A hook that allows what meets its condition allows no more than that.
func (c *Condition) covers(call *permission.Call, origin rule.Origin, s surroundings) bool {
	if call == nil {
		return false
	}
	_, decision, judged := c.asRule(rule.Allow, call, origin, s)
	// What needs a person asks although the rule allows it; the trace has the rule.
	return judged && (decision.Behavior == permission.Allow || decision.Trace[permission.StageRules-1].Outcome == permission.Allow)
}

// asRule decides a call by the condition alone, as a rule of a behaviour; judged is
// false when that is not possible.
func (c *Condition) asRule(behavior rule.Behavior, call *permission.Call, origin rule.Origin, s surroundings) (r rule.Rule, d permission.Decision, judged bool) {
	if origin.Source == 0 {
		origin.Source = rule.Session
	}
	r, _, wrong := rule.Read(c.Text, behavior, origin)
	if wrong != nil {
		return r, d, false
	}
	ctx, err := permission.NewContext(permission.Config{Cwd: s.cwd, Home: s.home, Root: s.root, Rules: []rule.Rule{r}})
	if err != nil {
		return r, d, false
	}
	alone := *call // the other hooks' verdict is not asked for
	alone.Hook = permission.Verdict{}
	return r, s.engine.Decide(ctx, &alone), true
}

// namesFiles: the content of a rule on the tool is a file.
func namesFiles(tool string) bool {
	switch tool {
	case "Read", "Glob", "Grep", "NotebookRead", "Edit", "MultiEdit", "NotebookEdit", "Write":
		return true
	}
	return false
}
