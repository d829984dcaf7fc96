package rule

import "strings"

// matchName matches one component of a path as git does: `*` is any run of bytes,
// `?` one byte, `[…]` one byte of a class, and a backslash makes the next byte
// literal. Only the last star is ever tried again, so the time is at most the
// product of the two lengths.
//
// With opaque set the name holds marks, which nothing but a star swallows.
func matchName(pattern, name string, opaque bool) bool {
	p, n := 0, 0
	star, from := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, from = p, n
			continue
		}
		if p < len(pattern) && !(opaque && marked(name[n])) {
			if next, ok := readsByte(pattern, p, name[n]); ok {
				p, n = next, n+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, n = star, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// readsByte reports whether the token at pattern[p], which is no star, reads the
// byte, and where the next token starts.
func readsByte(pattern string, p int, b byte) (next int, ok bool) {
	switch pattern[p] {
	case '?':
		return p + 1, true
	case '[':
		next, in, _ := readsClass(pattern, p, b)
		return next, in
	case '\\':
		return p + 2, pattern[p+1] == b
	}
	return p + 1, pattern[p] == b
}

// readsClass evaluates the class that starts at pattern[p] for one byte. It is
// not valid when the closing bracket is missing or a [:name:] is unknown.
func readsClass(pattern string, p int, b byte) (next int, in, valid bool) {
	p++
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	matched := false
	for first := true; ; first = false {
		if p >= len(pattern) {
			return p, false, false
		}
		if pattern[p] == ']' && !first {
			return p + 1, matched != negated, true
		}
		end, hit, ok := readsMember(pattern, p, b)
		if !ok {
			return p, false, false
		}
		matched = matched || hit
		p = end
	}
}

// readsMember evaluates one member of a class: a byte, a range or a [:name:].
func readsMember(pattern string, p int, b byte) (next int, hit, valid bool) {
	if strings.HasPrefix(pattern[p:], "[:") {
		if end := strings.IndexByte(pattern[p+2:], ']'); end < 0 {
			return p, false, false
		} else if inner := pattern[p+2 : p+2+end]; strings.HasSuffix(inner, ":") {
			in, known := namedClass(strings.TrimSuffix(inner, ":"), b)
			return p + 3 + end, in, known
		}
	}
	low, p, ok := classByte(pattern, p)
	if !ok {
		return p, false, false
	}
	if p+1 < len(pattern) && pattern[p] == '-' && pattern[p+1] != ']' {
		high, end, ok := classByte(pattern, p+1)
		return end, low == b || low <= b && b <= high, ok
	}
	return p, low == b, true
}

func classByte(pattern string, p int) (b byte, next int, ok bool) {
	if pattern[p] == '\\' {
		p++
	}
	if p >= len(pattern) {
		return 0, p, false
	}
	return pattern[p], p + 1, true
}

func namedClass(name string, b byte) (in, known bool) {
	lower, upper := 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z'
	digit, graph := '0' <= b && b <= '9', '!' <= b && b <= '~'
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return b == ' ' || b == '\t', true
	case "cntrl":
		return b < ' ' || b == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || b == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return b == ' ' || b == '\t' || b == '\n' || b == '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F', true
	}
	return false, false
}
