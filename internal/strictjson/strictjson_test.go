package strictjson_test

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

type bash struct {
	Command string         `json:"command"`
	Timeout int            `json:"timeout"`
	Tags    []string       `json:"tags"`
	Nested  map[string]any `json:"nested"`
	Raw     strictjson.Raw `json:"raw"`
}

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

// Each text is one that some other reader accepts.
func TestTrapsAreRefused(t *testing.T) {
	tests := []struct {
		name, text    string
		line, column  int
		pointer, want string
	}{
		{"two keys", `{"command":"ls","command":"rm -rf /"}`, 1, 17, "/command", `the key "command" occurs twice`},
		{"two keys, one escaped", `{"command":"ls","\u0063ommand":"rm"}`, 1, 17, "/command", `the key "command" occurs twice`},
		{"two keys below", "{\n \"nested\": {\"a\": 1,\n  \"a\": 2}}", 3, 3, "/nested/a", `the key "a" occurs twice`},
		{"two unknown keys", `{"x":1,"x":2}`, 1, 8, "/x", `the key "x" occurs twice`},
		{"two keys in an unknown one", `{"x":{"y":[{"z":1,"z":2}]}}`, 1, 19, "/x/y/0/z", `the key "z" occurs twice`},
		{"two keys in a raw one", `{"raw":{"z":1,"z":2}}`, 1, 15, "/raw/z", `the key "z" occurs twice`},
		{"bad UTF-8", "{\"command\":\"ls \xff\"}", 1, 16, "/command", "invalid UTF-8"},
		{"bad UTF-8 in a key", "{\"comm\xffand\":\"ls\"}", 1, 7, "", "invalid UTF-8"},
		{"overlong UTF-8", "{\"command\":\"\xc0\xaf\"}", 1, 13, "/command", "invalid UTF-8"},
		{"lone high surrogate", `{"command":"\ud800"}`, 1, 13, "/command", "surrogate"},
		{"lone low surrogate", `{"command":"\udc00x"}`, 1, 13, "/command", "surrogate"},
		{"surrogate pair reversed", `{"command":"\udc00\ud800"}`, 1, 13, "/command", "surrogate"},
		{"raw NUL", "{\"command\":\"ls\x00\"}", 1, 15, "/command", `'\x00'`},
		{"NUL after the value", "{}\x00", 1, 3, "", `'\x00'`},
		{"two values", `{"command":"ls"}{"command":"rm"}`, 1, 17, "", "after top-level value"},
		{"comment", `{"command":"ls"} // rm`, 1, 18, "", "after top-level value"},
		{"trailing comma", `{"command":"ls",}`, 1, 16, "", "a comma with nothing after it"},
		{"single quotes", `{'command':"ls"}`, 1, 2, "", "invalid character"},
		{"key without quotes", `{command:"ls"}`, 1, 2, "", "invalid character"},
		{"key is a number", `{1:"ls"}`, 1, 2, "", "a key must be a string"},
		{"byte order mark", "\xef\xbb\xbf{}", 1, 1, "", "byte order mark"},
		{"empty", "", 1, 1, "", "the text is empty"},
		{"blank", " \n ", 1, 1, "", "the text is empty"},
		{"cut off", `{"command":"ls"`, 1, 16, "", "ends before the value does"},
		{"cut off in a string", "{\n\"command\":\"l", 2, 13, "/command", "ends before the value does"},
		{"number with a leading zero", `{"timeout":010}`, 1, 13, "", "invalid character"},
		{"hexadecimal", `{"timeout":0x10}`, 1, 13, "", "invalid character"},
		{"NaN", `{"timeout":NaN}`, 1, 12, "/timeout", "invalid"},
		{"huge number", `{"timeout":1e999}`, 1, 12, "/timeout", "want a whole number, got 1e999"},
		{"huge whole number", `{"timeout":99999999999999999999}`, 1, 12, "/timeout", "too large"},
		{"huge number in any", `{"nested":{"n":1e999}}`, 1, 16, "/nested/n", "too large"},
		{"too deep", nested(strictjson.MaxDepth + 1), 1, strictjson.MaxDepth + 1, "", "nested more than 256 levels"},
		{"far too deep", nested(100_000), 1, strictjson.MaxDepth + 1, "", "nested more than 256 levels"},
		{"too deep in objects", strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300), 1, 256*5 + 1, "", "nested more than 256 levels"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var into bash
			err := strictjson.Unmarshal([]byte(test.text), &into)
			checkError(t, err, test.line, test.column, test.pointer, test.want)
		})
	}
}

func checkError(t *testing.T, err error, line, column int, pointer, want string) {
	t.Helper()
	e, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		t.Fatalf("error is %v (%T), want *strictjson.Error", err, err)
	}
	if e.Line != line || e.Column != column || e.Pointer != pointer || !strings.Contains(e.Message, want) {
		t.Errorf("error is %d:%d %q %q\nwant     %d:%d %q with %q", e.Line, e.Column, e.Pointer, e.Message, line, column, pointer, want)
	}
	if strings.Contains(e.Error(), "\n") || strings.Contains(e.Error(), "json: ") {
		t.Errorf("not one plain sentence: %q", e.Error())
	}
}

