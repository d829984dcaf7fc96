package shell

import (
	"bytes"
	"strings"
)

// plainBracket is the index of the "]" that ends a bracket expression at the start of text,
// if there is no other way to read it: letters, digits, dots and ranges, perhaps behind "!"
// or "^". It is 0 for any other. None finds the dot of a hidden file.
func plainBracket(text string) int {
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i++
	}
	for start := i; i < len(text); i++ {
		switch c := text[i]; {
		case isWordByte(c), c == '.':
		case c == '-' && i > start && i+1 < len(text) && isWordByte(text[i-1]) && isWordByte(text[i+1]):
		case c == ']' && i > start:
			return i
		default:
			return 0
		}
	}
	return 0
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// fieldEnds are where the value of an expansion falls apart, unless the script says otherwise.
const fieldEnds = " \t\n"

// value appends what an expansion stands for. Outside quotes it falls apart at blanks, and
// bash looks for files with the patterns in it.
func (b *builder) value(text string, quoted bool) {
	if !b.takes(text) {
		b.mark(Unknown)
		return
	}
	if quoted || b.asText {
		b.buf = append(b.buf, text...)
		return
	}
	b.valued = true
	for i := range len(text) {
		switch c := text[i]; c {
		case '*', '?':
			b.several = true
			b.glob()
		default:
			b.open = b.open || c == '['
			b.buf = append(b.buf, c)
		}
	}
}

// takes reports whether the script may still put values like that in: each costs by its length.
func (b *builder) takes(value string) bool {
	return len(value) < 64 || b.w.affords(len(value)/64, 0)
}

// withoutBackslashes takes them away where bash does: in each field that is a pattern.
func (b *builder) withoutBackslashes() {
	if !b.valued || bytes.IndexByte(b.buf, '\\') < 0 {
		return
	}
	out, from := b.buf[:0], 0
	for i := 0; i <= len(b.buf); i++ {
		if i < len(b.buf) && strings.IndexByte(fieldEnds, b.buf[i]) < 0 {
			continue
		}
		field := b.buf[from:min(i+1, len(b.buf))]
		pattern := bytes.IndexByte(field, Glob) >= 0 || bytes.IndexByte(field, Unknown) >= 0
		for _, c := range field {
			if c != '\\' || !pattern {
				out = append(out, c)
			}
		}
		from = i + 1
	}
	b.buf = out
}

// asPattern is a word that stands outside quotes somewhere as the value of an expansion.
func asPattern(text string) string {
	if !strings.ContainsAny(text, "*?[") {
		return text
	}
	b := builder{w: &walker{s: new(Script)}}
	b.value(text, false)
	b.closeBrackets()
	b.withoutBackslashes()
	return string(b.buf)
}

// closeBrackets makes patterns of the brackets that are not plain. Quotes, classes and
// backslashes in one decide where it ends, and the value of an expansion may bring one in, or
// its end. So in each name of a path all from the first place that may begin one to the last
// that may end one is a pattern: it stands for what bash finds, and for the text itself, which
// is left where nothing is found.
func (b *builder) closeBrackets() {
	if !b.open && !b.split {
		return
	}
	out := b.buf[:0] // which never outgrows what was read
	ends := "/"
	if b.valued {
		ends += fieldEnds
	}
	for rest := b.buf; ; {
		end := bytes.IndexAny(rest, ends)
		if end < 0 {
			b.buf = b.closeBracket(out, rest)
			return
		}
		by := rest[end] // out may reach up to it
		out = append(b.closeBracket(out, rest[:end]), by)
		rest = rest[end+1:]
	}
}

// closeBracket appends one name of a path.
func (b *builder) closeBracket(out, name []byte) []byte {
	first, last, mark := -1, -1, byte(Glob)
	for i, c := range name {
		switch {
		case first < 0:
			if c == '[' || b.split && (c == Unknown || c == Glob) {
				first = i
			}
		case c == ']' && (i > first+1 || name[first] != '['), c == Unknown, c == Glob && (b.closed || b.named):
			last = i
		}
		if c == Unknown {
			mark = Unknown // it begins one, or ends one
		}
	}
	if last < 0 {
		return append(out, name...)
	}
	b.several = true
	b.home = b.home && len(out)+first > 0
	b.loose = b.loose || b.listed > 0
	out = append(out, name[:first]...)
	if mark == Glob {
		b.buf = out
		b.glob()
		out = b.buf
	} else {
		out = append(out, mark)
	}
	name = name[last+1:]
	if len(name) > 0 && name[0] == Glob && out[len(out)-1] == Glob {
		name = name[1:] // one pattern with another behind it is one
	}
	return append(out, name...)
}
