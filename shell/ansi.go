package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ansiLetter is what a letter behind a backslash stands for.
func ansiLetter(c byte) (byte, bool) {
	switch c {
	case 'a':
		return '\a', true
	case 'b':
		return '\b', true
	case 'e', 'E':
		return 0x1b, true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'v':
		return '\v', true
	case '\\', '\'', '"', '?':
		return c, true
	}
	return 0, false
}

// ansi decodes the inside of $'…'; what depends on the shell or its locale is unknown.
func ansi(text string) string {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		i++
		c := text[i]
		switch {
		case c == 'x' && strings.HasPrefix(text[i+1:], "{"), c == 'c':
			return unknownMark // shells differ
		case c == 'x':
			n, size := number(text[i+1:], 16, 2)
			if size == 0 {
				return unknownMark
			}
			out, i = append(out, byte(n)), i+size
		case c >= '0' && c <= '7':
			n, size := number(text[i:], 8, 3)
			if _, more := number(text[i:], 8, 4); c == '0' && more > size {
				return unknownMark // some programs take three digits behind the 0
			}
			out, i = append(out, byte(n)), i+size-1
		case c == 'u' || c == 'U':
			digits := 4
			if c == 'U' {
				digits = 8
			}
			n, size := number(text[i+1:], 16, digits)
			if size == 0 || n >= utf8.RuneSelf { // the rest depends on the locale
				return unknownMark
			}
			out, i = append(out, byte(n)), i+size
		default:
			letter, ok := ansiLetter(c)
			if !ok {
				return unknownMark
			}
			out = append(out, letter)
		}
	}
	return string(out)
}

// number reads up to max digits of the base at the start of text.
func number(text string, base, most int) (value uint64, size int) {
	for size < len(text) && size < most && strings.IndexByte("0123456789abcdef"[:base], lowerByte(text[size])) >= 0 {
		size++
	}
	value, _ = strconv.ParseUint(text[:size], base, 64)
	return value, size
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
