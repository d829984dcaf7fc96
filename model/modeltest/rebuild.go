package modeltest

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Rebuild makes the content of a turn of its deltas, as a host would that shows them
// while they come. It is strict about their order.
func Rebuild(events []model.Event) ([]model.Block, error) {
	var blocks []model.Block
	var text strings.Builder
	var open *model.Block
	stopped := false
	for i, e := range events {
		d, ok := e.(model.Delta)
		if !ok {
			return nil, fmt.Errorf("event %d is a %T", i, e)
		}
		var event struct {
			Type  string `json:"type"`
			Index int    `json:"index"`
			Block struct {
				Type model.Kind `json:"type"`
				ID   string     `json:"id"`
				Name string     `json:"name"`
			} `json:"content_block"`
			Delta struct {
				Text  string `json:"text"`
				Input string `json:"partial_json"`
			} `json:"delta"`
		}
		if err := strictjson.Unmarshal(d.JSON, &event); err != nil {
			return nil, err
		}
		if (i == 0) != (event.Type == "message_start") || stopped {
			return nil, fmt.Errorf("event %d is %s", i, d.JSON)
		}
		switch event.Type {
		case "content_block_start":
			if open != nil || event.Index != len(blocks) {
				return nil, fmt.Errorf("event %d starts a block inside of another: %s", i, d.JSON)
			}
			open = &model.Block{Kind: event.Block.Type, ID: event.Block.ID, Name: event.Block.Name}
			text.Reset()
		case "content_block_delta":
			if open == nil || event.Index != len(blocks) {
				return nil, fmt.Errorf("event %d is a delta of nothing: %s", i, d.JSON)
			}
			text.WriteString(event.Delta.Text + event.Delta.Input)
		case "content_block_stop":
			if open == nil || event.Index != len(blocks) {
				return nil, fmt.Errorf("event %d stops nothing: %s", i, d.JSON)
			}
			if open.Kind == model.ToolUse {
				blocks = append(blocks, model.Call(open.ID, open.Name, text.String()))
			} else {
				blocks = append(blocks, model.TextBlock(text.String()))
			}
			open = nil
		case "message_stop":
			stopped = true
		}
	}
	if !stopped && len(events) > 0 {
		return nil, fmt.Errorf("the message does not stop")
	}
	return blocks, nil
}
