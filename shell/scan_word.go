package shell

import "strings"

// wordMode says which bytes end a word that do not elsewhere.
type wordMode uint8

const (
	inCommand wordMode = iota
	inPattern          // behind = == != of [[ ]]: extended patterns have parentheses
	inRegexp           // behind =~ of [[ ]]: parentheses and bars are part of it
)

func (s *scanner) word(mode wordMode) { s.wordOf(mode, false) }

// wordOf reads a word. Where an assignment may stand it reports whether it is one.
func (s *scanner) wordOf(mode wordMode, assignable bool) (assigns bool) {
	s.char()
	from := s.at
	for {
		switch c := s.char(); {
		case c == '\\':
			s.escaped()
		case c == '\'':
			s.single()
		case c == '"':
			s.double()
		case c == '`':
			s.backquoted(false)
		case c == '$':
			s.dollar(plainly)
		case s.startsProcess():
			s.process()
		case c == '[' && assignable && !assigns && isName(s.src[from:s.at]):
			s.subscript()
		case c == '=' && assignable && !assigns && isTarget(s.src[from:s.at]):
			s.at++
			if assigns = true; s.char() == '(' {
				s.array()
				return true
			}
		case c == '(' && mode != inCommand && (mode == inRegexp || s.at > from && strings.IndexByte("?*+@!", s.src[s.at-1]) >= 0):
			s.group()
		case c == '|' && mode == inRegexp && s.at > from:
			s.at++
		case breaks(c):
			return assigns
		default:
			s.at++
		}
	}
}

// isTarget: what stands before the "=" of an assignment.
func isTarget(text string) bool {
	text = strings.TrimSuffix(text, "+")
	if open := strings.IndexByte(text, '['); open > 0 && strings.HasSuffix(text, "]") {
		text = text[:open]
	}
	return isName(text)
}

// escaped passes a backslash and what it quotes.
func (s *scanner) escaped() {
	if s.at+1 >= len(s.src) {
		s.fail("a backslash at the end")
		return
	}
	s.at += 2
}

// single passes '…'.
func (s *scanner) single() {
	end := strings.IndexByte(s.src[s.at+1:], '\'')
	if end < 0 {
		s.fail("a quote without its end")
		return
	}
	s.at += end + 2
}

// ansiQuoted passes '…' behind a $, where a backslash quotes.
func (s *scanner) ansiQuoted() {
	for s.at++; s.at < len(s.src) && s.src[s.at] != '\''; s.at++ {
		if s.src[s.at] == '\\' {
			s.at++
		}
	}
	if s.at >= len(s.src) {
		s.fail("a quote without its end")
		return
	}
	s.at++
}

// double passes "…".
func (s *scanner) double() {
	for s.at++; s.at < len(s.src); {
		switch s.char() {
		case '"':
			s.at++
			return
		case '\\':
			s.escaped()
		case '`':
			s.backquoted(true)
		case '$':
			s.dollar(inDouble)
		default:
			s.at++
		}
	}
	s.fail("a quote without its end")
}

// surroundings says how quotes are read in an expansion.
type surroundings uint8

const (
	plainly  surroundings = iota
	inDouble              // single quotes are no quotes
	inText                // a here-document: double quotes are none either
)

// dollar passes a $ and the expansion that it starts, if any.
func (s *scanner) dollar(around surroundings) {
	defer s.deeper()()
	from := s.at
	if from >= len(s.src) {
		return
	}
	if s.continuedAt(s.at + 1) {
		s.fail("a line that is continued inside of an expansion")
		return
	}
	next := s.after()
	switch {
	case next == '(' && s.at+2 < len(s.src) && s.src[s.at+2] == '(':
		s.at += 3
		s.arithmetic(from)
	case next == '(':
		s.at++
		if s.after() == '(' { // bash reads $((
			s.fail("a line that is continued inside of an expansion")
		}
		s.at++
		s.substitution(from)
	case next == '{':
		s.at += 2
		s.parameter(from, around)
	case next == '[':
		s.fail("$[…], the old form of arithmetic")
	case next == '\'' && around == plainly:
		s.at++
		s.ansiQuoted()
	default:
		s.name()
	}
}

