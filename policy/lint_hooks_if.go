package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/rule"
)

// hookCondition looks at the condition of a hook as at any other rule, and whether a
// call that the hook is for can meet it.
func (l *linter) hookCondition(e *hook.Entry) {
	if e.If == nil {
		return
	}
	r, ok, err := rule.Read(e.If.Text, rule.Deny, e.Origin)
	if !ok || err != nil {
		return // such an entry has a defect
	}
	alone := &linter{LintOptions: l.LintOptions, anchors: l.anchors}
	alone.unseen(&r)
	if !alone.parameter(&r) {
		alone.paths(&r)
		alone.bash(&r)
		alone.regex(&r)
	}
	alone.tool(&r)
	if e.Matcher.Match("Edit") {
		alone.writeOnly(&r)
	}
	for _, f := range alone.found {
		// As a rule it would be one that denies; here it is a condition.
		text := strings.TrimPrefix(f.Text, r.List.String()+" rule "+named(r.Text)+" ")
		l.addHook(f.Severity, f.Code, e, "its condition "+named(r.Text)+" "+text, f.Fix)
	}
	if len(alone.found) == 0 && !mayMeet(e.Matcher, &r) {
		l.addHook(Warning, "hook-if", e, fmt.Sprintf("its matcher %s is for no call that its condition %s is about: it never runs", Visible(e.Matcher.String()), named(r.Text)),
			"match the tool that the condition names, or every tool with *")
	}
}

// mayMeet reports whether a call that a matcher is for can meet a rule.
func mayMeet(m hook.Matcher, r *rule.Rule) bool {
	names := m.Names()
	switch {
	case strings.Contains(r.Tool, "*"):
		return true
	case strings.HasPrefix(r.Tool, "mcp__") && names == nil:
		return true // who knows what tools the server has
	case strings.HasPrefix(r.Tool, "mcp__"):
		return slices.ContainsFunc(names, func(name string) bool {
			return name == r.Tool || strings.HasPrefix(name, r.Tool+"__") || name == "ReadMcpResourceTool" || name == "ListMcpResourcesTool"
		})
	}
	return slices.ContainsFunc(toolsUnder(r.Tool), m.Match)
}

// toolsUnder are the tools whose calls a deny rule on a tool can stop: one on files stops
// every tool that touches them, and the shell.
func toolsUnder(tool string) []string {
	switch tool {
	case "Edit", "MultiEdit", "NotebookEdit":
		return []string{"Edit", "MultiEdit", "NotebookEdit", "Write", "Bash"}
	case "Read", "Glob", "Grep", "NotebookRead":
		return []string{"Read", "Glob", "Grep", "NotebookRead", "LS", "Edit", "MultiEdit", "NotebookEdit", "Write", "Bash"}
	case "Task", "Agent":
		return []string{"Task", "Agent"}
	}
	return []string{tool}
}
