package hook

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// A hook that looks for words in the text of a call finds them, however the model
// escaped them.
func TestH1_EscapesHideNothingFromHooks(t *testing.T) {
	const force = `{"comm\u0061nd":"git push --f\u006frce"}`
	looks := map[string]Handler{
		"a Go function": Typed("look", func(_ context.Context, in PreToolUseInput, _ Invocation) (Output, error) {
			if strings.Contains(string(in.ToolInput), `"command":"git push --force"`) {
				return Deny("no force"), nil
			}
			return Output{}, nil
		}),
		"a host": Callback{ID: "look", Send: func(_ context.Context, _ string, input []byte, _ string) ([]byte, error) {
			if strings.Contains(string(input), `"command":"git push --force"`) {
				return []byte(`{"decision":"block","reason":"no force"}`), nil
			}
			return nil, nil
		}},
	}
	for name, look := range looks {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, Config{Entries: before(look)})
			wantDecision(t, s.judge("Bash", force), denied, "no force")
		})
	}
	for _, in := range []Input{
		PostToolUseInput{ToolName: "x", ToolInput: strictjson.Raw(`"\u0061"`), ToolResponse: strictjson.Raw(`{"\u0061":"\u0062"}`)},
		PostToolUseFailureInput{ToolName: "x", ToolInput: strictjson.Raw(`"\u0061"`)},
		PermissionRequestInput{ToolName: "x", ToolInput: strictjson.Raw(`"\u0061"`), PermissionSuggestions: strictjson.Raw(`["\u0061"]`)},
		PermissionDeniedInput{ToolName: "x", ToolInput: strictjson.Raw(`"\u0061"`)},
	} {
		if text, err := Encode(in); err != nil || strings.Contains(string(text), `\u006`) {
			t.Errorf("%s: %s, %v", in.Event(), text, err)
		}
	}
}

// The caller's bytes stay what they are: the tool gets what the model wrote.
func TestH1_TheToolGetsWhatTheModelWrote(t *testing.T) {
	const text = `{ "command": "\u006cs" }`
	s := newSession(t, Config{Entries: before(saying("x", Allow()))})
	if j := s.judge("Bash", text); string(j.Input) != text {
		t.Errorf("the input became %s", j.Input)
	}
}

// One spelling is the same value, and its own spelling.
func FuzzCanonical(f *testing.F) {
	for _, text := range []string{`{"b":[1.50,{"a":"\u0041"}],"a":null}`, `"\\\""`, `[[],{},""]`, ` -1e-7 `} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := strictjson.Canonical(text)
		if valid := strictjson.Valid(text); (err == nil) != (valid == nil) {
			t.Fatalf("%q: %v, but %v", text, err, valid)
		}
		if err != nil {
			return
		}
		if again, err := strictjson.Canonical(got); err != nil || string(again) != string(got) {
			t.Fatalf("%q became %q and then %q, %v", text, got, again, err)
		}
		var a, b any
		read := func(text []byte, into *any) {
			d := json.NewDecoder(strings.NewReader(string(text)))
			d.UseNumber()
			if err := d.Decode(into); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		read(text, &a)
		read(got, &b)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