// What does not depend on a target is refused without one.
func TestValidChecksTheText(t *testing.T) {
	refused := []string{
		"", "{", `{"a":1,"a":2}`, `[{"a":1,"a":2}]`, "\"\xff\"", `"\ud800"`, "{} {}", nested(257), "\x00",
	}
	for _, text := range refused {
		if err := strictjson.Valid([]byte(text)); err == nil {
			t.Errorf("Valid(%.40q) accepts it", text)
		}
	}
	accepted := []string{
		"null", " {} \n", `{"a":1,"A":2}`, `"\u0000"`, `"\ud83d\ude00"`, nested(256), "1e999", "99999999999999999999",
		`["` + strings.Repeat("[", 1000) + `"]`, `["\"` + strings.Repeat("{", 1000) + `\\"]`,
	}
	for _, text := range accepted {
		if err := strictjson.Valid([]byte(text)); err != nil {
			t.Errorf("Valid(%.40q) = %v", text, err)
		}
	}
}

func TestLetterCaseNeverFolds(t *testing.T) {
	var into bash
	if err := strictjson.Unmarshal([]byte(`{"COMMAND":"rm","Command":"rm","timeout":5}`), &into); err != nil {
		t.Fatal(err)
	}
	if into.Command != "" || into.Timeout != 5 {
		t.Errorf("read %+v", into)
	}
}

func TestEscapedNULIsAString(t *testing.T) {
	var into bash
	if err := strictjson.Unmarshal([]byte(`{"command":"ls\u0000"}`), &into); err != nil || into.Command != "ls\x00" {
		t.Errorf("read %q, %v", into.Command, err)
	}
}

func TestUnmarshalKnown(t *testing.T) {
	var into bash
	err := strictjson.UnmarshalKnown([]byte(`{"command":"ls","COMMAND":"rm"}`), &into)
	checkError(t, err, 1, 17, "/COMMAND", `unknown key "COMMAND"`)
	if err := strictjson.UnmarshalKnown([]byte(`{"command":"ls"}`), &into); err != nil {
		t.Error(err)
	}
}

func TestUnmarshalLimit(t *testing.T) {
	var into any
	if err := strictjson.UnmarshalLimit([]byte(`[1,2]`), &into, 5); err != nil {
		t.Error(err)
	}
	err := strictjson.UnmarshalLimit([]byte(`[1,2] `), &into, 5)
	checkError(t, err, 1, 1, "", "6 bytes, more than the limit of 5")
}

func TestWrongTypesAreNamedInJSONWords(t *testing.T) {
	tests := []struct{ text, pointer, want string }{
		{`{"command":5}`, "/command", "want a string, got a number"},
		{`{"timeout":"5"}`, "/timeout", "want a whole number, got a string"},
		{`{"timeout":1.5}`, "/timeout", "want a whole number, got 1.5"},
		{`{"tags":{}}`, "/tags", "want an array, got an object"},
		{`{"tags":["a",true]}`, "/tags/1", "want a string, got true or false"},
		{`[]`, "", "want an object, got an array"},
	}
	for _, test := range tests {
		var into bash
		e, ok := errors.AsType[*strictjson.Error](strictjson.Unmarshal([]byte(test.text), &into))
		if !ok || e.Pointer != test.pointer || !strings.Contains(e.Message, test.want) {
			t.Errorf("%s: error is %v, want %q at %q", test.text, e, test.want, test.pointer)
		}
	}
}

func TestCauseIsKept(t *testing.T) {
	var into bash
	if err := strictjson.Unmarshal([]byte(`{"command`), &into); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v does not wrap ErrUnexpectedEOF", err)
	}
	if err := strictjson.Unmarshal([]byte(`{"timeout":99999999999999999999}`), &into); !errors.Is(err, strconv.ErrRange) {
		t.Errorf("%v does not wrap ErrRange", err)
	}
	var picky picky
	err := strictjson.Unmarshal([]byte(`[1]`), &picky)
	if !errors.Is(err, errPicky) {
		t.Errorf("%v does not wrap the method's own error", err)
	}
}

// Callers act on the fault, never on the words.
func TestFaults(t *testing.T) {
	for text, want := range map[string]strictjson.Fault{
		`{`:                              strictjson.Malformed,
		``:                               strictjson.Malformed,
		`{"command":"ls",}`:              strictjson.Malformed,
		nested(257):                      strictjson.Malformed,
		`{"command":"a","command":"b"}`:  strictjson.RepeatedKey,
		`{"nested":{"a":1,"\u0061":2}}`:  strictjson.RepeatedKey,
		`{"command":5}`:                  strictjson.Misfit,
		`{"timeout":1e999}`:              strictjson.Misfit,
		`{"nested":{"occurs twice":1e9`:  strictjson.Malformed,
		`{"unknown key occurs twice":7}`: strictjson.Misfit,
	} {
		var into bash
		e, ok := errors.AsType[*strictjson.Error](strictjson.UnmarshalKnown([]byte(text), &into))
		if !ok || e.Fault != want {
			t.Errorf("%.40s: %v, fault %d, want %d", text, e, e.Fault, want)
		}
	}
	var careful careful
	e, ok := errors.AsType[*strictjson.Error](strictjson.Unmarshal([]byte(`[1]`), &careful))
	if !ok || e.Fault != strictjson.RepeatedKey {
		t.Errorf("what a type's own method found is %v", e)
	}
}

// careful reads a text of its own.
type careful struct{}

func (*careful) UnmarshalJSON([]byte) error { return strictjson.Valid([]byte(`{"a":1,"a":2}`)) }

var errPicky = errors.New("never content")

type picky struct{}

func (*picky) UnmarshalJSON([]byte) error { return errPicky }
