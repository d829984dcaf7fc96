package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
)

// What the model wants to be run, what it looks for in the result, and what it says then.
const (
	errand   = "echo hello from the shell"
	greeting = "hello from the shell"
	farewell = "MARK-done"
)

// scriptedModel is a server of the Messages API on loopback: it wants one command to be
// run and is content with the result.
type scriptedModel struct {
	url    string
	server *http.Server
	heard  atomic.Int64 // how often it was told the result
}

func startModel() (*scriptedModel, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &scriptedModel{url: "http://" + listener.Addr().String()}
	m.server = &http.Server{Handler: http.HandlerFunc(m.answer)}
	go m.server.Serve(listener)
	return m, nil
}

func (m *scriptedModel) close() { m.server.Close() }

func (m *scriptedModel) told() int64 { return m.heard.Load() }

// asked is what matters of a request.
type asked struct {
	Stream   bool
	Tools    []struct{ Name string }
	Messages []struct{ Content json.RawMessage }
}

func (m *scriptedModel) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var question asked
	if err != nil || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/v1/messages") || json.Unmarshal(body, &question) != nil {
		http.Error(w, "{}", http.StatusNotFound)
		return
	}
	last := ""
	if n := len(question.Messages); n > 0 {
		last = string(question.Messages[n-1].Content)
	}
	block, stop := textBlock(farewell), "end_turn"
	switch {
	case strings.Contains(last, "tool_result"):
		if strings.Contains(last, greeting) {
			m.heard.Add(1)
		}
	case hasBash(question):
		block, stop = errandBlock(), "tool_use"
	}
	if !question.Stream {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[%s],"stop_reason":%q,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}}`, textBlock(farewell).whole(), stop)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, block.stream(stop))
}

func hasBash(q asked) bool {
	for _, t := range q.Tools {
		if t.Name == "Bash" {
			return true
		}
	}
	return false
}

// spoken is a block as it is sent: how it starts, and its content as one delta.
type spoken struct{ start, delta, content string }

func textBlock(text string) spoken {
	return spoken{`{"type":"text","text":""}`, fmt.Sprintf(`{"type":"text_delta","text":%q}`, text), text}
}

func errandBlock() spoken {
	input := fmt.Sprintf(`{"command":%q,"description":"say hello"}`, errand)
	return spoken{`{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}`, fmt.Sprintf(`{"type":"input_json_delta","partial_json":%q}`, input), ""}
}

func (b spoken) whole() string { return fmt.Sprintf(`{"type":"text","text":%q}`, b.content) }

func (b spoken) stream(stop string) string {
	var out strings.Builder
	event := func(kind, members string) {
		fmt.Fprintf(&out, "event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, members)
	}
	event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}`)
	event("content_block_start", `,"index":0,"content_block":`+b.start)
	event("content_block_delta", `,"index":0,"delta":`+b.delta)
	event("content_block_stop", `,"index":0`)
	event("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":5}`, stop))
	event("message_stop", "")
	return out.String()
}
