package anthropic

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/internal/ids"
	"github.com/assent-dev/assent/model/internal/remote"
	"github.com/assent-dev/assent/model/internal/stream"
)

// errEmpty: the stream ended before it began.
var errEmpty = errors.New("the server sent an empty stream")

// event is any event of a stream.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		ID    string    `json:"id"`
		Model string    `json:"model"`
		Usage usageJSON `json:"usage"`
	} `json:"message"`
	Block strictjson.Raw `json:"content_block"`
	Delta deltaJSON      `json:"delta"`
	Usage usageJSON      `json:"usage"`
}

type deltaJSON struct {
	Type         string `json:"type"`
	Text         string `json:"text"`
	Input        string `json:"partial_json"`
	Thinking     string `json:"thinking"`
	Signature    string `json:"signature"`
	StopReason   string `json:"stop_reason"`
	StopSequence string `json:"stop_sequence"`
}

// usageJSON is what the server counts. Later events repeat some of the figures.
type usageJSON struct {
	Input      *int `json:"input_tokens"`
	Output     *int `json:"output_tokens"`
	CacheWrite *int `json:"cache_creation_input_tokens"`
	CacheRead  *int `json:"cache_read_input_tokens"`
}

func (u usageJSON) update(total *model.Usage) {
	for _, figure := range []struct {
		from *int
		to   *int
	}{
		{u.Input, &total.InputTokens},
		{u.Output, &total.OutputTokens},
		{u.CacheWrite, &total.CacheCreationInputTokens},
		{u.CacheRead, &total.CacheReadInputTokens},
	} {
		if figure.from != nil {
			*figure.to = max(*figure.from, 0)
		}
	}
}

// readStream reads events until the turn is complete.
func readStream(server string, events ssestream.Decoder, r model.Request, on func(model.Event)) (model.Turn, error) {
	a := newAnswer()
	for events.Next() {
		data := bytes.TrimSpace(events.Event().Data)
		if len(data) == 0 {
			continue
		}
		var e event
		if err := strictjson.Unmarshal(data, &e); err != nil {
			return model.Turn{}, remote.Garbage(server, err)
		}
		switch e.Type {
		case "ping":
			continue
		case "error":
			return model.Turn{}, brokenOff(data)
		}
		if err := a.take(e); err != nil {
			if errors.Is(err, remote.ErrTooLarge) {
				return model.Turn{}, err
			}
			return model.Turn{}, remote.Garbage(server, err)
		}
		if r.Partial && on != nil {
			on(model.Delta{JSON: bytes.Clone(data)})
		}
		if a.state == ended {
			return a.turn, nil
		}
	}
	switch err := events.Err(); {
	case err != nil:
		return model.Turn{}, err
	case a.state == waiting:
		return model.Turn{}, errEmpty
	case a.open == nil && a.turn.StopReason != "":
		return a.turn, nil // nothing is missing but the word that it is over
	}
	return model.Turn{}, remote.BrokenOff(server)
}

// brokenOff explains an error in the middle of a stream or in place of a message. It has a word instead of a
// status.
func brokenOff(data []byte) *model.Error {
	word, message := faultOf(data)
	return model.Failed(statusOf(word), word, message)
}

func statusOf(word string) int {
	switch word {
	case "invalid_request_error":
		return 400
	case "authentication_error":
		return 401
	case "billing_error":
		return 402
	case "permission_error":
		return 403
	case "not_found_error":
		return 404
	case "timeout_error":
		return 408
	case "request_too_large":
		return 413
	case "rate_limit_error":
		return 429
	case "api_error":
		return 500
	case "overloaded_error":
		return 529
	}
	return 0
}

// readWhole reads an answer that is no stream.
func readWhole(server string, body io.Reader, r model.Request, on func(model.Event)) (model.Turn, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return model.Turn{}, err
	}
	var answer struct {
		Type         string        `json:"type"`
		ID           string        `json:"id"`
		Model        string        `json:"model"`
		Content      []model.Block `json:"content"`
		StopReason   string        `json:"stop_reason"`
		StopSequence string        `json:"stop_sequence"`
		Usage        usageJSON     `json:"usage"`
		Error        struct {
			Type string `json:"type"`
		} `json:"error"`
	}
	if err := strictjson.Unmarshal(data, &answer); err != nil {
		return model.Turn{}, remote.Garbage(server, err)
	}
	if answer.Type == "error" || answer.Type == "" && answer.Error.Type != "" {
		return model.Turn{}, brokenOff(data) // of a gateway that calls it a success
	}
	if answer.Type != "message" {
		return model.Turn{}, remote.Garbage(server, fmt.Errorf("it is of type %q and no message", answer.Type))
	}
	if len(data) > remote.MaxContent || len(answer.Content) > remote.MaxBlocks {
		return model.Turn{}, remote.ErrTooLarge
	}
	calls := ids.Of(nil)
	for _, block := range answer.Content {
		if block.Kind != model.ToolUse {
			continue
		}
		if err := checkCall(calls, block.ID, block.Name); err != nil {
			return model.Turn{}, remote.Garbage(server, err)
		}
	}
	var usage model.Usage
	answer.Usage.update(&usage)
	b := stream.New(r, on)
	b.Begin(answer.ID, answer.Model, usage)
	for _, block := range answer.Content {
		b.Block(block)
	}
	return b.End(answer.StopReason, answer.StopSequence, usage), nil
}
