package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes output readable: what is no UTF-8 and what steers a terminal does not
// get through. Colours tell a model nothing and cost it attention, and a transcript
// must do nothing to the terminal of the person who reads it. Control characters that
// belong to no sequence are replaced, so that nobody takes "rm\bls" for "ls".
func plain(text string) string {
	if strings.IndexFunc(text, isControl) < 0 && utf8.ValidString(text) {
		return text
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	var out strings.Builder
	for at := 0; at < len(text); {
		if text[at] == '\x1b' {
			if n := escapeSize(text[at:]); n > 0 {
				at += n
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if isControl(r) {
			r = utf8.RuneError
		}
		out.WriteRune(r)
		at += size
	}
	return out.String()
}

func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
}

// maxString is how long the text inside a sequence may be, such as a window's title;
// beyond it the beginning was no sequence.
const maxString = 4096

// escapeSize is the length of the sequence that text begins with, or 0.
func escapeSize(text string) int {
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
	case c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X': // a text up to BEL or ESC \
		for i := 2; i < min(len(text), maxString); i++ {
			switch {
			case text[i] == '\a':
				return i + 1
			case text[i] == '\x1b' && i+1 < len(text) && text[i+1] == '\\':
				return i + 2
			case text[i] == '\n':
				return 0
			}
		}
	case c >= 0x20 && c <= 0x2f: // a character set: one more letter
		if len(text) > 2 && text[2] >= 0x30 && text[2] <= 0x7e {
			return 3
		}
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 0
}