// name passes a $ and the name behind it.
func (s *scanner) name() {
	s.at++
	for s.at < len(s.src) && nameByte(s.src[s.at]) {
		s.at++
	}
	if s.continuedAt(s.at) && nameByte(s.char()) {
		s.fail("a line that is continued inside of an expansion")
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || lowerByte(c) >= 'a' && lowerByte(c) <= 'z'
}

// continuedAt: a backslash at that place continues the line.
func (s *scanner) continuedAt(at int) bool {
	return at+1 < len(s.src) && s.src[at] == '\\' && s.src[at+1] == '\n'
}

// process reads <(…) and >(…). An empty one leaves nothing in the word.
func (s *scanner) process() {
	from := s.at
	if s.skip(2); s.substitution(from) {
		s.fail("a process substitution without a command")
	}
}

// substitution reads the commands of $(…), <(…) or >(…) from behind the parenthesis, and
// reports whether there are none.
func (s *scanner) substitution(from int) (empty bool) {
	outer, found := s.pending, len(s.found)
	s.pending, s.waiting = nil, s.waiting+len(outer)
	s.closing++
	s.commands(")")
	s.closing--
	if len(s.pending) > 0 {
		s.fail("a here-document that the substitution around it ends")
	}
	s.pending, s.waiting = outer, s.waiting-len(outer)
	empty = len(s.found) == found
	s.mark(markSubstitution, from, s.at)
	return empty
}

// backquoted reads `…`. It ends at the next backquote, whatever stands before that; what
// is inside is then read as a text of its own.
func (s *scanner) backquoted(double bool) {
	defer s.deeper()()
	from := s.at
	end := from + 1
	for ; end < len(s.src) && s.src[end] != '`'; end++ {
		if s.src[end] != '\\' {
			continue
		}
		if end++; end >= len(s.src) || strings.IndexByte("\\`$\n", s.src[end]) >= 0 || double && s.src[end] == '"' {
			s.fail("a backslash in backquotes")
			return
		}
	}
	if end >= len(s.src) {
		s.fail("a backquote without its end")
		return
	}
	src, outer, closing := s.src, s.pending, s.closing
	s.src, s.at, s.pending, s.closing = src[:end], from+1, nil, 0
	s.waiting += len(outer)
	s.script()
	s.src, s.pending, s.closing = src, outer, closing
	s.waiting -= len(outer)
	if s.wrong != "" {
		s.at = len(src)
		return
	}
	s.at = end + 1
	s.mark(markSubstitution, from, s.at)
}

// parameter reads ${…} from behind the brace. The first brace that is not quoted ends it.
func (s *scanner) parameter(from int, around surroundings) {
	if c := s.char(); c == ' ' || c == '\t' || c == '\n' || c == '|' {
		s.fail("${ with a command")
	}
	for s.at < len(s.src) {
		switch c := s.char(); c {
		case '}':
			s.at++
			s.mark(markParameter, from, s.at)
			return
		case '\\':
			s.escaped()
		case '\'', '"':
			switch {
			case c == '"' && around != inText:
				s.double()
			case around == plainly:
				s.single()
			default:
				s.fail("a quote in ${…} that stands in quotes")
			}
		case '`':
			s.backquoted(around != plainly)
		case '$':
			s.dollar(around)
		default:
			s.at++
		}
	}
	s.fail("${ without }")
}

// arithmetic reads an expression from behind "((" up to "))".
func (s *scanner) arithmetic(from int) {
	for depth := 0; s.at < len(s.src); {
		switch s.char() {
		case '(':
			depth++
			s.at++
		case ')':
			s.at++
			if depth--; depth >= 0 {
				continue
			}
			if s.char() != ')' {
				s.fail("(( without ))")
				return
			}
			s.at++
			s.mark(markArithmetic, from, s.at)
			return
		case '"':
			s.double()
		case '`':
			s.backquoted(false)
		case '$':
			s.dollar(inDouble)
		case '\'', '\\':
			s.fail("a quote in arithmetic")
		default:
			s.at++
		}
	}
	s.fail("(( without ))")
}

// subscript reads […] behind the name of a variable. Blanks and operators in it are part
// of it for bash, if an assignment follows: such a one is not understood.
func (s *scanner) subscript() {
	for s.at++; s.at < len(s.src); {
		switch c := s.char(); {
		case c == ']':
			s.at++
			return
		case c == '\'':
			s.single()
		case c == '"':
			s.double()
		case c == '$':
			s.dollar(plainly)
		case c == '\\' || c == '`' || c == '[' || breaks(c):
			s.fail("the index of a variable")
			return
		default:
			s.at++
		}
	}
}

// array reads (…) behind "name=".
func (s *scanner) array() {
	from := s.at
	for s.at++; ; {
		s.gaps()
		switch c := s.char(); {
		case c == ')':
			switch s.at++; {
			case !breaks(s.char()):
				s.fail("what stands behind an array") // bash goes on with the word
			case s.closing > 0 && escapesOperator(s.src[from:s.at]):
				s.fail("a backslash in an array inside a substitution")
			}
			return
		case c == 0 || !s.marked(markWord):
			s.fail("an array")
			return
		}
	}
}

// escapesOperator reports whether a backslash stands before an operator. Bash loses that backslash when it
// reads an array inside $(…) a second time: it stops at the operator, and takes the next lines for commands.
func escapesOperator(text string) bool {
	for {
		_, after, found := strings.Cut(text, `\`)
		if !found || after == "" {
			return false
		}
		if strings.IndexByte("();&|<>", after[0]) >= 0 {
			return true
		}
		text = after[1:]
	}
}

// group reads (…) in a pattern or a regular expression.
func (s *scanner) group() {
	defer s.deeper()()
	for s.at = min(s.at+1, len(s.src)); s.at < len(s.src); {
		switch s.char() {
		case ')':
			s.at++
			return
		case '(':
			s.group()
		case '\\':
			s.escaped()
		case '\'':
			s.single()
		case '"':
			s.double()
		case '`':
			s.backquoted(false)
		case '$':
			s.dollar(plainly)
		default:
			s.at++
		}
	}
	s.fail("a pattern without its )")
}
