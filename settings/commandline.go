package settings

import (
	"strings"

	"github.com/assent-dev/assent/rule"
)

// splitTools takes rule lists of the command line apart. Commas and blanks
// separate rules, except inside parentheses.
func splitTools(lists []string, b rule.Behavior) []string {
	var all []string
	for _, list := range lists {
		all = append(all, splitList(list, b)...)
	}
	return all
}

func splitList(list string, b rule.Behavior) []string {
	var all []string
	depth, start := 0, 0
	cut := func(end int) {
		if text := strings.TrimSpace(list[start:end]); text != "" {
			all = append(all, text)
		}
		start = end + 1
	}
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '\\' && depth > 0:
			i++ // an escaped parenthesis is content
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case depth > 0:
		case c == ',' || blank(c) && !opensNext(list[i:]):
			cut(i)
		}
	}
	if depth > 0 && b != rule.Allow {
		all = append(all, unclosed(list[start:])...)
	}
	cut(len(list))
	return all
}

func blank(c byte) bool { return strings.IndexByte(" \t\r\n", c) >= 0 }

// opensNext: the blank belongs to "Tool (content)". Cutting there would make a
// rule about one call into a rule about every call.
func opensNext(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), "(")
}

// unclosed looks for rules after a parenthesis that is never closed: a forgotten
// one must not swallow its restricting neighbours.
func unclosed(rest string) []string {
	var all []string
	for i, text := range strings.Split(rest, ",") {
		text = strings.TrimSpace(text)
		if _, _, err := rule.Read(text, rule.Deny, rule.Origin{}); text != "" && err == nil && !(i == 0 && text == strings.TrimSpace(rest)) {
			all = append(all, text)
		}
	}
	return all
}
