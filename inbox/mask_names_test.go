package inbox

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
)

// A name that only looks like that of a secret hides nothing: people decide by the value. One
// that is that of a secret hides it whatever stands around it.
func TestT16_NamesThatOnlyLookLikeSecrets(t *testing.T) {
	for _, test := range []struct {
		input string
		masks bool
	}{
		{`{"max_tokens":4096}`, false},
		{`{"maxTokens":4096}`, false},
		{`{"max-output-tokens":"4096"}`, false},
		{`{"token_count":12}`, false},
		{`{"password_length":12}`, false},
		{`{"tokenizer":"cl100k"}`, false},
		{`{"secretary":"ann"}`, false},
		{`{"max_tokens":"hunter2"}`, true},
		{`{"max_tokens":123456789012}`, true},
		{`{"token_limit":""}`, false},
		{`{"token":4096}`, true},
		{`{"password":1234}`, true},
		{`{"access_token":"abc"}`, true},
		{`{"accessToken":"abc"}`, true},
		{`{"secretary_password":"ann"}`, true},
		{`{"tokenizer_api_key":"ann"}`, true},
		{`{"tokenizer_token":"ann"}`, true},
		{`{"tokenizer":"sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa"}`, true},
	} {
		said := Sentence(approval.Call{Tool: "mcp__llm__ask", Input: strictjson.Raw(test.input), Cwd: "/home/ann"})
		if strings.Contains(said, masked) != test.masks {
			t.Errorf("%s: %s", test.input, said)
		}
	}
}
