package inbox

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

// Sentence says in one line what a call would do. It is made of the parsed input, and never
// of what a model says about it. What stands in it is between backquotes, or is a number,
// and nothing in it can hide or end the quotation.
func Sentence(c approval.Call) string {
	in, err := strictjson.Tree(c.Input)
	if err != nil || in.Kind != '{' {
		return "Call " + quoted(c.Tool) + " with an input that cannot be read"
	}
	text := func(key string) string { return in.Member(key).Text() }
	has := func(key string) bool { return in.Member(key).Kind == '"' }
	switch {
	case c.Tool == "Bash" && has("command"):
		return sentenceOfScript(shell.Parse(text("command")))
	case c.Tool == "Write" && has("file_path") && has("content"):
		return fmt.Sprintf("Write %s: %s", quotedPath(text("file_path")), count(linesIn(text("content")), "line"))
	case c.Tool == "Edit" && has("file_path"):
		return sentenceOfEdit(in)
	case c.Tool == "NotebookEdit" && has("notebook_path"):
		return "Change the notebook " + quotedPath(text("notebook_path"))
	case c.Tool == "Read" && has("file_path"):
		return "Read " + quotedPath(text("file_path"))
	case (c.Tool == "Glob" || c.Tool == "Grep") && has("pattern"):
		return sentenceOfSearch(c.Tool, in)
	case c.Tool == "WebFetch" && has("url"):
		return sentenceOfFetch(text("url"))
	case c.Tool == "WebSearch" && has("query"):
		return "Search the web for " + quoted(text("query"))
	case (c.Tool == "Task" || c.Tool == "Agent") && has("prompt"):
		return "Start an agent" + named(in, "subagent_type", " of the kind ") + named(in, "description", " for ")
	case c.Tool == "AskUserQuestion":
		return sentenceOfQuestions(in)
	case c.Tool == "ExitPlanMode":
		return "Begin to work on the plan"
	}
	return sentenceOfOther(c.Tool, in)
}

func sentenceOfScript(s *shell.Script) string {
	if s.Problem != nil {
		return "Run " + quoted(s.Source) + ": nobody can say what it does (" + policy.VisibleInOrder(s.Problem.Text) + ")"
	}
	text := "Run " + quoted(s.Source)
	if n := direct(s); n > 1 && clippedBy(s.Source) {
		text += fmt.Sprintf(" (%d commands)", n)
	}
	var why []string
	for _, f := range s.Danger() {
		if finding := findingText(f.Text); len(why) < 3 && !slices.Contains(why, finding) {
			why = append(why, finding)
		}
	}
	if len(why) == 0 && s.Hidden() != nil {
		why = append(why, hiddenCode)
	}
	if len(why) > 0 {
		return text + ": " + strings.Join(why, "; ")
	}
	return text
}

// findingText is a finding, with what it quotes of the command between backquotes.
func findingText(finding string) string {
	what, of, some := strings.Cut(policy.PartText(finding), ": ")
	if what = policy.VisibleInOrder(mask(what)); !some {
		return what
	}
	return what + ": " + quoted(of)
}

// direct is how many commands bash runs itself.
func direct(s *shell.Script) (n int) {
	for i := range s.Commands {
		if s.Commands[i].Link == shell.Direct && len(s.Commands[i].Words) > 0 {
			n++
		}
	}
	return n
}

func sentenceOfEdit(in strictjson.Node) string {
	before, after := linesIn(in.Member("old_string").Text()), linesIn(in.Member("new_string").Text())
	text := fmt.Sprintf("Change %s: %s for %s", quotedPath(in.Member("file_path").Text()), count(after, "line"), count(before, "line"))
	if in.Member("replace_all").Kind == 't' {
		text += ", wherever they occur"
	}
	return text
}

func sentenceOfSearch(tool string, in strictjson.Node) string {
	what := "Look for files "
	if tool == "Grep" {
		what = "Search files for "
	}
	return what + quoted(in.Member("pattern").Text()) + named(in, "path", " in ")
}

// sentenceOfFetch names the host first: it is what a person knows it by, and what stands
// behind it may be long.
func sentenceOfFetch(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "Fetch " + quoted(address) + ", which is no address"
	}
	text := "Fetch from " + quoted(u.Host) + ": " + quoted(u.EscapedPath())
	if u.RawQuery != "" {
		text += " with " + count(len(u.RawQuery), "character") + " of parameters"
	}
	return text
}

func sentenceOfQuestions(in strictjson.Node) string {
	var first string
	n := 0
	for q := range in.Member("questions").Elements() {
		if n++; n == 1 {
			first = q.Member("question").Text()
		}
	}
	switch n {
	case 0:
		return "Answer a question that cannot be read"
	case 1:
		return "Answer: " + quoted(first)
	}
	return "Answer " + count(n, "question") + ", the first: " + quoted(first)
}

// mostMembers is how many values of an input stand in the sentence of a tool that nobody here
// knows.
const mostMembers = 4

// shortValue: a value is short enough to be read in a sentence.
func shortValue(m strictjson.Member) bool {
	const longest = 60
	return m.Value.Kind != '{' && m.Value.Kind != '[' && len(valueOf(m)) <= longest
}

// memberFits: a sentence shows all of a name and its value.
func memberFits(m strictjson.Member) bool {
	return shortValue(m) && !clippedBy(m.Name.Text()) && !clippedBy(valueOf(m))
}

func valueOf(m strictjson.Member) string {
	if m.Value.Kind == '"' {
		return m.Value.Text()
	}
	return string(m.Value.Raw())
}

// sentenceOfOther names the tool, and of its input what is short enough to be read.
func sentenceOfOther(tool string, in strictjson.Node) string {
	text := "Call " + quoted(tool)
	if server, name, ok := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__"); ok && strings.HasPrefix(tool, "mcp__") {
		text = "Call " + quoted(name) + " of the MCP server " + quoted(server)
	}
	var parts []string
	members := in.Members()
	for _, m := range members {
		if len(parts) < mostMembers && shortValue(m) {
			parts = append(parts, quoted(m.Name.Text())+" "+quoted(unlessSecret(m.Name.Text(), valueOf(m))))
		}
	}
	if len(parts) == 0 {
		return text
	}
	text += " with " + strings.Join(parts, ", ")
	if more := len(members) - len(parts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// unlessSecret is a value whose name does not say that it is a secret. What the value is does not
// matter for that, nor which signs are in it.
func unlessSecret(name, value string) string {
	const any = "1x2y3z4w"
	if value != "" && !counts(name, value) && strings.HasSuffix(mask(withoutOtherWords(name)+"=\""+any+"\""), "="+masked) {
		return masked
	}
	return value
}
