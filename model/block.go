package model

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Kind tells blocks apart; the words are those of the Messages API.
type Kind string

// The kinds that are understood. Any other is kept as it came, in Block.Raw.
const (
	Text       Kind = "text"
	ToolUse    Kind = "tool_use"
	ToolResult Kind = "tool_result"
)

// Block is a part of a message.
type Block struct {
	Kind Kind
	// Text of a text block.
	Text string

	// ID, Name and Input are those of a tool call. Input is a JSON object as the model
	// wrote it; a key may occur twice in it, which the strict reader refuses. Garbled
	// is set instead when the model wrote something that is no JSON object; Input is
	// {} then, and the call cannot run. [Call] makes both.
	ID, Name string
	Input    strictjson.Raw
	Garbled  string

	// ToolUseID, Result and IsError are those of a tool's result. Result is a list of
	// blocks, mostly one text.
	ToolUseID string
	Result    []Block
	IsError   bool

	// Raw is a block of another kind, for instance thinking or an image: it is sent
	// back exactly as it came.
	Raw strictjson.Raw
}

// TextBlock is a text.
func TextBlock(text string) Block { return Block{Kind: Text, Text: text} }

// Call is a tool call whose input is the text that a model wrote for it. No text at
// all means {}: that is how models call a tool that takes nothing.
//
// An object that the strict reader takes loses the blanks between its values, so
// that a call is the same before and after a transcript was written. Anything else
// stays as it is, for whoever has to explain what is wrong with it.
func Call(id, name, input string) Block {
	b := Block{Kind: ToolUse, ID: id, Name: name, Input: strictjson.Raw("{}")}
	legible := strings.ToValidUTF8(input, "\uFFFD") // for whoever is shown it
	text := strings.TrimSpace(legible)
	if text == "" {
		return b
	}
	tidy, err := nested(text)
	switch {
	case err == nil && tidy[0] == '{' && legible == input:
		b.Input = tidy
	case text[0] == '{' && repeatsKey(err):
		b.Input = strictjson.Raw(legible)
	default:
		b.Garbled = legible
	}
	return b
}

// around is how many levels messages, transcripts and hook input may put around a
// value.
const around = 32

// nested reads a JSON value that is going to be part of others, and returns it without
// blanks. One that is as deep as a text may be would make a transcript that nobody
// can read.
func nested(text string) (strictjson.Raw, error) {
	deeper := strings.Repeat("[", around) + text + strings.Repeat("]", around)
	if err := strictjson.Valid([]byte(deeper)); err != nil {
		return nil, err
	}
	return strictjson.Marshal(strictjson.Raw(text))
}

// repeatsKey reports whether what the strict reader found wrong is a key that occurs
// twice. Two readers would understand such an input differently, so it has to reach
// the one that judges it, and must not be replaced by {}.
func repeatsKey(err error) bool {
	fault, ok := errors.AsType[*strictjson.Error](err)
	return ok && fault.Fault == strictjson.RepeatedKey
}

// Result is the answer to a tool call.
func Result(toolUseID, text string) Block {
	return Block{Kind: ToolResult, ToolUseID: toolUseID, Result: []Block{TextBlock(text)}}
}

// PlainText is the text of blocks, one after the other, with that of tool results.
func PlainText(blocks []Block) string {
	var texts []string
	for _, b := range blocks {
		switch b.Kind {
		case Text:
			texts = append(texts, b.Text)
		case ToolResult:
			texts = append(texts, PlainText(b.Result))
		}
	}
	return strings.Join(texts, "\n")
}
