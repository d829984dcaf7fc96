package openai_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
	"github.com/assent-dev/assent/model/openai"
)

// answering is a server with one answer for everything, which counts how often it was
// asked.
func answering(t *testing.T, kind, body string) (p model.Provider, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", kind)
		io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return openai.New(openai.Options{BaseURL: server.URL, Client: server.Client()}), asked
}

// A server that does not stream sends a whole answer.
func TestAServerThatDoesNotStream(t *testing.T) {
	answer := func(message, finish string) string {
		return `{
  "id": "c", "model": "local",
  "choices": [{"index": 0, "finish_reason": ` + finish + `, "message": ` + message + `}],
  "usage": {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11}
}`
	}
	call := func(arguments string) string {
		return `{"role": "assistant", "content": "hi", "tool_calls": [{"id": "t", "type": "function", "function": {"name": "Bash", "arguments": ` + arguments + `}}]}`
	}
	for _, tt := range []struct {
		name, kind, body string
		want             []model.Block
		stop             string
	}{
		{
			"a call", "application/json", answer(call(`"{\"a\":1,\"a\":2}"`), `"tool_calls"`),
			[]model.Block{model.TextBlock("hi"), model.Call("t", "Bash", `{"a":1,"a":2}`)},
			"tool_use",
		},
		{
			"arguments that are an object", "application/json", answer(call(`{"a": 1}`), `"tool_calls"`),
			[]model.Block{model.TextBlock("hi"), model.Call("t", "Bash", `{"a":1}`)},
			"tool_use",
		},
		{
			"two calls without ids", "application/json",
			answer(`{"content":null,"tool_calls":[{"function":{"name":"A","arguments":"{}"}},{"function":{"name":"A","arguments":"{}"}}]}`, `"stop"`),
			[]model.Block{model.Call("call_1_1", "A", "{}"), model.Call("call_1_2", "A", "{}")},
			"tool_use",
		},
		{"a refusal", "application/json", answer(`{"content":null,"refusal":"no"}`, `"stop"`), []model.Block{model.TextBlock("no")}, "end_turn"},
		{"it calls itself a stream", "text/event-stream", answer(`{"content":"hi"}`, `"length"`), []model.Block{model.TextBlock("hi")}, "max_tokens"},
		{"it does not say why it ended", "text/plain", "\n" + answer(`{"content":"hi"}`, `null`), []model.Block{model.TextBlock("hi")}, "end_turn"},
	} {
		p, asked := answering(t, tt.kind, tt.body)
		turn, err := p.Ask(t.Context(), modeltest.Ask(), nil)
		if err != nil || !reflect.DeepEqual(turn.Content, tt.want) || turn.StopReason != tt.stop || turn.Usage != (model.Usage{InputTokens: 5, OutputTokens: 6}) || asked.Load() != 1 {
			t.Errorf("%s: asked %d times, got %+v, %v", tt.name, asked.Load(), turn, err)
		}
	}
}

// One that swallows the stream is asked for a whole answer.
func TestAServerThatSwallowsTheStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); !strings.Contains(string(body), `"stream":true`) {
			io.WriteString(w, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
		}
	}))
	defer server.Close()
	p := openai.New(openai.Options{BaseURL: server.URL, Client: server.Client()})
	if turn, err := p.Ask(t.Context(), modeltest.Ask(), nil); err != nil || model.PlainText(turn.Content) != "hi" {
		t.Errorf("got %+v, %v", turn, err)
	}
}

// What is no model's answer, though its status says success, is not asked for again and
// again: the base URL is wrong.
func TestAPageThatIsNoAnswer(t *testing.T) {
	for name, answer := range map[string][2]string{
		"a page":            {"text/html", "<!doctype html><title>Hello</title>\n"},
		"nothing":           {"text/plain", ""},
		"an empty stream":   {"text/event-stream", "\n\n"},
		"half of a JSON":    {"application/json", `{"choices":[`},
		"another JSON":      {"application/json", `{"status":"ok"}`},
		"a list":            {"application/json", `[]`},
		"the wrong shapes":  {"application/json", `{"choices":"hi"}`},
		"events of no JSON": {"text/event-stream", "data: hello\n\n"},
	} {
		p, asked := answering(t, answer[0], answer[1])
		_, err := p.Ask(t.Context(), modeltest.Ask(), nil)
		if got, ok := errors.AsType[*model.Error](err); !ok || got.Outlook() != model.Lasting || !strings.Contains(got.Error(), "base URL") || asked.Load() > 2 {
			t.Errorf("%s: asked %d times, got %v", name, asked.Load(), err)
		}
	}
}

// A server may answer with an error and call it a success. It is what its words say.
func TestAnErrorThatSaysSuccess(t *testing.T) {
	p, asked := answering(t, "application/json", `{"id":"x","error":{"message":"MARK","code":429}}`)
	_, err := p.Ask(t.Context(), modeltest.Ask(), nil)
	if got, ok := errors.AsType[*model.Error](err); !ok || got.Kind != model.RateLimited || !strings.Contains(got.Text, "MARK") || asked.Load() != 1 {
		t.Errorf("asked %d times, got %v", asked.Load(), err)
	}
}

// A status in between that leads nowhere has no answer behind it.
func TestAStatusInBetween(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusMultipleChoices) }))
	defer server.Close()
	p := openai.New(openai.Options{BaseURL: server.URL, Client: server.Client()})
	if _, err := p.Ask(t.Context(), modeltest.Ask(), nil); err == nil {
		t.Error("there was an answer")
	}
}
