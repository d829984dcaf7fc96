package rule

import (
	"fmt"
	"strings"
)

// SyntaxError says why a rule is malformed and what to write instead.
type SyntaxError struct {
	Rule    string // as written
	Problem string
	Hint    string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("rule %q is malformed: %s; %s", e.Rule, e.Problem, e.Hint)
}

func malformed(rule, problem, hint string) *SyntaxError {
	return &SyntaxError{Rule: rule, Problem: problem, Hint: hint}
}

// fault is what is wrong with a content, before the rule around it is known.
type fault struct{ problem, hint string }

func didYouMean(tool, content string) string {
	tool, content = strings.Trim(tool, blanks), strings.Trim(content, blanks)
	if known, like := builtinLike(tool); like {
		tool = known
	}
	meant := tool + "(" + content + ")"
	if _, err := Parse(meant); err != nil {
		return "write Tool or Tool(content), for example Bash(npm test)" // never suggest what cannot be read
	}
	return "did you mean " + meant + "?"
}

func didYouMeanTool(tool, content string, bare bool) string {
	if bare {
		return fmt.Sprintf("did you mean %s?", tool)
	}
	return didYouMean(tool, content)
}

// quarantine turns a restricting rule that cannot be read into "ask for that
// tool".
func quarantine(r Rule, tool string) Rule {
	if r.List == 0 {
		r.List = r.Behavior
	}
	r.Tool, r.Content = tool, ""
	r.Behavior, r.Bare, r.Quarantined = Ask, true, true
	return r
}

// guessTool is the tool that a malformed rule is about. When it cannot be made
// out it is every tool: whatever the author meant to stop does not run unasked.
func guessTool(text string) string {
	name, _, _ := strings.Cut(text, "(")
	name = strings.Trim(name, blanks)
	lead := leadingName(name)
	if tool, like := builtinLike(lead); like {
		return tool
	}
	if remoteLike(lead) {
		server := lead[len(mcpPrefix):]
		if lead = mcpPrefix + server; server == "" {
			return mcpPrefix + "*"
		}
		if name = mcpPrefix + name[len(mcpPrefix):]; lead != name && strings.Contains(server, mcpJoint) {
			lead += "*" // the rest of the name cannot be written in a rule
		}
		return ToolPattern(lead)
	}
	if lead != "" && lead == name {
		return lead
	}
	return "*"
}
