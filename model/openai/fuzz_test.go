package openai

import (
	"io"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Whatever a server sends is a turn that can be kept and sent back, or an error.
func FuzzChunks(f *testing.F) {
	for _, seed := range []string{
		"", `{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"b","arguments":"{\"a\":1,\"a\":"}}]}}]}` + "\n" +
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"2}"}}]},"finish_reason":"tool_calls"}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"b","arguments":{}}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1}}`,
		`{"error":"x"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		next := func() ([]byte, error) {
			if len(lines) == 0 {
				return nil, io.EOF
			}
			line := lines[0]
			lines = lines[1:]
			return []byte(line), nil
		}
		on := func(e model.Event) {
			if err := strictjson.Valid(e.(model.Delta).JSON); err != nil {
				t.Fatalf("a delta that is no JSON: %v", err)
			}
		}
		turn, err := readStream("server", next, model.Request{Partial: true, Model: "m"}, on)
		if err != nil {
			if turn.Content != nil {
				t.Fatal("an error with a turn")
			}
			return
		}
		kept, err := strictjson.Marshal(model.Message{Role: model.Assistant, Content: turn.Content})
		if err != nil {
			t.Fatalf("%+v cannot be kept: %v", turn, err)
		}
		var back model.Message
		if err := strictjson.Unmarshal(kept, &back); err != nil {
			t.Fatalf("%s cannot be read: %v", kept, err)
		}
		seen := map[string]bool{}
		for _, b := range turn.Content {
			if b.Kind == model.ToolUse && (b.ID == "" || seen[b.ID]) {
				t.Fatalf("two calls share an id, or have none: %s", kept)
			}
			seen[b.ID] = true
		}
	})
}
