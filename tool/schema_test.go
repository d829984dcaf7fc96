package tool

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

// A schema that says more than the validator understands must not compile: the
// part that is not understood would go unchecked.
func TestUnknownKeywordsDoNotCompile(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"type":"object","additionalProperties":false,"pattern":"x"}`, `unknown key "pattern"`},
		{`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string","maxLength":5}}}`, `unknown key "maxLength"`},
		{`{"type":"object","additionalProperties":{"type":"string","const":"x"}}`, `unknown key "const"`},
		{`{"type":["string","null"]}`, "want a string"},
		{`{"type":"text"}`, `unknown type "text"`},
		{`{}`, `unknown type ""`},
		{`{"type":"string","format":"email"}`, `unknown format "email"`},
		{`{"type":"object"}`, "additionalProperties"},
		{`{"type":"array","items":{"type":"object"}}`, "additionalProperties"},
		{`{"type":"object","additionalProperties":false,"properties":{"a":null}}`, `property "a" has no schema`},
		{`{"type":"string","enum":[1]}`, "want a string"},
		{`{"type":"string","type":"object"}`, "occurs twice"},
		{``, "no schema"},
	}
	for _, test := range tests {
		if _, err := compile([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error is %v, want %q", test.text, err, test.want)
		}
	}
}

func TestAToolWithoutASchemaIsNeverValid(t *testing.T) {
	if err := define("Missing", permission.Shell, "command").Validate([]byte(`{"command":"ls"}`)); err == nil {
		t.Error("accepted")
	}
}
