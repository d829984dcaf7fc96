package permission

import (
	"fmt"
	"slices"

	"github.com/assent-dev/assent/rule"
)

// WithCommand is the context while a custom command runs: rules, its allowed-tools, are
// all rules of source [rule.Command]. No rules end that. Only allow rules may come with a
// command, and like all of them they never outdo a rule that restricts.
func (c *Context) WithCommand(rules []rule.Rule) (*Context, error) {
	if c.parent != nil {
		return nil, fmt.Errorf("rules of a command: %w", ErrSubAgent)
	}
	for i := range rules {
		if r := &rules[i]; r.Behavior != rule.Allow || r.Origin.Source != rule.Command {
			return nil, fmt.Errorf("rule %q is not one of a command", r.Text)
		}
	}
	next := *c
	next.sets[rule.Command] = nil
	if rules = c.config.counted(rule.Command, slices.Clone(rules)); len(rules) > 0 {
		next.sets[rule.Command] = rule.Adopt(rules, c.anchors(rule.Command))
	}
	next.index()
	return &next, nil
}
