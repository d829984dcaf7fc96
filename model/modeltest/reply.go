// Package modeltest plays the servers of models on loopback, and has the suite that
// every provider passes.
//
// [Messages] is a server of the Anthropic Messages API and [Chat] one of OpenAI's
// chat completions; both answer with the same replies. [Run] is the suite.
package modeltest

import (
	"strings"

	"github.com/assent-dev/assent/model"
)

// Reply is what a server answers to one request.
type Reply struct {
	// Blocks are texts and calls. Input of a call is written out as it is, also when
	// it is no JSON.
	Blocks []model.Block
	Stop   string // a stop reason of the Messages API; empty means the fitting one
	Ending Ending
	// Status from 400 makes the reply an error with this message.
	Status     int
	Message    string
	RetryAfter string
	// Raw is the literal body of a stream.
	Raw string
	// Endless makes the server send a call whose input never ends.
	Endless Endless
}

// Ending is how a stream ends.
type Ending uint8

// The endings.
const (
	Complete   Ending = iota
	Overloaded        // with an error after the last block
	Cut               // the connection breaks after the last block
	Hang              // nothing comes after the last block
)

// Endless is what never ends.
type Endless uint8

// The kinds of endless answer.
const (
	Finite Endless = iota
	Deltas         // pieces of one input
	Line           // one event
	Calls          // calls
)

// Say is a reply with a text.
func Say(text string) Reply { return Reply{Blocks: []model.Block{model.TextBlock(text)}} }

// Call is a block that calls a tool with an input that is written out as it is.
func Call(id, name, input string) model.Block {
	return model.Block{Kind: model.ToolUse, ID: id, Name: name, Input: []byte(input)}
}

// Fail is a reply that is an error.
func Fail(status int, message string) Reply { return Reply{Status: status, Message: message} }

func (r Reply) stop() string {
	if r.Stop != "" {
		return r.Stop
	}
	for _, b := range r.Blocks {
		if b.Kind == model.ToolUse {
			return "tool_use"
		}
	}
	return "end_turn"
}

// pieces cuts a text into parts of three characters.
func pieces(text string) []string {
	var out []string
	runes := []rune(text)
	for len(runes) > 3 {
		out = append(out, string(runes[:3]))
		runes = runes[3:]
	}
	return append(out, string(runes))
}

// filler is a piece of an answer that never ends.
var filler = strings.Repeat("x", 64<<10)
