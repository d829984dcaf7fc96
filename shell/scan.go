package shell

import "strings"

// scanner is a second reader of bash, beside the library's parser. It follows the rules
// by which bash itself cuts a text into commands, words, here-documents and
// substitutions, and knows nothing of what they mean. Wherever the two readers disagree,
// or this one meets something rare that it does not model, the text cannot be understood.
//
// It is written after bash's manual and after what bash 5.2 does, not after the parser:
// an opinion that is copied is worth nothing.
type scanner struct {
	src string
	at  int // the next byte; len(src) as soon as something was not understood
	// found is where both readers have to agree.
	found []mark
	// pending are here-documents whose bodies follow the current line; waiting counts
	// those of the commands around the current substitution.
	pending []hereDocument
	waiting int
	// closing counts the substitutions around the current place that a ")" ends.
	closing int
	depth   int
	wrong   string // the first thing that was not understood
	wrongAt int
}

// maxScanDepth bounds how deeply constructs are nested in each other.
const maxScanDepth = 100

// fail ends the reading: nothing is left to be read.
func (s *scanner) fail(why string) {
	if s.wrong == "" {
		s.wrong, s.wrongAt = why, min(s.at, len(s.src))
	}
	s.at = len(s.src)
}

// deeper goes into a construct, and returns what leads out of it. Too many of them in each
// other end the reading.
func (s *scanner) deeper() func() {
	if s.depth++; s.depth > maxScanDepth {
		s.fail("what is nested so deeply")
	}
	return s.shallower
}

func (s *scanner) shallower() { s.depth-- }

// script reads the whole text.
func (s *scanner) script() {
	if s.commands(""); s.at < len(s.src) {
		s.fail("a word or operator that ends nothing")
	}
	if len(s.pending) > 0 {
		s.fail("a here-document without its text")
	}
}

// char is the next byte, behind backslashes that continue the line; 0 at the end.
func (s *scanner) char() byte {
	for s.at+1 < len(s.src) && s.src[s.at] == '\\' && s.src[s.at+1] == '\n' {
		s.at += 2
	}
	if s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// after is the byte behind the next one. A line that is continued between the two is
// left to char, which then sees that they stand together.
func (s *scanner) after() byte {
	at := s.at + 1
	for at+1 < len(s.src) && s.src[at] == '\\' && s.src[at+1] == '\n' {
		at += 2
	}
	if at < len(s.src) {
		return s.src[at]
	}
	return 0
}

// skip passes n bytes, which may be continued lines apart.
func (s *scanner) skip(n int) {
	for range n {
		s.char()
		s.at = min(s.at+1, len(s.src))
	}
}

// blanks passes blanks and a comment. A comment ends with its line, also behind a
// backslash.
func (s *scanner) blanks() {
	for {
		switch s.char() {
		case ' ', '\t':
			s.at++
		case '#':
			end := strings.IndexByte(s.src[s.at:], '\n')
			if end < 0 {
				end = len(s.src) - s.at
			}
			s.at += end
			return
		default:
			return
		}
	}
}

// gaps passes blanks, comments and the ends of lines.
func (s *scanner) gaps() {
	for {
		s.blanks()
		if s.char() != '\n' {
			return
		}
		s.newline()
	}
}

// breaks tells the bytes that end a word.
func breaks(c byte) bool {
	switch c {
	case 0, ' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>':
		return true
	}
	return false
}

// bare is the next word if it is made of the letters and signs of reserved words. It is
// not passed.
func (s *scanner) bare() (word string, end int) {
	s.char()
	start := s.at
	for s.at < len(s.src) && (s.src[s.at] >= 'a' && s.src[s.at] <= 'z' || strings.IndexByte("{}[]!-", s.src[s.at]) >= 0) {
		s.at++
		s.char() // a line that is continued within the word
	}
	end = s.at
	s.at = start
	if end < len(s.src) && !breaks(s.src[end]) {
		return "", start
	}
	return strings.ReplaceAll(s.src[start:end], "\\\n", ""), end
}

// takes passes the word if it comes next.
func (s *scanner) takes(word string) bool {
	found, end := s.bare()
	if found != word {
		return false
	}
	s.at = end
	return true
}

// needs passes the word, which has to come next.
func (s *scanner) needs(word string) {
	if !s.takes(word) {
		s.fail("a missing " + word)
	}
}

// commands reads commands up to a word or operator that ends them, which it passes and
// returns: one of ends, which are separated by blanks.
func (s *scanner) commands(ends string) string {
	defer s.deeper()()
	for {
		s.gaps()
		if s.at >= len(s.src) {
			if ends != "" {
				s.fail("a command that does not end")
			}
			return ""
		}
		if end := s.ending(ends); end != "" {
			return end
		}
		s.chain()
		s.blanks()
		switch c := s.char(); {
		case c == ';' && (s.after() == ';' || s.after() == '&'):
			if end := s.ending(ends); end != "" {
				return end
			}
			s.fail(";; outside of case")
		case c == ';' || c == '&':
			s.at++
		case c == '\n' || c == 0 || c == ')' && listed(ends, ")"):
		default:
			s.fail("an operator where none can stand")
		}
	}
}

// ending passes what ends a list of commands and returns it.
func (s *scanner) ending(ends string) string {
	switch c := s.char(); {
	case ends == "":
		return ""
	case c == ')' && listed(ends, ")"):
		s.at++
		return ")"
	case c == ';' && listed(ends, ";;") && (s.after() == ';' || s.after() == '&'):
		s.skip(2)
		if s.char() == '&' {
			s.at++
		}
		return ";;"
	}
	word, end := s.bare()
	if word == "" || !listed(ends, word) {
		return ""
	}
	s.at = end
	return word
}

// chain reads pipelines joined by && and ||.
func (s *scanner) chain() {
	s.pipeline()
	for {
		s.blanks()
		c := s.char()
		if c != '&' && c != '|' || s.after() != c {
			return
		}
		s.skip(2)
		s.gaps()
		s.pipeline()
	}
}

// pipeline reads commands joined by | and |&.
func (s *scanner) pipeline() {
	if !s.prefixed() {
		return
	}
	s.command()
	for {
		s.blanks()
		if s.char() != '|' || s.after() == '|' {
			return
		}
		if s.at++; s.char() == '&' {
			s.at++
		}
		s.gaps()
		s.command()
	}
}

// prefixed passes ! and time before a pipeline. It reports whether a command follows.
func (s *scanner) prefixed() bool {
	prefixed := false
	for {
		s.blanks()
		switch {
		case s.takes("!"):
		case s.takes("time"):
			if s.blanks(); s.takes("-p") {
				s.blanks()
			}
			s.takes("--")
		default:
			c := s.char()
			return !prefixed || c != 0 && c != '\n' && c != ';' && c != '&' && c != ')'
		}
		prefixed = true
	}
}

// command reads a command with its redirections.
func (s *scanner) command() {
	defer s.deeper()()
	s.blanks()
	switch {
	case s.char() == '(' && s.after() == '(':
		from := s.at
		s.skip(2)
		s.arithmetic(from)
	case s.char() == '(':
		s.at++
		s.commands(")")
	case !s.compound():
		s.simple()
		return
	}
	s.redirections()
}

// redirections reads those behind a compound command.
func (s *scanner) redirections() {
	for s.at < len(s.src) {
		s.blanks()
		if s.redirects() {
			continue
		}
		from := s.at
		if c := s.char(); breaks(c) || !s.descriptor() {
			s.at = from
			return
		}
	}
}
