// Package match reads the matchers of hooks: which tools, or other subjects, a hook
// is for. It stands apart from package hook because the guard needs it and nothing
// else of that.
package match

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/rule"
)

// Matcher says which subjects a hook is for. The zero value is for all.
type Matcher struct {
	text   string
	names  []string       // exact names; nil when it is no list
	expr   *regexp.Regexp // nil when it is a list, or for everything
	broken bool
}

// Parse reads a matcher:
//
//   - nothing or "*" is everything;
//   - only letters, digits, "_", "-", blanks and the separators "|" and "," is a list
//     of exact names, in their letter case: "Bash|Write". "process_refund" is not
//     "mcp__pay__process_refund";
//   - anything else is a regular expression that is looked for anywhere in the
//     subject: ".*process_refund", "^mcp__pay__".
//
// With an error the matcher is [Broken].
func Parse(text string) (Matcher, error) {
	switch trimmed := strings.Trim(text, matcherBlanks); {
	case trimmed == "" || trimmed == "*":
		return Matcher{text: text}, nil
	case isNameList(text):
		names := splitNames(text)
		if names == nil {
			return Broken(text), fmt.Errorf("the matcher %s names nothing: write names such as Bash|Write, or * for everything", shown(text))
		}
		return Matcher{text: text, names: names}, nil
	}
	if len(text) > maxExpression {
		return Broken(text), fmt.Errorf("the matcher %s has %d bytes, more than the %d that a regular expression may have: write several, or a list of names",
			shown(text), len(text), maxExpression)
	}
	expr, err := regexp.Compile(text)
	if err != nil {
		return Broken(text), fmt.Errorf("the matcher %s does not work as a regular expression (%s): %s",
			shown(text), regexpProblem(err), matcherHint(text))
	}
	return Matcher{text: text, expr: expr}, nil
}

// maxExpression bounds what a regular expression of somebody's settings can cost at
// every call.
const maxExpression = 1000

// Broken stands for a matcher that cannot be understood. It matches
// everything, because what the hook was meant to guard is not known; [Matcher.Broken]
// tells it apart, so that such a hook restricts and never permits.
func Broken(text string) Matcher { return Matcher{text: text, broken: true} }

// Broken reports whether the matcher could not be understood.
func (m Matcher) Broken() bool { return m.broken }

// Match reports whether the hook is for the subject.
func (m Matcher) Match(subject string) bool {
	switch {
	case m.names != nil:
		return slices.Contains(m.names, subject)
	case m.expr != nil:
		return m.expr.MatchString(subject)
	}
	return true
}

// MatchTool reports whether the hook is for calls of a tool. The tool that starts agents
// has two names, and either means it, as in rules.
func (m Matcher) MatchTool(name string) bool {
	switch name {
	case "Task":
		return m.Match(name) || m.Match("Agent")
	case "Agent":
		return m.Match(name) || m.Match("Task")
	}
	return m.Match(name)
}

// String is the matcher as it was written.
func (m Matcher) String() string { return m.text }

// Names are the exact names of a list; nil for a regular expression and for
// everything.
func (m Matcher) Names() []string { return slices.Clone(m.names) }

// Warning is a sentence about a matcher that can be read and hardly means what it
// says; "" when there is nothing to say.
func (m Matcher) Warning() string {
	if m.expr != nil {
		return m.warnOfExpression()
	}
	for _, name := range m.names {
		if strings.ContainsAny(name, matcherBlanks) {
			return fmt.Sprintf("the matcher %s asks for one name with a blank in it, %s: separate names with |", shown(m.text), shown(name))
		}
	}
	return ""
}

func (m Matcher) warnOfExpression() string {
	if tool, ok := ruleInMatcher(m.text); ok && !m.expr.MatchString(tool) {
		return fmt.Sprintf("the matcher %s %s", shown(m.text), looksLikeRule)
	}
	if strings.Trim(m.text, matcherBlanks) != m.text {
		return fmt.Sprintf("the matcher %s is a regular expression, and the blanks around it are part of it: remove them", shown(m.text))
	}
	return ""
}

const (
	matcherBlanks = " \t\r\n"
	looksLikeRule = "looks like a permission rule; matchers are names or regular expressions: match the name of the tool, and write the rule as the hook's \"if\""
)

// ruleInMatcher finds the tool of a text such as `Bash(git:*)`, which compiles as a
// regular expression that no tool's name matches. A group of alternatives, as in
// `Notebook(Edit|Read)`, is what people write in expressions and not in rules.
func ruleInMatcher(text string) (tool string, ok bool) {
	r, err := rule.Parse(text)
	if err != nil || !strings.Contains(text, "(") {
		return "", false
	}
	alternatives := strings.Contains(r.Content, "|") && !strings.ContainsAny(r.Content, matcherBlanks)
	return r.Tool, !alternatives
}

func matcherHint(text string) string {
	for _, look := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(text, look) {
			return "looking ahead or behind is not supported, write the names that it is for"
		}
	}
	if _, ok := ruleInMatcher(text); ok {
		return "it " + looksLikeRule
	}
	return "write names such as Bash|Write, or a regular expression such as ^mcp__pay__"
}

// regexpProblem is the sentence of the regular expression parser without its prefix.
func regexpProblem(err error) string {
	if syntax, ok := errors.AsType[*syntax.Error](err); ok {
		return string(syntax.Code)
	}
	return err.Error()
}

// isNameList reports whether a matcher is a list of names rather than a regular
// expression.
func isNameList(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9':
		case strings.IndexByte("_-|, \t\r\n", b) >= 0:
		default:
			return false
		}
	}
	return true
}

// splitNames is nil when there is no name.
func splitNames(text string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '|' || r == ',' }) {
		if name = strings.Trim(name, matcherBlanks); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// HeldBackReason is why a call asks that a hook would judge which nobody has trusted.
const HeldBackReason = "a hook of this workspace would judge this call and is held back until somebody trusts the workspace"

// Judges reports whether a hook, given by the name of its event and its matcher as
// they stand in settings, would judge calls of a tool before they run. What cannot be
// understood would.
func Judges(event, matcher, tool string) bool {
	if !MeansPreToolUse(event) {
		return false
	}
	m, _ := Parse(matcher) // a broken one is for everything
	return m.MatchTool(tool)
}

// MeansPreToolUse: the name of an event is PreToolUse, or surely meant to be: in
// another spelling, or with a slip of the pen.
func MeansPreToolUse(event string) bool {
	const meant = "pretooluse"
	if len(event) > 2*len(meant) {
		return false
	}
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(event))
	return plain == meant || Nearly(plain, meant)
}

// shown is a text for a message, cut off where it is long.
func shown(text string) string {
	const most = 80
	if len(text) <= most {
		return strconv.Quote(text)
	}
	return strconv.Quote(strings.ToValidUTF8(text[:most], "") + "…")
}
