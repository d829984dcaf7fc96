package shell

import "strings"

// hereDocument is one whose body is still to come.
type hereDocument struct {
	word   string // the line that ends it
	quoted bool   // nothing in the body is expanded
	tabs   bool   // <<-: tabs before each line are left out
}

// ends sets the word that ends the document, as it is written. It reports whether the
// word is of a form in which nothing can be misread.
func (d *hereDocument) ends(written string) bool {
	d.word = written
	switch n := len(written); {
	case n > 1 && written[0] == '\\':
		d.word, d.quoted = written[1:], true
	case n > 2 && (written[0] == '\'' || written[0] == '"') && written[n-1] == written[0]:
		d.word, d.quoted = written[1:n-1], true
	}
	for i := range len(d.word) {
		if c := d.word[i]; !plainBytes[c] && c != '!' && c != '+' && c != '~' && !(c == ' ' && written[0] != '\\' && d.quoted) {
			return false
		}
	}
	return d.word != ""
}

// newline passes the end of a line and the bodies of the here-documents that the line
// has begun.
func (s *scanner) newline() {
	s.at++
	if s.waiting > 0 {
		s.fail("a substitution of several lines beside a here-document")
		return
	}
	pending := s.pending
	s.pending = s.pending[:0]
	for _, doc := range pending {
		s.body(doc)
	}
}

// body passes the text of a here-document and the line that ends it. What is expanded in
// it is only looked for in the text, so nothing in it can hide that line.
func (s *scanner) body(doc hereDocument) {
	from := s.at
	for s.at < len(s.src) {
		start := s.at
		line := s.line(!doc.quoted)
		if doc.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if line == doc.word {
			if start > from { // the parser has none that is empty
				end := len(strings.TrimSuffix(s.src[:s.at], "\n"))
				s.mark(markBody, end, end)
			}
			if !doc.quoted {
				s.expanded(from, start)
			}
			return
		}
		if s.closing > 0 && strings.HasPrefix(line, doc.word) && strings.IndexByte(line, ')') >= 0 {
			s.fail("a here-document that may end inside of a line")
			return
		}
	}
	s.fail("a here-document without its end")
}

// line passes a line and returns it, joined with the next one where a backslash
// continues it.
func (s *scanner) line(continued bool) string {
	var joined strings.Builder
	for i := s.at; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\n':
			joined.WriteString(s.src[s.at:i])
			s.at = i + 1
			return joined.String()
		case c == '\\' && continued && i+1 < len(s.src):
			if i++; s.src[i] == '\n' {
				joined.WriteString(s.src[s.at : i-1])
				s.at = i + 1
			}
		}
	}
	joined.WriteString(s.src[s.at:])
	s.at = len(s.src)
	return joined.String()
}

// expanded reads what is expanded in the body of a here-document.
func (s *scanner) expanded(from, to int) {
	src, at, outer, closing := s.src, s.at, s.pending, s.closing
	s.src, s.at, s.pending, s.closing = src[:to], from, nil, 0
	for s.at < to {
		switch s.char() {
		case '\\':
			s.at += 2
		case '`':
			s.backquoted(true)
		case '$':
			s.dollar(inText)
		default:
			s.at++
		}
	}
	s.src, s.at, s.pending, s.closing = src, at, outer, closing
	if s.wrong != "" {
		s.at = len(src)
	}
}
