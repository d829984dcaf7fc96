package modeltest

import (
	"fmt"
	"testing"

	"github.com/assent-dev/assent/model"
)

// Messages is a server of the Anthropic Messages API.
func Messages(t testing.TB, replies ...Reply) *Server { return serve(t, messages{}, replies) }

type messages struct{}

func (messages) fault(r Reply) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":"api_error","message":%s}}`, quote(r.Message))
}

func (w *writer) event(kind, members string) {
	w.write(fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, members))
}

func (messages) stream(w *writer, r Reply) {
	w.event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1,"cache_read_input_tokens":4}}`)
	w.event("ping", "")
	switch r.Endless {
	case Deltas:
		w.start(0, `{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}`)
		w.endlessly(func(int) string {
			return fmt.Sprintf("data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"%s\"}}\nevent: x\n\n", filler)
		})
	case Line:
		w.write(`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"`)
		w.endlessly(func(int) string { return filler })
	case Calls:
		w.endlessly(func(i int) string {
			return fmt.Sprintf("event: x\ndata: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t%d\",\"name\":\"Bash\",\"input\":{}}}\n\n"+
				"event: x\ndata: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", i, i, i)
		})
	case Finite:
	}
	for i, b := range r.Blocks {
		w.block(i, b)
	}
	if !w.end(r.Ending) {
		w.event("error", `,"error":{"type":"overloaded_error","message":"Overloaded"}`)
		return
	}
	w.event("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":20}`, r.stop()))
	w.event("message_stop", "")
}

func (w *writer) start(index int, block string) {
	w.event("content_block_start", fmt.Sprintf(`,"index":%d,"content_block":%s`, index, block))
}

func (w *writer) block(index int, b model.Block) {
	kind, member, content := "text_delta", "text", b.Text
	if b.Kind == model.ToolUse {
		kind, member, content = "input_json_delta", "partial_json", string(b.Input)
		w.start(index, fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, quote(b.ID), quote(b.Name)))
	} else {
		w.start(index, `{"type":"text","text":""}`)
	}
	for _, piece := range pieces(content) {
		w.event("content_block_delta", fmt.Sprintf(`,"index":%d,"delta":{"type":%q,%q:%s}`, index, kind, member, quote(piece)))
	}
	w.event("content_block_stop", fmt.Sprintf(`,"index":%d`, index))
	w.flush()
}
