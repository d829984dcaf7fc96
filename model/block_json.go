package model

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The JSON of a block is that of the Messages API, with one addition: a call whose
// input no strict reader would take has {} for its input and what the model wrote as
// a string beside it, "garbled". A transcript keeps the fault that way, and a call
// that could not run before cannot run after it was read again.
//
// The bytes only depend on the block: a conversation that was written and read again
// makes the same request as before.

type textJSON struct {
	Type Kind   `json:"type"`
	Text string `json:"text"`
}

type toolUseJSON struct {
	Type    Kind           `json:"type"`
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Input   strictjson.Raw `json:"input"`
	Garbled string         `json:"garbled,omitzero"`
}

type toolResultJSON struct {
	Type      Kind    `json:"type"`
	ToolUseID string  `json:"tool_use_id"`
	Content   []Block `json:"content"`
	IsError   bool    `json:"is_error,omitzero"`
}

// MarshalJSON writes the block.
func (b Block) MarshalJSON() ([]byte, error) {
	switch b.Kind {
	case Text:
		return strictjson.Marshal(textJSON{b.Kind, b.Text})
	case ToolUse:
		return strictjson.Marshal(b.toolUse())
	case ToolResult:
		return strictjson.Marshal(toolResultJSON{b.Kind, b.ToolUseID, b.Result, b.IsError})
	}
	if b.Raw == nil {
		return nil, fmt.Errorf("a block of kind %q has no content", b.Kind)
	}
	return strictjson.Marshal(b.Raw)
}

func (b Block) toolUse() toolUseJSON {
	call := toolUseJSON{b.Kind, b.ID, b.Name, b.Input, b.Garbled}
	if _, err := nested(string(b.Input)); call.Garbled == "" && len(b.Input) > 0 && err != nil {
		call.Garbled = string(b.Input)
	}
	if call.Garbled != "" || len(call.Input) == 0 {
		call.Input = strictjson.Raw("{}")
	}
	return call
}

// Sendable is the block as a model's server takes it: without what only a transcript
// needs.
func (b Block) Sendable() Block {
	if b.Kind == ToolUse {
		b.Input, b.Garbled = b.toolUse().Input, ""
	}
	return b
}

// UnmarshalJSON reads a block of any kind.
func (b *Block) UnmarshalJSON(data []byte) error {
	if n, err := strictjson.Tree(data); err == nil && b.readPlain(n) {
		return nil
	}
	return b.read(data)
}

// read reads a block of any kind, and explains what is wrong with it.
func (b *Block) read(data []byte) error {
	var kind struct {
		Type Kind `json:"type"`
	}
	if err := strictjson.Unmarshal(data, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case "":
		return errors.New(`a content block needs a "type"`)
	case Text:
		var text textJSON
		if err := strictjson.Unmarshal(data, &text); err != nil {
			return err
		}
		*b = TextBlock(text.Text)
	case ToolUse:
		return b.readToolUse(data)
	case ToolResult:
		return b.readToolResult(data)
	default:
		tidy, err := nested(string(data))
		*b = Block{Kind: kind.Type, Raw: tidy}
		return err
	}
	return nil
}

func (b *Block) readToolUse(data []byte) error {
	var call toolUseJSON
	if err := strictjson.Unmarshal(data, &call); err != nil {
		return err
	}
	if call.Garbled == "" {
		*b = Call(call.ID, call.Name, string(call.Input))
		return nil
	}
	// What was garbled stays so, also where the text that was kept of it would do: a
	// byte that is no text was replaced in it.
	*b = Call(call.ID, call.Name, call.Garbled)
	if _, err := nested(string(b.Input)); err == nil {
		b.Input, b.Garbled = strictjson.Raw("{}"), call.Garbled
	}
	return nil
}

func (b *Block) readToolResult(data []byte) error {
	var result struct {
		ToolUseID string         `json:"tool_use_id"`
		Content   strictjson.Raw `json:"content"`
		IsError   bool           `json:"is_error"`
	}
	if err := strictjson.Unmarshal(data, &result); err != nil {
		return err
	}
	content, err := Content(result.Content)
	*b = Block{Kind: ToolResult, ToolUseID: result.ToolUseID, Result: content, IsError: result.IsError}
	return err
}

// Content reads what the Messages API takes for content: a text or a list of blocks.
// Nothing and null are an empty list.
func Content(raw strictjson.Raw) ([]Block, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] == '"' {
		var text string
		err := strictjson.Unmarshal(raw, &text)
		return []Block{TextBlock(text)}, err
	}
	var blocks []Block
	err := strictjson.Unmarshal(raw, &blocks)
	return blocks, err
}
