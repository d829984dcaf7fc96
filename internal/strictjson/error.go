package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error says what is wrong with a JSON text, and where.
type Error struct {
	Fault  Fault
	Line   int   // from 1
	Column int   // in characters, from 1
	Offset int64 // in bytes, from 0
	// Pointer is the JSON pointer of the value at fault: "/todos/0/status". Empty
	// for the whole text.
	Pointer string
	// Message is one sentence without the place: `the key "command" occurs twice`.
	Message string

	cause error
}

// Fault is what sort of thing is wrong with a JSON text.
type Fault uint8

// The faults.
const (
	// Malformed: no strict reader takes it.
	Malformed Fault = iota
	// RepeatedKey: a key occurs twice in an object, so that two readers may understand it
	// differently.
	RepeatedKey
	// Misfit: it is JSON, and not what the target takes.
	Misfit
)

// Error is the message with its place.
func (e *Error) Error() string {
	place := fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	if e.Pointer != "" {
		place += ", at " + onOneLine(e.Pointer)
	}
	return "invalid JSON: " + e.Message + " (" + place + ")"
}

// onOneLine escapes what could end the line or hide a part of it: keys may hold any
// character.
func onOneLine(pointer string) string {
	if !strings.ContainsFunc(pointer, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return pointer
	}
	quoted := strconv.QuoteToGraphic(pointer)
	return quoted[1 : len(quoted)-1]
}

// Unwrap returns what a type's own unmarshal method said, if that is the fault.
func (e *Error) Unwrap() error { return e.cause }

var (
	depthMessage = "nested more than " + strconv.Itoa(MaxDepth) + " levels deep"
	byteOrder    = []byte("\xef\xbb\xbf")
)

func tooLarge(size, limit int) *Error {
	return &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the text has %d bytes, more than the limit of %d", size, limit)}
}

// errorAt makes an Error for a byte offset.
func errorAt(data []byte, offset int64, pointer jsontext.Pointer, message string, cause error) *Error {
	offset = min(max(offset, 0), int64(len(data)))
	before := data[:offset]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return &Error{
		Line:    1 + bytes.Count(before, []byte{'\n'}),
		Column:  1 + utf8.RuneCount(before[lineStart:]),
		Offset:  offset,
		Pointer: string(pointer),
		Message: message,
		cause:   cause,
	}
}

func (e *Error) as(f Fault) *Error {
	e.Fault = f
	return e
}

// explain turns the codec's errors into ours.
func explain(data []byte, err error) error {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return explainText(data, syntactic)
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		return explainMeaning(data, semantic).as(faultOf(semantic.Err))
	}
	return errorAt(data, 0, "", trimPrefix(err.Error()), err)
}

// explainText is for texts that are not strict JSON.
func explainText(data []byte, err *jsontext.SyntacticError) *Error {
	offset, pointer := err.ByteOffset, err.JSONPointer
	switch {
	case err.Err == jsontext.ErrDuplicateName:
		message := fmt.Sprintf("the key %q occurs twice", pointer.LastToken())
		return errorAt(data, skipToToken(data, offset), pointer, message, nil).as(RepeatedKey)
	case err.Err == jsontext.ErrNonStringName:
		return errorAt(data, skipToToken(data, offset), pointer, "a key must be a string in double quotes", nil)
	case errors.Is(err.Err, io.ErrUnexpectedEOF) && len(bytes.TrimSpace(data)) == 0:
		return errorAt(data, 0, "", "the text is empty", io.ErrUnexpectedEOF)
	case errors.Is(err.Err, io.ErrUnexpectedEOF):
		return errorAt(data, int64(len(data)), pointer, "the text ends before the value does", io.ErrUnexpectedEOF)
	case bytes.HasPrefix(data, byteOrder) && offset < int64(len(byteOrder)):
		return errorAt(data, 0, "", "the text starts with a byte order mark; save it as UTF-8 without one", nil)
	case trailingComma(data, offset):
		return errorAt(data, offset, pointer, "a comma with nothing after it; remove it", nil)
	case err.Err == nil:
		return errorAt(data, offset, pointer, "not JSON", nil)
	}
	return errorAt(data, offset, pointer, err.Err.Error(), nil)
}

func trailingComma(data []byte, offset int64) bool {
	if offset >= int64(len(data)) || data[offset] != ',' {
		return false
	}
	after := bytes.TrimLeft(data[offset+1:], " \t\r\n")
	return len(after) > 0 && (after[0] == '}' || after[0] == ']')
}

// explainMeaning is for JSON that does not fit the target.
func explainMeaning(data []byte, err *json.SemanticError) *Error {
	at := skipToToken(data, err.ByteOffset)
	switch {
	case err.Err == json.ErrUnknownName:
		message := fmt.Sprintf("unknown key %q", err.JSONPointer.LastToken())
		return errorAt(data, at, err.JSONPointer, message, nil)
	case errors.Is(err.Err, strconv.ErrRange):
		return errorAt(data, at, err.JSONPointer, "the number is too large for "+article(err.GoType), strconv.ErrRange)
	case errors.Is(err.Err, strconv.ErrSyntax):
		return errorAt(data, at, err.JSONPointer, "want "+article(err.GoType)+", got "+string(err.JSONValue), strconv.ErrSyntax)
	case err.Err != nil:
		return errorAt(data, at, err.JSONPointer, ownMessage(err.Err), err.Err)
	}
	message := "want " + article(err.GoType) + ", got " + kindName(err.JSONKind)
	return errorAt(data, at, err.JSONPointer, message, nil)
}

// faultOf is the fault of a value that does not fit, by what a type's own unmarshal
// method said about it.
func faultOf(err error) Fault {
	if nested, ok := errors.AsType[*Error](err); ok {
		return nested.Fault
	}
	return Misfit
}

// ownMessage is what a type's own unmarshal method said. When that method used
// this package, only its sentence counts: its line and column are not ours.
func ownMessage(err error) string {
	if nested, ok := errors.AsType[*Error](err); ok {
		return nested.Message
	}
	return trimPrefix(err.Error())
}

// skipToToken moves from the end of the token before to the one at fault.
func skipToToken(data []byte, offset int64) int64 {
	for offset < int64(len(data)) && strings.IndexByte(" \t\r\n,:", data[offset]) >= 0 {
		offset++
	}
	return offset
}

func trimPrefix(message string) string {
	return strings.TrimPrefix(strings.TrimPrefix(message, "json: "), "jsontext: ")
}

// article names a Go type in the words of JSON.
func article(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number that is not negative"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Pointer:
		return article(t.Elem())
	default:
		return "another value"
	}
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{', '}':
		return "an object"
	case '[', ']':
		return "an array"
	default:
		return "something else"
	}
}
