package rule

import (
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/shell"
)

// Parse reads one rule. The error is a [*SyntaxError]. Behavior and Origin of the
// rule are left empty.
func Parse(text string) (Rule, error) {
	var r Rule
	if err := r.parse(text); err != nil {
		return Rule{}, err
	}
	return r, nil
}

// Read parses a rule of a settings list. A malformed rule must not vanish where
// it restricts: a deny or ask rule that cannot be read becomes a quarantined
// "ask for that tool"; a malformed allow rule is dropped (ok is false). err
// reports either.
func Read(text string, b Behavior, o Origin) (r Rule, ok bool, err *SyntaxError) {
	err = r.parse(text)
	switch {
	case err == nil:
		r.Behavior, r.List, r.Origin = b, b, o
		return r, true, nil
	case b == Deny || b == Ask:
		return quarantine(Rule{Text: text, List: b, Origin: o}, guessTool(text)), true, err
	}
	return Rule{}, false, err
}

// String is the canonical text: blanks around the content are gone and `Tool(*)`
// is `Tool`. A quarantined rule is shown as it was written.
func (r Rule) String() string {
	switch {
	case r.Quarantined:
		return r.Text
	case r.Bare:
		return r.Tool
	}
	return r.Tool + "(" + r.Content + ")"
}

// maxRule is how long a rule may be: enough for every command, with each byte escaped.
const maxRule = 3 * shell.MaxSize

// parse fills an empty rule. What it leaves behind with an error is of no use.
func (r *Rule) parse(text string) *SyntaxError {
	tidy := text
	if !trimmed(text) {
		tidy = strings.Trim(text, blanks)
	}
	if tidy == "" {
		return malformed(text, "it is empty", "write Tool or Tool(content), for example Bash(npm test)")
	}
	if len(tidy) > maxRule {
		return malformed(text, "it is longer than any command", "write a pattern for it, for example Bash(npm run:*)")
	}
	if !utf8.ValidString(tidy) {
		return malformed(text, "it is not valid UTF-8", "save the settings file as UTF-8")
	}
	name, content, bare, err := split(text, tidy)
	if err != nil {
		return err
	}
	if err := checkName(text, name, content, bare); err != nil {
		return err
	}
	r.Text, r.Tool, r.Content, r.Bare = text, ToolPattern(name), content, bare
	if !bare {
		err = r.checkContent()
	}
	r.understood = err == nil
	return err
}

// split takes the text apart at the first "(" and the final ")".
func split(text, tidy string) (name, content string, bare bool, err *SyntaxError) {
	name, inner, found := strings.Cut(tidy, "(")
	if !found {
		return name, "", true, nil
	}
	if name == "" || blank(name[0]) && strings.Trim(name, blanks) == "" {
		return "", "", false, malformed(text, "the tool name is missing", didYouMean("Bash", strings.TrimRight(inner, ")")))
	}
	closing := len(inner) - 1
	if closing < 0 || inner[closing] != ')' {
		closing = strings.LastIndexByte(inner, ')')
	}
	switch {
	case closing < 0:
		return "", "", false, malformed(text, `the ")" is missing`, didYouMean(name, inner))
	case closing != len(inner)-1:
		return "", "", false, malformed(text, `there is text after the ")"`, didYouMean(name, inner[:closing]))
	}
	content = trimContent(inner[:closing])
	if content == "" {
		return "", "", false, malformed(text, "there is nothing between the parentheses",
			"write "+strings.Trim(name, blanks)+" for every call of the tool")
	}
	if content == "*" || content == ":*" && name == "Bash" {
		return name, "", true, nil
	}
	return name, content, false, nil
}

func checkName(text, name, content string, bare bool) *SyntaxError {
	if name == bashTool || pathKind(name) != 0 || isBuiltin(name) {
		return nil // the letters are right, and there is no star
	}
	switch tool, like := builtinLike(name); {
	case leadingName(name) != name:
		return badName(text, name, content, bare)
	case like && tool != name:
		return malformed(text, "tool names are case-sensitive", didYouMeanTool(tool, content, bare))
	case remoteLike(name) && !strings.HasPrefix(name, mcpPrefix):
		return malformed(text, "the names of MCP tools begin with "+mcpPrefix+", in small letters", didYouMeanTool(mcpPrefix+name[len(mcpPrefix):], content, bare))
	case name == mcpPrefix:
		return malformed(text, "it names no server", "write "+mcpPrefix+"* for the tools of every server, or mcp__server")
	case !bare && strings.Contains(name, "*"):
		return malformed(text, "a tool name with a star takes no content", "write "+name+", or one rule for each tool")
	}
	return nil
}

// remoteLike: the name is that of an MCP tool in any letter case.
func remoteLike(name string) bool {
	return len(name) >= len(mcpPrefix) && strings.EqualFold(name[:len(mcpPrefix)], mcpPrefix)
}

// badName words the hint by what the text looks like: a rule with a blank in the
// wrong place, or a shell command without its tool.
func badName(text, name, content string, bare bool) *SyntaxError {
	const problem = "a tool name holds only letters, digits and _ - . / *"
	tidy := strings.Trim(name, blanks)
	if leadingName(tidy) == tidy {
		return malformed(text, problem, didYouMeanTool(tidy, content, bare))
	}
	if strings.HasPrefix(tidy, mcpPrefix) {
		return malformed(text, problem, didYouMeanTool(ToolPattern(tidy), content, bare))
	}
	if bare && strings.ContainsAny(tidy, " \t") {
		return malformed(text, problem, didYouMean("Bash", tidy))
	}
	return malformed(text, problem, "write one rule as Tool or Tool(content)")
}

// checkContent finds what is wrong with a content in the language of its tool.
func (r *Rule) checkContent() *SyntaxError {
	_, f := contentFault(r.Tool, r.Content)
	if f == nil {
		return nil
	}
	return malformed(r.Text, f.problem, f.hint)
}

// contentFault is nil for every text of Bash and of tools that are not known here, unless
// the content is about a parameter, which it reports too.
func contentFault(tool, content string) (aboutParameter bool, f *fault) {
	if p, ok := parameterOf(tool, content); ok {
		_, f = parsePattern(p)
		return true, f
	}
	switch {
	case tool == bashTool:
	case pathKind(tool) != 0:
		f = checkPath(content)
	case tool == "WebFetch":
		_, f = parseDomain(content)
	}
	return false, f
}
