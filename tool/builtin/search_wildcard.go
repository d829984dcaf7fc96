package builtin

import (
	"strings"
	"unicode/utf8"
)

// alphabet is what "?" and a class in brackets stand for one of.
type alphabet uint8

const (
	// ofRunes: what a person sees as one character.
	ofRunes alphabet = iota
	// ofBytes: as git has it.
	ofBytes
)

// first is the first unit of a text and how many bytes it has.
func (a alphabet) first(s string) (rune, int) {
	if a == ofBytes {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

// fits matches one component of a path with one of a pattern: "*" is any run of
// characters, "?" any one, "[a-z]" and "[!a-z]" one of a class, and a backslash takes
// the next character as it is. A malformed pattern fits nothing. The time is bounded by
// the product of the lengths: only the last star is ever taken back.
func (a alphabet) fits(pattern, name string) bool {
	p, n := 0, 0
	starAt, taken := -1, 0
	for n < len(name) || p < len(pattern) {
		if p < len(pattern) && pattern[p] == '*' {
			starAt, taken = p, n
			p++
			continue
		}
		if n < len(name) && p < len(pattern) {
			if nextP, nextN, ok := a.step(pattern, p, name, n); ok {
				p, n = nextP, nextN
				continue
			}
		}
		if starAt < 0 || taken >= len(name) {
			return false
		}
		_, width := a.first(name[taken:])
		taken += width
		p, n = starAt+1, taken
	}
	return true
}

// step matches one unit.
func (a alphabet) step(pattern string, p int, name string, n int) (nextP, nextN int, ok bool) {
	unit, width := a.first(name[n:])
	switch pattern[p] {
	case '?':
		return p + 1, n + width, true
	case '[':
		end, in, valid := a.class(pattern, p, unit)
		return end, n + width, valid && in
	case '\\':
		if p++; p == len(pattern) {
			return 0, 0, false
		}
	}
	return p + 1, n + 1, pattern[p] == name[n]
}

// class reads the class that starts at an offset: where it ends, whether a unit is in
// it, and whether it is well formed.
func (a alphabet) class(pattern string, at int, unit rune) (end int, in, valid bool) {
	i := at + 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	for begin := i; i < len(pattern); {
		if pattern[i] == ']' && i > begin {
			return i + 1, in != negated, true
		}
		if strings.HasPrefix(pattern[i:], "[:") {
			if name, _, closed := strings.Cut(pattern[i+2:], "]"); closed && strings.HasSuffix(name, ":") {
				named, known := namedClass(strings.TrimSuffix(name, ":"), unit)
				if !known {
					return 0, false, false
				}
				in = in || named
				i += len("[:") + len(name) + len("]")
				continue
			}
		}
		low, next, ok := a.member(pattern, i)
		if !ok {
			return 0, false, false
		}
		high := low
		if i = next; i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			if high, i, ok = a.member(pattern, i+1); !ok {
				return 0, false, false
			}
		}
		in = in || low <= unit && unit <= high
	}
	return 0, false, false
}

// member is one character inside a class.
func (a alphabet) member(pattern string, i int) (unit rune, next int, ok bool) {
	if pattern[i] == '\\' {
		i++
	}
	if i >= len(pattern) {
		return 0, 0, false
	}
	unit, width := a.first(pattern[i:])
	return unit, i + width, true
}

// namedClass are those of POSIX, of which only ASCII characters are members.
func namedClass(name string, r rune) (in, known bool) {
	lower, upper, digit := 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9'
	graph := '!' <= r && r <= '~'
	switch name {
	case "alpha":
		return lower || upper, true
	case "alnum":
		return lower || upper || digit, true
	case "blank":
		return r == ' ' || r == '\t', true
	case "cntrl":
		return r < ' ' || r == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || r == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return r == ' ' || '\t' <= r && r <= '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F', true
	}
	return false, false
}

// wellFormed: every class is closed and no backslash stands at the end.
func wellFormed(component string) bool {
	for i := 0; i < len(component); {
		switch component[i] {
		case '[':
			end, _, valid := ofRunes.class(component, i, 0)
			if !valid {
				return false
			}
			i = end
		case '\\':
			i += 2
			if i > len(component) {
				return false
			}
		default:
			i++
		}
	}
	return true
}
