package strictjson

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// outline is a valid text and where its objects and arrays end.
type outline struct {
	text string
	// nested are the objects and arrays in the order in which they begin.
	nested []span
}

type span struct{ from, to int }

// end is the offset behind the object or array that starts at an offset.
func (o *outline) end(at int) int {
	i, found := slices.BinarySearchFunc(o.nested, at, func(s span, at int) int { return s.from - at })
	if !found {
		return at // nothing starts there
	}
	return o.nested[i].to
}

// outlineOf finds the objects and arrays of a text that is known to be valid.
func outlineOf(text string) *outline {
	o := &outline{text: text}
	var open []int
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = stringEnd(text, at) - 1
		case '{', '[':
			open = append(open, len(o.nested))
			o.nested = append(o.nested, span{from: at})
		case '}', ']':
			last := len(open) - 1
			o.nested[open[last]].to = at + 1
			open = open[:last]
		}
	}
	return o
}

// outlineOfPlain checks a text and takes it apart in one go, which is much of what a
// process costs that reads its settings for one call. It knows less than the codec: a
// text that it accepts is one that the codec accepts, and what it cannot judge is left
// to the codec, errors among it.
func outlineOfPlain(text string) (*outline, bool) {
	s := scanner{text: text}
	s.blanks()
	if !s.value() {
		return nil, false
	}
	s.blanks()
	return &outline{text: text, nested: s.nested}, s.at == len(text)
}

// scanner walks over a text. Its functions return false where they cannot go on.
type scanner struct {
	text   string
	at     int
	depth  int
	nested []span
	names  []string // those of the objects that are open
}

// maxNames is how many names of one object are compared with each other one by one.
const maxNames = 32

func (s *scanner) blanks() { s.at = skipBlanks(s.text, s.at) }

// take goes over one character if it is the next.
func (s *scanner) take(c byte) bool {
	if s.at >= len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) word(w string) bool {
	if !strings.HasPrefix(s.text[s.at:], w) {
		return false
	}
	s.at += len(w)
	return true
}

func (s *scanner) value() bool {
	if s.at >= len(s.text) {
		return false
	}
	switch s.text[s.at] {
	case '"':
		return s.str()
	case '{':
		return s.inside(s.members)
	case '[':
		return s.inside(s.elements)
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

// inside goes over an object or an array, whose content goes over the rest of it.
func (s *scanner) inside(content func() bool) bool {
	if s.depth == MaxDepth {
		return false
	}
	s.depth++
	i := len(s.nested)
	s.nested = append(s.nested, span{from: s.at})
	s.at++
	s.blanks()
	if !content() {
		return false
	}
	s.nested[i].to = s.at
	s.depth--
	return true
}

func (s *scanner) elements() bool {
	if s.take(']') {
		return true
	}
	for {
		if !s.value() {
			return false
		}
		s.blanks()
		if s.take(']') {
			return true
		}
		if !s.take(',') {
			return false
		}
		s.blanks()
	}
}

func (s *scanner) members() bool {
	if s.take('}') {
		return true
	}
	first := len(s.names)
	for {
		if !s.name(first) {
			return false
		}
		s.blanks()
		if !s.take(':') {
			return false
		}
		s.blanks()
		if !s.value() {
			return false
		}
		s.blanks()
		if s.take('}') {
			s.names = s.names[:first]
			return true
		}
		if !s.take(',') {
			return false
		}
		s.blanks()
	}
}

// name goes over the name of a member, which no other member of the object may have.
// One that is escaped could be any.
func (s *scanner) name(first int) bool {
	from := s.at
	if from >= len(s.text) || s.text[from] != '"' || !s.str() {
		return false
	}
	name, others := s.text[from+1:s.at-1], s.names[first:]
	if strings.IndexByte(name, '\\') >= 0 || len(others) == maxNames || slices.Contains(others, name) {
		return false
	}
	s.names = append(s.names, name)
	return true
}

// str goes over a string. Characters by number are left to the codec: one may be half
// of a pair.
func (s *scanner) str() bool {
	for at := s.at + 1; ; {
		if at = skipOrdinary(s.text, at); at >= len(s.text) {
			return false
		}
		switch c := s.text[at]; {
		case c == '"':
			s.at = at + 1
			return true
		case c == '\\':
			if at+1 >= len(s.text) || strings.IndexByte(`"\/bfnrt`, s.text[at+1]) < 0 {
				return false
			}
			at += 2
		default:
			r, size := utf8.DecodeRuneInString(s.text[at:])
			if r < utf8.RuneSelf || r == utf8.RuneError && size == 1 {
				return false
			}
			at += size
		}
	}
}

// number goes over a number: no zeros before it, digits around a point.
func (s *scanner) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > from
}

// Each byte of a word, for looking at eight characters at once.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// skipOrdinary is the offset of the first character that does not simply stand for
// itself in a string: a quote, a backslash, a control character, or one beyond ASCII.
func skipOrdinary(text string, at int) int {
	for ; at+8 <= len(text); at += 8 {
		b := text[at : at+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// A byte that is too small borrows from its high bit. That may reach the byte
		// above it, but the lowest one that is marked is right.
		control, quote, backslash := w-' '*ones, (w^'"'*ones)-ones, (w^'\\'*ones)-ones
		if special := (control|quote|backslash)&^w&highs | w&highs; special != 0 {
			return at + bits.TrailingZeros64(special)/8
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return at
}
