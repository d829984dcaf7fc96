package anthropic

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Whatever a server sends is a turn that can be kept and sent back, or an error.
func FuzzStream(f *testing.F) {
	head := "event: x\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n"
	for _, seed := range []string{
		"", head, head + "event: x\ndata: {\"type\":\"message_stop\"}\n\n",
		head + "event: x\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"b\",\"input\":{}}}\n\n" +
			"event: x\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"partial_json\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}}\n\n" +
			"event: x\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: x\ndata: {\"type\":\"message_stop\"}\n\n",
		head + "event: x\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":1}}\n\n" +
			"event: x\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"thinking\":\"x\",\"signature\":\"y\"}}\n\n" +
			"event: x\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: x\ndata: {\"type\":\"message_stop\"}\n\n",
		"event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"m\"}}\n\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		res := &http.Response{Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{}}
		on := func(e model.Event) {
			if err := strictjson.Valid(e.(model.Delta).JSON); err != nil {
				t.Fatalf("a delta that is no JSON: %v", err)
			}
		}
		turn, err := readStream("server", ssestream.NewDecoder(res), model.Request{Partial: true}, on)
		if err != nil {
			if turn.Content != nil {
				t.Fatal("an error with a turn")
			}
			return
		}
		text, err := strictjson.Marshal(model.Message{Role: model.Assistant, Content: turn.Content})
		if err != nil {
			t.Fatalf("%+v cannot be kept: %v", turn, err)
		}
		var back model.Message
		if err := strictjson.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s cannot be read: %v", text, err)
		}
		first, err := requestBody(model.Request{Messages: []model.Message{{Role: model.Assistant, Content: turn.Content}}}, streamed)
		again, err2 := requestBody(model.Request{Messages: []model.Message{back}}, streamed)
		if err := errors.Join(err, err2); err != nil || string(first) != string(again) {
			t.Fatalf("%s\n%s\n%v", first, again, err)
		}
	})
}
