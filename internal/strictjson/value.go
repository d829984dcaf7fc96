package strictjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is one value of a text that has been checked, as it was written. Looking into it
// needs no memory, which pays where few values of a small text are asked for; for many
// see [Tree].
type Value []byte

// ValueOf is the value that a checked text consists of.
func ValueOf(text []byte) Value { return bytes.Trim(text, " \t\r\n") }

// Kind is the first character: { [ " t f n, and the digit 0 for numbers. It is 0 where
// there is no value.
func (v Value) Kind() byte {
	switch {
	case len(v) == 0:
		return 0
	case v[0] == '-' || '0' <= v[0] && v[0] <= '9':
		return '0'
	}
	return v[0]
}

// Text is the value of a string, unescaped; nil for any other kind. It shares the memory
// of the source where it can.
func (v Value) Text() []byte {
	if v.Kind() != '"' || len(v) < 2 {
		return nil
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	plain, err := jsontext.AppendUnquote(nil, []byte(v))
	if err != nil {
		return nil // the text has been checked
	}
	return plain
}

// Items goes through the elements of an array or the members of an object.
type Items struct {
	rest   []byte
	object bool
}

// Items are those of an array or object; there are none in other values.
func (v Value) Items() Items {
	if kind := v.Kind(); kind == '{' || kind == '[' {
		return Items{rest: v[1:], object: kind == '{'}
	}
	return Items{}
}

// Next is the next item: an element, or a member with its name.
func (i *Items) Next() (name, value Value, ok bool) {
	if i.object {
		if name = i.take(); name == nil {
			return nil, nil, false
		}
	}
	value = i.take()
	return name, value, value != nil
}

// take cuts off the next value, with what separates it from the one before.
func (i *Items) take() Value {
	rest := bytes.TrimLeft(i.rest, " \t\r\n,:")
	end := valueEnd(rest)
	i.rest = rest[end:]
	if end == 0 {
		return nil
	}
	return rest[:end]
}

// valueEnd is the offset behind the value that a text begins with; zero if there is none.
func valueEnd(text []byte) int {
	depth := 0
	for at := 0; at < len(text); {
		switch text[at] {
		case '"':
			end := quoteEnd(text, at)
			if end < 0 {
				return 0
			}
			at = end
		case '{', '[':
			depth++
			at++
			continue
		case '}', ']':
			if depth == 0 {
				return 0
			}
			depth--
			at++
		case ' ', '\t', '\r', '\n', ',', ':':
			at++
			continue
		default:
			for at < len(text) && !endsWord(text[at]) {
				at++
			}
		}
		if depth == 0 {
			return at
		}
	}
	return 0
}

// endsWord: a number, true, false or null ends before the character.
func endsWord(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', ':', ']', '}':
		return true
	}
	return false
}

// quoteEnd is the offset behind the string that starts at an offset, -1 if it has no end.
func quoteEnd(text []byte, at int) int {
	for begin := at + 1; ; {
		i := bytes.IndexByte(text[at+1:], '"')
		if i < 0 {
			return -1
		}
		at += 1 + i
		escapes := 0
		for at-escapes > begin && text[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at + 1
		}
	}
}
