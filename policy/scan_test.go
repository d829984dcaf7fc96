package policy

import (
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testlimit"
)

func TestFindID(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"id": "a", "x": {"id": "b"}}`, `"a"`},
		{`{"x": {"id": "b", "y": [1, "}"]}, "id": 7}`, `7`},
		{`{"id": {"deep": [1]}, "command": "a", "command": "b"}`, `{"deep": [1]}`},
		{`{"i\u0064": null}`, `null`},
		{`{"x": "\"id\": 1"}`, ""},
		{`{"id": 1, "id": 2}`, ""},
		{`{"id": 1 x`, `1`},
		{`{"id": 01}`, ""},
		{`{"id"`, ""},
		{`{"id":`, ""},
		{`["id", 1]`, ""},
		{`{bad`, ""},
		{``, ""},
	} {
		if got := LineID([]byte(c.line)).String(); got != c.want {
			t.Errorf("LineID(%s) = %q, want %q", c.line, got, c.want)
		}
	}
}

// On JSON, the scanner and the strict reader agree.
func FuzzMember(f *testing.F) {
	for _, seed := range []string{`{"id":1}`, `{"a":[{"id":"x"}],"id":{"b":"}"}}`, `{"id":"\\\"","z":[]}`, `{ "id" : -1e5 , "b":true}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		defer testlimit.Watch(t)()
		start, end := member(text, "id") // must not panic on anything
		var all map[string]strictjson.Raw
		if strictjson.Unmarshal(text, &all) != nil || all == nil {
			return
		}
		want, ok := all["id"]
		if ok != (start >= 0) {
			t.Fatalf("found %v, want %v in %q", start >= 0, ok, text)
		}
		if ok && string(want) != string(text[start:end]) {
			t.Fatalf("got %q, want %q", text[start:end], want)
		}
	})
}

func TestBlankComments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{} // x", "{}     "},
		{"{/* a\n b */\"a\": 1}", "{    \n     \"a\": 1}"},
		{`["//", "/*", "*/"]`, `["//", "/*", "*/"]`},
		{`[1, 2,]`, `[1, 2 ]`},
		{"{\"a\": [1, // x\n],}", "{\"a\": [1      \n] }"},
		{`[,]`, `[,]`},
		{`[1,,]`, `[1,,]`},
		{`{"a":,}`, `{"a":,}`},
		{`[1, "x",]`, `[1, "x" ]`},
		{`1 / 2`, `1 / 2`},
		{`/* open`, `/* open`},
	} {
		if got := string(blankComments([]byte(c.text))); got != c.want {
			t.Errorf("blankComments(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// Every byte keeps its place, and JSON without comments stays as it is.
func FuzzBlankComments(f *testing.F) {
	f.Add([]byte("{\"a\": [1, /* x */ 2,], // y\n}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		defer testlimit.Watch(t)()
		got := blankComments(text)
		if len(got) != len(text) {
			t.Fatalf("length %d became %d", len(text), len(got))
		}
		for i := range got {
			if got[i] != text[i] && got[i] != ' ' || text[i] == '\n' && got[i] != '\n' {
				t.Fatalf("byte %d: %q became %q", i, text[i], got[i])
			}
		}
		if strictjson.Valid(text) == nil && string(got) != string(text) {
			t.Fatalf("valid JSON changed: %q became %q", text, got)
		}
	})
}
