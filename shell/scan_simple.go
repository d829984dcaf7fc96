package shell

import "strings"

// simple reads a simple command: assignments, words and redirections. A function that is
// defined without the word function starts like one.
func (s *scanner) simple() {
	words, others := 0, 0 // others: assignments and redirections
	first := ""
	for {
		s.blanks()
		c := s.char()
		switch {
		case s.redirects():
			others++
			continue
		case c == '(' && words == 1 && others == 0:
			last := &s.found[len(s.found)-1]
			*last = last.as(markFunction)
			s.parentheses()
			s.gaps()
			s.command()
			return
		case breaks(c) && !s.startsProcess():
			if words+others == 0 || c == '(' {
				s.fail("an operator where a command is missing")
			}
			return
		}
		from := s.at
		if s.descriptor() {
			others++
			continue
		}
		assigns := s.wordOf(inCommand, words == 0 || declares(first))
		switch {
		case words == 0 && assigns:
			s.mark(markAssign, from, s.at)
			others++
			continue
		case words == 0:
			s.mark(markCommand, from, s.at)
			if others == 0 {
				first = s.src[from:s.at]
			}
		case first != "let": // of which the parser reads the words as arithmetic
			s.mark(markWord, from, s.at)
		}
		words++
	}
}

// declares: the command takes assignments as its words.
func declares(command string) bool {
	return listed("declare typeset local export readonly", command)
}

// descriptor passes a number or {name} before a redirection, with the redirection. It
// reports whether there was one; if not, nothing is passed.
func (s *scanner) descriptor() bool {
	at := s.at
	end := at
	if s.src[at] == '{' {
		closing := strings.IndexByte(s.src[at:], '}')
		if closing < 0 || !isName(s.src[at+1:at+closing]) {
			return false
		}
		end = at + closing + 1
	}
	for end < len(s.src) && s.src[end] >= '0' && s.src[end] <= '9' && s.src[at] != '{' {
		end++
	}
	if end == at || end == len(s.src) || s.src[end] != '<' && s.src[end] != '>' || end-at > 5 && s.src[at] != '{' {
		return false
	}
	s.at = end
	if s.redirects() {
		return true
	}
	s.at = at
	return false
}

// redirects reads a redirection, if one comes next.
func (s *scanner) redirects() bool {
	c, next := s.char(), s.after()
	switch {
	case c == '&' && next == '>':
		s.skip(2)
		if s.char() == '>' {
			s.at++
		}
	case c != '<' && c != '>' || next == '(': // <( and >( are words
		return false
	case c == '<' && next == '<':
		s.skip(2)
		s.hereRedirect()
		return true
	case next == '&':
		s.skip(2)
		s.blanks()
		if from := s.at; s.char() == '-' { // it ends there, whatever follows
			s.at++
			s.mark(markRedirect, from, s.at)
			return true
		}
	case next == '>' || next == '|' && c == '>':
		s.skip(2)
	default:
		s.at++
	}
	s.blanks()
	if !s.marked(markRedirect) {
		s.fail("a redirection without a word")
	}
	return true
}

// hereRedirect reads what stands behind <<.
func (s *scanner) hereRedirect() {
	var doc hereDocument
	switch s.char() {
	case '<':
		s.at++
		if s.blanks(); !s.marked(markRedirect) {
			s.fail("a here-string without a word")
		}
		return
	case '-':
		s.at++
		doc.tabs = true
	}
	s.blanks()
	from := s.at
	if !s.marked(markRedirect) || !doc.ends(s.src[from:s.at]) {
		s.fail("the word that ends a here-document")
		return
	}
	s.pending = append(s.pending, doc)
}

// marked reads a word and marks it. It reports whether there is one.
func (s *scanner) marked(what markKind) bool {
	s.char()
	from := s.at
	if s.word(inCommand); s.at == from {
		return false
	}
	s.mark(what, from, s.at)
	return true
}

// mark notes a place. A line that is continued behind a word is no part of it.
func (s *scanner) mark(what markKind, from, to int) {
	s.found = append(s.found, newMark(what, from, wordEnd(s.src, from, to)))
}

func wordEnd(src string, from, to int) int {
	for to-2 > from && src[to-2] == '\\' && src[to-1] == '\n' {
		to -= 2
	}
	return to
}

// startsProcess: <( and >( begin a word.
func (s *scanner) startsProcess() bool {
	c := s.char()
	return (c == '<' || c == '>') && s.after() == '('
}
