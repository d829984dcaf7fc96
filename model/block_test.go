package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"pgregory.net/rapid"
)

func TestBlockJSON(t *testing.T) {
	tests := []struct {
		name  string
		block model.Block
		want  string
	}{
		{"text", model.TextBlock("a<b>\u2028"), `{"type":"text","text":"a<b>\u2028"}`},
		{"call", model.Call("t1", "Bash", `{ "b": 1.50, "a": "\u0041" }`), `{"type":"tool_use","id":"t1","name":"Bash","input":{"b":1.50,"a":"\u0041"}}`},
		{"call of nothing", model.Call("t1", "Bash", ""), `{"type":"tool_use","id":"t1","name":"Bash","input":{}}`},
		{"a key twice", model.Call("t1", "Bash", `{"a":1,"a":2}`), `{"type":"tool_use","id":"t1","name":"Bash","input":{},"garbled":"{\"a\":1,\"a\":2}"}`},
		{"no object", model.Call("t1", "Bash", `[1]`), `{"type":"tool_use","id":"t1","name":"Bash","input":{},"garbled":"[1]"}`},
		{"result", model.Result("t1", "fine"), `{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"fine"}]}`},
		{"empty result", model.Block{Kind: model.ToolResult, ToolUseID: "t1"}, `{"type":"tool_result","tool_use_id":"t1","content":[]}`},
		{
			"failed result",
			model.Block{Kind: model.ToolResult, ToolUseID: "t1", IsError: true, Result: []model.Block{model.TextBlock("no")}},
			`{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"no"}],"is_error":true}`,
		},
		{
			"thinking",
			model.Block{Kind: "thinking", Raw: []byte(`{"type":"thinking","thinking":"\u0068m","signature":"a\/b==","n":1.0}`)},
			`{"type":"thinking","thinking":"\u0068m","signature":"a\/b==","n":1.0}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := strictjson.Marshal(test.block)
			if err != nil || string(got) != test.want {
				t.Fatalf("got  %s, %v\nwant %s", got, err, test.want)
			}
			var back model.Block
			if err := strictjson.Unmarshal(got, &back); err != nil {
				t.Fatal(err)
			}
			if again, err := strictjson.Marshal(back); err != nil || string(again) != test.want {
				t.Errorf("again %s, %v", again, err)
			}
			if back.Garbled != test.block.Garbled || string(back.Input) != string(test.block.Input) {
				t.Errorf("came back as %+v", back)
			}
		})
	}
}

func TestBlockJSONIsReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "type", `{"type":""}`: "type", `{"type":"text","text":1}`: "want a string", `{"type":"text","type":"x"}`: "twice",
		`{"type":"tool_result","content":[{}]}`:                                                        "type",
		`{"type":"x","deep":` + strings.Repeat("[", 250) + strings.Repeat("]", 250) + `}`:              "deep",
		`{"type":"tool_result","tool_use_id":"a","content":7}`:                                         "array",
		`{"type":"tool_use","id":"a","name":"b","input":{"a":1,"a":2}}`:                                "twice",
		`{"type":"tool_use","id":"a","name":"b","input":{},"garbled":{"command":"not what we write"}}`: "want a string",
	} {
		var b model.Block
		if err := strictjson.Unmarshal([]byte(text), &b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got %v, want something about %q", text, err, want)
		}
	}
}

// A call that a transcript has kept can do exactly as little as before.
func TestACallSurvivesATranscript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := rapid.OneOf(
			rapid.String(),
			rapid.SampledFrom([]string{
				`{"a":1,"a":2}`, `{"a" : 1}`, `{"a":"` + "\u2028" + `"}`, `{"a":"\ud800"}`, `[]`, `{"a":1}x`, "{\"a\":\"\xff\"}", "{\"a\":1,\"a\":2,\"b\":\"\xff\"}", "\xff{}", "{}\xff", `{"a":{"b":1,"b":2},`,
			}),
			rapid.Map(rapid.IntRange(0, 400), func(n int) string {
				return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
			}),
			rapid.Map(rapid.SliceOf(rapid.SampledFrom([]string{`{`, `}`, `"a"`, `:`, `,`, `1`, `[`, `]`, ` `, `\`, `"`})), func(parts []string) string {
				return strings.Join(parts, "")
			}),
		).Draw(t, "input")
		call := model.Call("id", "Bash", input)
		text, err := strictjson.Marshal(model.Message{Role: model.Assistant, Content: []model.Block{call}})
		if err != nil {
			t.Fatal(err)
		}
		var back model.Message
		if err := strictjson.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Content[0], call) {
			t.Fatalf("%+v came back as %+v", call, back.Content[0])
		}
		if runs := call.Garbled == "" && strictjson.Valid(call.Input) == nil; runs && strings.TrimSpace(input) != "" && strictjson.Valid([]byte(input)) != nil {
			t.Fatalf("%q can run as %s", input, call.Input)
		}
		if call.Garbled == "" && !strings.HasPrefix(strings.TrimSpace(string(call.Input)), "{") {
			t.Fatalf("%q is taken for an object", call.Input)
		}
		if sent := call.Sendable(); sent.Garbled != "" || strictjson.Valid(sent.Input) != nil {
			t.Fatalf("%+v would be sent", sent)
		}
	})
}

func TestContent(t *testing.T) {
	for text, want := range map[string][]model.Block{
		`"hi"`:                         {model.TextBlock("hi")},
		`[{"type":"text","text":"a"}]`: {model.TextBlock("a")},
		`null`:                         nil,
		``:                             nil,
	} {
		got, err := model.Content([]byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{`7`, `{}`, `[7]`, `["a"]`} {
		if got, err := model.Content([]byte(text)); err == nil {
			t.Errorf("%s: got %+v", text, got)
		}
	}
}

// Whatever is read as a block is written as one that reads the same.
func FuzzBlock(f *testing.F) {
	for _, seed := range []string{
		`{"type":"text","text":"a"}`, `{"type":"tool_use","id":"a","name":"b","input":{"c":[1]}}`,
		`{"type":"tool_result","tool_use_id":"a","content":"x","is_error":true}`,
		`{"type":"tool_use","garbled":"{\"a\":1,\"a\":1}"}`, `{"type":"tool_use","garbled":"{}"}`, `{ "type" : "thinking", "x": 1e5 }`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var b, back model.Block
		if strictjson.Unmarshal(data, &b) != nil {
			return
		}
		text, err := strictjson.Marshal(b)
		if err != nil {
			t.Fatalf("%s was read and cannot be written: %v", data, err)
		}
		if err := strictjson.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s cannot be read: %v", text, err)
		}
		if again, err := strictjson.Marshal(back); err != nil || string(again) != string(text) {
			t.Fatalf("%s, then %s, %v", text, again, err)
		}
	})
}

// A transcript that says that a call was garbled is believed, whatever it kept of it.
func TestGarbledStaysGarbled(t *testing.T) {
	for _, garbled := range []string{`{}`, ` `, `{"command":"ls"}`, `[1]`} {
		text, err := strictjson.Marshal(map[string]any{"type": "tool_use", "id": "a", "name": "Bash", "input": map[string]any{}, "garbled": garbled})
		if err != nil {
			t.Fatal(err)
		}
		var b model.Block
		if err := strictjson.Unmarshal(text, &b); err != nil || b.Garbled != garbled || string(b.Input) != "{}" {
			t.Errorf("%q: %+v, %v", garbled, b, err)
		}
	}
}
