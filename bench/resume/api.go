package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// api is a server of the Messages API on loopback that says one word.
type api struct {
	server *http.Server
	url    string

	// took is how long it was until the last request was there, complete that it held the
	// conversation.
	watch    stopwatch
	took     time.Duration
	size     int64
	complete bool
}

func listen() (*api, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a := &api{url: "http://" + listener.Addr().String()}
	a.server = &http.Server{Handler: http.HandlerFunc(a.answer)}
	go a.server.Serve(listener)
	return a, nil
}

func (a *api) close() { a.server.Close() }

func (a *api) env(name string) string {
	return map[string]string{"ANTHROPIC_BASE_URL": a.url, "ANTHROPIC_API_KEY": "sk-ant-fake-" + strings.Repeat("0", 42)}[name]
}

func (a *api) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	a.took, a.size = a.watch.stop().clock, int64(len(body))
	a.complete = err == nil && bytes.Contains(body, []byte(summary)) && bytes.Contains(body, []byte(lastWord)) && bytes.Contains(body, []byte("Go on."))
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, answer)
}

const answer = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Yes."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

`
