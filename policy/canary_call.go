package policy

import (
	"regexp/syntax"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// canaryCall finds a harmless call of a tool that the matcher is for.
func canaryCall(m hook.Matcher) (tool string, input strictjson.Raw, ok bool) {
	for _, c := range []struct{ tool, input string }{
		{"Bash", `{"command":"true","description":"a canary"}`},
		{"Read", `{"file_path":"canary.txt"}`},
		{"Write", `{"file_path":"canary.txt","content":""}`},
		{"Edit", `{"file_path":"canary.txt","old_string":"a","new_string":"b"}`},
		{"NotebookEdit", `{"notebook_path":"canary.ipynb","new_source":""}`},
		{"Glob", `{"pattern":"canary"}`},
		{"Grep", `{"pattern":"canary"}`},
		{"WebFetch", `{"url":"https://example.com/","prompt":"a canary"}`},
		{"WebSearch", `{"query":"canary"}`},
		{"Task", `{"description":"a canary","prompt":"","subagent_type":"general-purpose"}`},
		{"mcp__canary__canary", `{}`},
	} {
		if m.Match(c.tool) {
			return c.tool, strictjson.Raw(c.input), true
		}
	}
	names := m.Names()
	if names == nil {
		names = namesFor(m)
	}
	if len(names) == 0 {
		return "", nil, false
	}
	return names[0], strictjson.Raw(`{}`), true
}

// namesFor are names of tools that a regular expression is for. It is made for names
// such as mcp__pay__refund, which nobody has listed anywhere.
func namesFor(m hook.Matcher) []string {
	expr, err := syntax.Parse(m.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	var names []string
	for _, text := range examples(expr.Simplify()) {
		for _, name := range []string{"mcp__canary__" + text, text, text + "canary", text + "__canary"} {
			if isToolName(name) && strings.LastIndex(name, "mcp__") <= 0 && m.Match(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isToolName: a tool may be called that.
func isToolName(name string) bool {
	if server, tool, isMCP := cutMCP(name); isMCP && (server == "" || tool == "") {
		return false
	}
	return name != "" && strings.Trim(name, nameLetters) == "" && !strings.HasSuffix(name, "_")
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// What is made out of a regular expression has bounds, since repetitions of
// alternatives have none.
const (
	mostExamples = 32
	longExample  = 256
)

// examples are texts that a regular expression matches, if one looks neither at where
// it is anchored nor at its boundaries; whoever asks has to try.
func examples(e *syntax.Regexp) []string {
	switch e.Op {
	case syntax.OpLiteral:
		return []string{string(e.Rune)}
	case syntax.OpCharClass:
		return []string{letterOf(e.Rune)}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []string{"x"}
	case syntax.OpStar:
		if of := e.Sub[0].Op; of == syntax.OpAnyChar || of == syntax.OpAnyCharNotNL {
			return []string{"", "canary"}
		}
		return []string{""}
	case syntax.OpPlus, syntax.OpCapture:
		return examples(e.Sub[0])
	case syntax.OpQuest:
		return append([]string{""}, examples(e.Sub[0])...)
	case syntax.OpAlternate:
		var all []string
		for _, sub := range e.Sub {
			all = append(all, examples(sub)...)
		}
		return all[:min(len(all), mostExamples)]
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range e.Sub {
			all = followed(all, examples(sub))
		}
		return all
	case syntax.OpNoMatch:
		return nil
	}
	return []string{""} // anchors and boundaries
}

// followed is every text of the first followed by every one of the second.
func followed(first, second []string) []string {
	var all []string
	for _, a := range first {
		for _, b := range second {
			if len(all) < mostExamples && len(a)+len(b) <= longExample {
				all = append(all, a+b)
			}
		}
	}
	return all
}

// letterOf is a character out of a class, given as ranges: one that names have if
// there is one.
func letterOf(ranges []rune) string {
	for _, letter := range nameLetters {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= letter && letter <= ranges[i+1] {
				return string(letter)
			}
		}
	}
	if len(ranges) == 0 {
		return ""
	}
	return string(ranges[0])
}
