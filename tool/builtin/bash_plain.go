package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes output readable: what is no UTF-8 and what steers a terminal does not
// get through. Colours tell a model nothing and cost it attention, and a transcript
// must do nothing to the terminal of the person who reads it. Control characters that
// belong to no sequence are replaced, so that nobody takes "rm\bls" for "ls", and so are
// characters that cannot be seen or turn the order of others around. A return to the
// start of the line, which would write over what stands there, starts a new one.
//
// It takes time in proportion to the text, whatever is in it.
func plain(text string) string {
	if strings.IndexFunc(text, isHidden) < 0 && !strings.Contains(text, "\r") && utf8.ValidString(text) {
		return text
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	escapes := escapeReader{text: text}
	var out strings.Builder
	for at := 0; at < len(text); {
		if text[at] == '\x1b' {
			if n := escapes.size(at); n > 0 {
				at += n
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == '\r' && !strings.HasPrefix(text[at+size:], "\n"):
			r = '\n'
		case isHidden(r):
			r = utf8.RuneError
		}
		out.WriteRune(r)
		at += size
	}
	return out.String()
}

// isHidden tells characters that do something and show nothing. Those that join and
// part letters belong to the spelling of many languages and stay.
func isHidden(r rune) bool {
	const nonJoiner, joiner, lineEnd, paragraphEnd = '\u200c', '\u200d', '\u2028', '\u2029'
	switch {
	case r == '\n', r == '\t', r == '\r', r == nonJoiner, r == joiner:
		return false
	case r < utf8.RuneSelf || unicode.IsControl(r):
		return unicode.IsControl(r)
	case r == lineEnd, r == paragraphEnd:
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// maxString is how long the text inside a sequence may be, such as a window's title;
// beyond it the beginning was no sequence.
const maxString = 4096

// escapeReader finds the ends of sequences in a text that is gone through once.
type escapeReader struct {
	text string
	// stop is the first place from some point on where the text inside of a sequence
	// ends, be it properly or at the end of a line. It is looked for once, however many
	// sequences begin before it.
	stop int
}

// size is the length of the sequence that begins at a place, or 0.
func (e *escapeReader) size(at int) int {
	text := e.text[at:]
	if len(text) < 2 {
		return 0
	}
	switch c := text[1]; {
	case c == '[': // parameters, then one final letter
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c <= 0x7e {
				return i + 1
			} else if c < 0x20 || c > 0x3f {
				return 0
			}
		}
	case c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X':
		return e.stringSize(at)
	case c >= 0x20 && c <= 0x2f: // a character set: one more letter
		if len(text) > 2 && text[2] >= 0x30 && text[2] <= 0x7e {
			return 3
		}
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 0
}

// stringSize is for a sequence that holds a text up to BEL or ESC \ on the same line.
func (e *escapeReader) stringSize(at int) int {
	for e.stop = max(e.stop, at+2); e.stop < len(e.text); e.stop++ {
		size := 0
		switch e.text[e.stop] {
		case '\a':
			size = e.stop + 1 - at
		case '\x1b':
			if !strings.HasPrefix(e.text[e.stop+1:], "\\") {
				continue
			}
			size = e.stop + 2 - at
		case '\n':
		default:
			continue
		}
		if size > maxString {
			return 0
		}
		return size
	}
	return 0
}
