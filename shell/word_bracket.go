package shell

import "bytes"

// plainBracket is the index of the "]" that ends a bracket expression at the start of text,
// if there is no other way to read it: letters, digits and ranges of them, perhaps behind
// "!" or "^". It is 0 for any other.
func plainBracket(text string) int {
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i++
	}
	for start := i; i < len(text); i++ {
		switch c := text[i]; {
		case isWordByte(c):
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
	for rest := b.buf; ; {
		slash := bytes.IndexByte(rest, '/')
		if slash < 0 {
			b.buf = b.closeBracket(out, rest)
			return
		}
		out = append(b.closeBracket(out, rest[:slash]), '/')
		rest = rest[slash+1:]
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
	return append(out, name[last+1:]...)
}
