package modeltest

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/model"
)

// Chat is a server of OpenAI's chat completions. Its base URL is that of the server
// and /v1.
func Chat(t testing.TB, replies ...Reply) *Server {
	s := serve(t, chat{}, replies)
	s.URL += "/v1"
	return s
}

type chat struct{}

func (chat) fault(r Reply) string {
	return fmt.Sprintf(`{"error":{"message":%s,"type":"some_error","param":null,"code":null}}`, quote(r.Message))
}

func (w *writer) delta(delta string) {
	w.write(fmt.Sprintf(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"chat-test",`+
		`"choices":[{"index":0,"delta":%s,"finish_reason":null}],"usage":null}`+"\n\n", delta))
}

func (chat) stream(w *writer, r Reply) {
	w.delta(`{"role":"assistant","content":""}`)
	switch r.Endless {
	case Deltas:
		w.endlessly(func(int) string {
			return `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"Bash","arguments":"` + filler + `"}}]}}]}` + "\n\n"
		})
	case Line:
		w.write(`data: {"choices":[{"index":0,"delta":{"content":"`)
		w.endlessly(func(int) string { return filler })
	case Calls:
		w.endlessly(func(i int) string {
			return fmt.Sprintf(`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"Bash","arguments":"{}"}}]}}]}`+"\n\n", i, i)
		})
	case Finite:
	}
	w.texts(r.Blocks)
	w.calls(r.Blocks)
	w.flush()
	if !w.end(r.Ending) {
		w.write(`data: {"error":{"message":"Overloaded","type":"overloaded_error","code":null}}` + "\n\n")
		return
	}
	w.write(fmt.Sprintf(`data: {"id":"chatcmpl-1","model":"chat-test","choices":[{"index":0,"delta":{},"finish_reason":%q}]}`+"\n\n", finish(r.stop())))
	w.write(`data: {"id":"chatcmpl-1","model":"chat-test","choices":[],"usage":{"prompt_tokens":14,"completion_tokens":20,"total_tokens":34,"prompt_tokens_details":{"cached_tokens":4}}}` + "\n\n")
	w.write("data: [DONE]\n\n")
}

func (w *writer) texts(blocks []model.Block) {
	for _, b := range blocks {
		if b.Kind == model.Text {
			for _, piece := range pieces(b.Text) {
				w.delta(fmt.Sprintf(`{"content":%s}`, quote(piece)))
			}
		}
	}
}

// calls sends the pieces of all calls in turn, as the protocol allows.
func (w *writer) calls(blocks []model.Block) {
	var parts [][]string
	longest := 0
	for _, b := range blocks {
		if b.Kind != model.ToolUse {
			continue
		}
		w.delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":""}}]}`,
			len(parts), quote(b.ID), quote(b.Name)))
		parts = append(parts, pieces(string(b.Input)))
		longest = max(longest, len(parts[len(parts)-1]))
	}
	for i := range longest {
		for index, part := range parts {
			if i < len(part) {
				w.delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, index, quote(part[i])))
			}
		}
	}
}

func finish(stop string) string {
	switch stop {
	case "tool_use":
		return "tool_calls"
	case "max_tokens":
		return "length"
	case "refusal":
		return "content_filter"
	}
	return "stop"
}
