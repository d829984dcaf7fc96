// Package stream makes a turn of pieces, and the events that the Messages API would
// have sent for it: for providers whose models speak another language.
package stream

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Builder makes one turn. Begin comes first and End last.
type Builder struct {
	turn model.Turn
	on   func(model.Event) // nil when nobody wants deltas
	text strings.Builder   // of the text block that is open
	open bool
}

// New makes a builder that tells on about each piece, if the request wants that.
func New(r model.Request, on func(model.Event)) *Builder {
	if !r.Partial {
		on = nil
	}
	return &Builder{on: on}
}

// Begin starts the turn.
func (b *Builder) Begin(id, name string, u model.Usage) {
	b.turn.ID, b.turn.Model = id, name
	b.event("message_start", map[string]any{"message": map[string]any{
		"id": id, "type": "message", "role": "assistant", "model": name, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": u,
	}})
}

// Text adds to the text.
func (b *Builder) Text(piece string) {
	if piece == "" {
		return
	}
	if !b.open {
		b.open = true
		b.start(map[string]any{"type": "text", "text": ""})
	}
	b.text.WriteString(piece)
	b.delta(map[string]any{"type": "text_delta", "text": piece})
}

// Call adds a tool call.
func (b *Builder) Call(id, name, input string) {
	b.closeText()
	b.start(map[string]any{"type": "tool_use", "id": id, "name": name, "input": map[string]any{}})
	b.delta(map[string]any{"type": "input_json_delta", "partial_json": strings.ToValidUTF8(input, "\uFFFD")})
	b.stop(model.Call(id, name, input))
}

// Block adds a block that is complete.
func (b *Builder) Block(whole model.Block) {
	switch whole.Kind {
	case model.Text:
		b.Text(whole.Text)
		b.closeText()
	case model.ToolUse:
		b.Call(whole.ID, whole.Name, written(whole))
	default:
		b.closeText()
		b.start(whole)
		b.stop(whole)
	}
}

func written(call model.Block) string {
	if call.Garbled != "" {
		return call.Garbled
	}
	return string(call.Input)
}

// End finishes the turn.
func (b *Builder) End(reason, sequence string, u model.Usage) model.Turn {
	b.closeText()
	b.turn.StopReason, b.turn.StopSequence, b.turn.Usage = reason, sequence, u
	var stopped any
	if sequence != "" {
		stopped = sequence
	}
	b.event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": reason, "stop_sequence": stopped}, "usage": u,
	})
	b.event("message_stop", map[string]any{})
	return b.turn
}

func (b *Builder) closeText() {
	if b.open {
		b.open = false
		text := b.text.String()
		b.text.Reset()
		b.stop(model.TextBlock(text))
	}
}

func (b *Builder) start(block any) {
	b.event("content_block_start", map[string]any{"index": len(b.turn.Content), "content_block": block})
}

func (b *Builder) delta(delta map[string]any) {
	b.event("content_block_delta", map[string]any{"index": len(b.turn.Content), "delta": delta})
}

func (b *Builder) stop(block model.Block) {
	b.event("content_block_stop", map[string]any{"index": len(b.turn.Content)})
	b.turn.Content = append(b.turn.Content, block)
}

func (b *Builder) event(kind string, members map[string]any) {
	if b.on == nil {
		return
	}
	members["type"] = kind
	text, err := strictjson.Marshal(members)
	if err != nil {
		return // only a text that is no UTF-8 could fail, and those have been refused
	}
	b.on(model.Delta{JSON: text})
}
