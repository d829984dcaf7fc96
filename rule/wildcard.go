package rule

import "strings"

// wildcard is a text in which a star is any run of characters, the empty one
// included; it is anchored at both ends.
type wildcard struct {
	head string   // the literal text before the first star
	rest []string // the literal text after each star; none without a star
}

// parseWildcard reads content in which `\*` is a star, `\\` a backslash, and any
// other backslash itself.
func parseWildcard(content string) wildcard {
	if strings.IndexByte(content, '\\') < 0 { // nothing is escaped
		head, tail, star := strings.Cut(content, "*")
		switch {
		case !star:
			return wildcard{head: content}
		case strings.IndexByte(tail, '*') < 0:
			return wildcard{head: head, rest: []string{tail}}
		}
		return newWildcard(strings.Split(content, "*"))
	}
	var pieces []string
	var piece strings.Builder
	for i := 0; i < len(content); i++ {
		switch {
		case escapes(content, i):
			i++
			piece.WriteByte(content[i])
		case content[i] == '*':
			pieces = append(pieces, piece.String())
			piece.Reset()
		default:
			piece.WriteByte(content[i])
		}
	}
	return newWildcard(append(pieces, piece.String()))
}

// escapes reports whether content[i] is a backslash that stands for the next
// byte alone. A blank is escaped only at the very ends, where it would be
// trimmed.
func escapes(content string, i int) bool {
	if content[i] != '\\' || i+1 == len(content) {
		return false
	}
	next := content[i+1]
	return next == '*' || next == '\\' || blank(next) && (i == 0 || i+2 == len(content))
}

// newWildcard joins neighbouring stars: they mean one.
func newWildcard(pieces []string) wildcard {
	w := wildcard{head: pieces[0]}
	for i, piece := range pieces[1:] {
		if piece != "" || i == len(pieces)-2 {
			w.rest = append(w.rest, piece)
		}
	}
	return w
}

func (w wildcard) literal() bool { return len(w.rest) == 0 }

// match takes the leftmost place for each piece: if any placing fits, that one
// does, so the time is linear for patterns such as *a*a*a*.
//
// Marks in the text are never equal to a byte of the pattern, so a match means
// that stars swallow them, whatever they stand for.
func (w wildcard) match(text string) bool {
	if w.literal() {
		return text == w.head
	}
	text, ok := strings.CutPrefix(text, w.head)
	if !ok {
		return false
	}
	last := len(w.rest) - 1
	for _, piece := range w.rest[:last] {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	return strings.HasSuffix(text, w.rest[last])
}
