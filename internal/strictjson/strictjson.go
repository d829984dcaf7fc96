// Package strictjson reads and writes the JSON that decides something: tool
// input, hook answers, settings, tickets.
//
// Start with [Unmarshal]. It refuses what another reader could take for
// something else: a key that occurs twice (after unescaping), invalid UTF-8, half
// of a surrogate pair, anything after the value, nesting deeper than [MaxDepth].
// Keys match in their exact letter case only. The standard library takes the last
// of two "command" keys and lets "COMMAND" match; where one program judges the
// first and another runs the last, that is a way around every rule.
//
// Errors of the reading functions are an [*Error] with line, column and JSON
// pointer. A target is only meaningful when the error is nil: it may have been
// filled in part before the fault was found.
//
// It is the only package that imports the JSON codec, so that one file changes
// when the codec moves into the standard library.
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep objects and arrays may be nested. Nothing that a model, a
// hook or a person writes comes near it; recursion over the result stays shallow.
const MaxDepth = 256

// How the codec writes. They are functions because a variable would be filled at the
// start of every program.
func compact() json.Options {
	return json.JoinOptions(json.Deterministic(true), jsontext.PreserveRawStrings(true))
}

func indented() json.Options {
	return json.JoinOptions(compact(), jsontext.WithIndent("  "))
}

// Unmarshal reads exactly one JSON value into v. Keys that v does not know are
// ignored; see [UnmarshalKnown].
func Unmarshal(data []byte, v any) error {
	return unmarshal(data, v)
}

// UnmarshalKnown is [Unmarshal] that refuses keys which v has no field for.
func UnmarshalKnown(data []byte, v any) error {
	return unmarshal(data, v, json.RejectUnknownMembers(true))
}

// UnmarshalLimit is [Unmarshal] that refuses more than maxBytes bytes.
func UnmarshalLimit(data []byte, v any, maxBytes int) error {
	if len(data) > maxBytes {
		return tooLarge(len(data), maxBytes)
	}
	return unmarshal(data, v)
}

// Valid checks what [Unmarshal] checks of the text itself, without a target.
func Valid(data []byte) error {
	if at := tooDeep(data); at >= 0 {
		return errorAt(data, int64(at), "", depthMessage, nil)
	}
	if wellFormed(data) {
		return nil
	}
	var all skipped
	return unmarshal(data, &all) // which explains the fault
}

// checker is a decoder that only looks at a text; making one is costly.
type checker struct {
	text bytes.Buffer
	dec  *jsontext.Decoder
}

var checkers = sync.Pool{New: func() any {
	c := &checker{}
	c.dec = jsontext.NewDecoder(&c.text)
	return c
}}

// wellFormed: the text is exactly one value.
func wellFormed(data []byte) bool {
	c := checkers.Get().(*checker)
	defer func() {
		c.text = bytes.Buffer{} // nothing of a text outlives its check
		c.dec.Reset(&c.text)
		checkers.Put(c)
	}()
	c.text = *bytes.NewBuffer(data)
	c.dec.Reset(&c.text)
	if err := c.dec.SkipValue(); err != nil {
		return false
	}
	_, err := c.dec.ReadToken()
	return errors.Is(err, io.EOF)
}

// Marshal writes v on one line: map keys sorted, nothing escaped for HTML, nil
// slices and maps as [] and {}. A [Raw] keeps the spelling of its strings and
// numbers and loses only blanks.
func Marshal(v any) ([]byte, error) {
	if out, ok := appendPlain(nil, v); ok {
		return oneLine(out), nil
	}
	out, err := json.Marshal(v, compact())
	return oneLine(out), err
}

// oneLine escapes the characters that some readers take for the end of a line, so
// that what is written on one line stays on one.
func oneLine(out []byte) []byte {
	for _, r := range []rune{0x85, 0x2028, 0x2029} {
		if bytes.ContainsRune(out, r) { // they can only stand inside strings
			out = bytes.ReplaceAll(out, []byte(string(r)), fmt.Appendf(nil, `\u%04x`, r))
		}
	}
	return out
}

// MarshalIndent is [Marshal] for people: two blanks for each level.
func MarshalIndent(v any) ([]byte, error) {
	return json.Marshal(v, indented())
}

func unmarshal(data []byte, v any, opts ...json.Options) error {
	if readPlain(data, v) {
		return nil
	}
	if at := tooDeep(data); at >= 0 {
		return errorAt(data, int64(at), "", depthMessage, nil)
	}
	if err := json.Unmarshal(data, v, opts...); err != nil {
		return explain(data, err)
	}
	return nil
}

// skipped is a target that takes any value and keeps nothing of it.
type skipped struct{}

// UnmarshalJSONFrom implements the codec's interface.
func (*skipped) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return dec.SkipValue() }

// tooDeep finds the first bracket beyond MaxDepth, or -1. It runs before the
// parser, so it must agree with it about valid texts only: in those, brackets
// outside of strings are structure.
func tooDeep(data []byte) int {
	if len(data) <= MaxDepth {
		return -1
	}
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}
