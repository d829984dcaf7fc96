package hook

import (
	"fmt"
	"strings"

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
	if joint := jointInside(text); joint != "" {
		return nil, fmt.Errorf("the condition %s holds several rules, and %q does not join them: write one hook for each rule", quoted(text), joint)
	}
	return &Condition{Text: text}, nil
}

// jointInside finds what somebody has written between two rules: "Bash(a) || Bash(b)".
// That is one rule, too, about a command that nobody runs.
func jointInside(text string) string {
	for i := range len(text) - 1 {
		if text[i] != ')' || i > 0 && text[i-1] == '\\' {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], " \t\r\n")
		for _, joint := range []string{"||", "&&"} {
			if strings.HasPrefix(rest, joint) {
				return joint
			}
		}
		for _, joint := range []string{"|", "&", ",", ";", "or ", "and "} {
			if after, ok := strings.CutPrefix(rest, joint); ok && startsRule(strings.TrimLeft(after, " \t\r\n")) {
				return strings.TrimSpace(joint)
			}
		}
	}
	return ""
}

// startsRule: the text starts with the name of a tool and a parenthesis.
func startsRule(text string) bool {
	name, _, found := strings.Cut(text, "(")
	r, err := rule.Parse(name)
	return found && err == nil && r.Tool == name
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
	r, ok := c.rule(origin)
	if call == nil || !ok {
		return true
	}
	match, err := s.engine.Match(s.where(), r, call)
	return err != nil || match != rule.No
}

// covers reports whether an allow rule of that text would let the call run: every
// part of it, and nothing that is only known when it runs. What cannot be judged is
// not covered. A hook that allows what meets its condition allows no more than that.
func (c *Condition) covers(call *permission.Call, origin rule.Origin, s surroundings) bool {
	r, ok := c.rule(origin)
	if call == nil || !ok {
		return false
	}
	covered, err := s.engine.Covers(s.where(), r, call)
	return err == nil && covered
}

func (s surroundings) where() permission.Config {
	return permission.Config{Cwd: s.cwd, Home: s.home, Root: s.root}
}

// rule is the condition as a rule of the place where it stands; ok is false when it is
// none.
func (c *Condition) rule(origin rule.Origin) (r rule.Rule, ok bool) {
	if origin.Source == 0 {
		origin.Source = rule.Session
	}
	r, err := rule.Parse(c.Text)
	r.Origin = origin
	return r, err == nil
}
