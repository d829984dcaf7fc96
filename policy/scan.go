package policy

import (
	"bytes"

	"github.com/assent-dev/assent/internal/strictjson"
)

// This file finds places in JSON texts. It decides nothing: what it finds is read
// by the strict reader, and where the text is not JSON it finds nothing.

// member finds the value of a key of a top-level object, or -1. Of a key that
// occurs twice it finds neither.
func member(text []byte, key string) (start, end int) {
	start = -1
	for _, m := range members(text) {
		if m.name != key {
			continue
		}
		if start >= 0 {
			return -1, -1
		}
		start, end = m.start, m.end
	}
	return start, end
}

// span is a key of an object and where it and its value stand.
type span struct {
	name       string
	at         int // of the key
	start, end int // of the value
}

// members lists the keys of a top-level object as far as the text can be read.
func members(text []byte) []span {
	i := skipBlanks(text, 0)
	if i >= len(text) || text[i] != '{' {
		return nil
	}
	var all []span
	for i = skipBlanks(text, i+1); i < len(text) && text[i] == '"'; {
		m := span{at: i}
		nameEnd := skipValue(text, i)
		if nameEnd < 0 || strictjson.Unmarshal(text[i:nameEnd], &m.name) != nil {
			break
		}
		colon := skipBlanks(text, nameEnd)
		if colon >= len(text) || text[colon] != ':' {
			break
		}
		m.start = skipBlanks(text, colon+1)
		if m.end = skipValue(text, m.start); m.end < 0 {
			break
		}
		all = append(all, m)
		if i = skipBlanks(text, m.end); i < len(text) && text[i] == ',' {
			i = skipBlanks(text, i+1)
		}
	}
	return all
}

// elements finds where the elements of a list start.
func elements(text []byte) []int {
	if len(text) == 0 || text[0] != '[' {
		return nil
	}
	var starts []int
	for i := skipBlanks(text, 1); i < len(text) && text[i] != ']'; {
		starts = append(starts, i)
		end := skipValue(text, i)
		if end < 0 {
			break
		}
		if i = skipBlanks(text, end); i < len(text) && text[i] == ',' {
			i = skipBlanks(text, i+1)
		}
	}
	return starts
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && bytes.IndexByte([]byte(" \t\r\n"), text[i]) >= 0 {
		i++
	}
	return i
}

// skipValue is where the value at i ends, or -1.
func skipValue(text []byte, i int) int {
	depth := 0
	for start := i; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			if i = stringEnd(text, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return atLeast(start, i)
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return atLeast(start, i)
			}
			continue
		default:
			continue // a number or a word: it ends before the next of the above
		}
		if depth == 0 {
			return i + 1
		}
	}
	return -1
}

// atLeast: a value has at least one byte.
func atLeast(start, end int) int {
	if end == start {
		return -1
	}
	return end
}

// stringEnd is the index of the closing quote of the string at i, or -1.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}
