package builtin

import (
	"errors"
	"fmt"
	"strings"
)

// span is the component that stands for any number of them, also none; at the end of
// a pattern it stands for at least one.
const span = "**"

// pathPattern is a pattern for whole paths, one component after the other.
type pathPattern []string

func newPathPattern(text string) pathPattern {
	var p pathPattern
	for part := range strings.SplitSeq(text, "/") {
		switch {
		case part == "" || part == ".", part == span && len(p) > 0 && p[len(p)-1] == span:
		default:
			p = append(p, part)
		}
	}
	return p
}

// match compares the components of a path. As with stars inside a component, only the
// last span is ever taken back.
func (p pathPattern) match(path []string, a alphabet) bool {
	i, n := 0, 0
	spanAt, taken := -1, 0
	for n < len(path) || i < len(p) {
		if i < len(p) && p[i] == span {
			spanAt, taken = i, n
			if i++; i == len(p) {
				return n < len(path)
			}
			continue
		}
		if i < len(p) && n < len(path) && a.fits(p[i], path[n]) {
			i++
			n++
			continue
		}
		if spanAt < 0 || taken >= len(path) {
			return false
		}
		taken++
		i, n = spanAt+1, taken
	}
	return true
}

// mayMatchBelow: something below the directory could match.
func (p pathPattern) mayMatchBelow(dir []string, a alphabet) bool {
	for i, name := range dir {
		switch {
		case i >= len(p):
			return false
		case p[i] == span:
			return true
		case !a.fits(p[i], name):
			return false
		}
	}
	return len(p) > len(dir)
}

// mostChoices bounds what the braces of one pattern may stand for.
const mostChoices = 256

var errChoices = fmt.Errorf("its braces stand for more than %d patterns", mostChoices)

// parsePatterns writes out the braces of a pattern and reads what comes out.
func parsePatterns(text string) ([]pathPattern, error) {
	choices, err := writeOut(text)
	if err != nil {
		return nil, err
	}
	patterns := make([]pathPattern, 0, len(choices))
	for _, choice := range choices {
		p := newPathPattern(choice)
		for _, component := range p {
			if component == ".." {
				return nil, errors.New(`it climbs with ".."`)
			}
			if !wellFormed(component) {
				return nil, errors.New(`a "[" has no matching "]", or a backslash stands at the end`)
			}
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

// writeOut lists what the braces of a pattern stand for: a.{b,c} is a.b or a.c. They
// may be nested. A brace inside brackets or behind a backslash is itself.
func writeOut(text string) ([]string, error) {
	open := indexPlain(text, '{')
	if open < 0 {
		return []string{text}, nil
	}
	options, after, closed := cutBraces(text[open+1:])
	if !closed {
		return nil, errors.New(`a "{" has no matching "}"`)
	}
	ends, err := writeOut(after)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, option := range options {
		inner, err := writeOut(option)
		if err != nil {
			return nil, err
		}
		for _, middle := range inner {
			for _, end := range ends {
				if len(out) == mostChoices {
					return nil, errChoices
				}
				out = append(out, text[:open]+middle+end)
			}
		}
	}
	return out, nil
}

// cutBraces splits what follows an opening brace into the choices up to its closing
// one and the rest.
func cutBraces(text string) (options []string, after string, closed bool) {
	start, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			i = pastClass(text, i) - 1
		case '{':
			depth++
		case ',':
			if depth == 0 {
				options = append(options, text[start:i])
				start = i + 1
			}
		case '}':
			if depth--; depth < 0 {
				return append(options, text[start:i]), text[i+1:], true
			}
		}
	}
	return nil, "", false
}

// indexPlain finds a character that is neither escaped nor in brackets.
func indexPlain(text string, c byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case c:
			return i
		case '\\':
			i++
		case '[':
			i = pastClass(text, i) - 1
		}
	}
	return -1
}

// pastClass is the offset behind the class that starts at an offset, or behind its
// bracket when it is none.
func pastClass(text string, at int) int {
	if end, _, valid := ofRunes.class(text, at, 0); valid {
		return end
	}
	return at + 1
}
