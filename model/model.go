// Package model asks language models for their next turn.
//
// A [Provider] is one way to reach a model: the Anthropic Messages API, an
// OpenAI-compatible server, or a script that plays prepared turns. Package
// provider chooses one by name and environment; [Retry] makes one patient.
//
// A conversation is kept in the form of the Messages API, because that is what a
// host sees and what a transcript keeps. A provider that speaks another language
// translates. What the model wrote is passed on as it came: two providers never
// differ in what a tool would be given.
package model

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Provider is a way to reach a model. It is safe for concurrent use.
type Provider interface {
	// Name tells a person which one it is: "anthropic".
	Name() string
	// Ask sends a conversation and returns the model's turn. on is told what happens
	// meanwhile, in order and never after Ask has returned; nil means nobody. The
	// error is an *Error, or that of the context.
	Ask(ctx context.Context, r Request, on func(Event)) (Turn, error)
}

// Request is what a model is asked.
type Request struct {
	Model    string
	System   string
	Messages []Message
	Tools    []Tool
	// MaxTokens is how much the model may answer; zero means the provider's default.
	MaxTokens int
	// Partial: somebody wants a [Delta] for every piece of the answer.
	Partial bool
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string
	Description string
	Schema      strictjson.Raw
}

// Role is who said something.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one side's contribution.
type Message struct {
	Role    Role    `json:"role"`
	Content []Block `json:"content"`
}

// Turn is what the model answered.
type Turn struct {
	ID      string
	Model   string
	Content []Block
	// StopReason is "end_turn", "tool_use", "max_tokens", "stop_sequence" or "refusal".
	StopReason   string
	StopSequence string
	Usage        Usage
}

// Usage is what a turn cost, in tokens.
type Usage struct {
	InputTokens              int `json:"input_tokens"`
	OutputTokens             int `json:"output_tokens"`
	CacheCreationInputTokens int `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int `json:"cache_read_input_tokens"`
}

// Add returns the sum.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:              u.InputTokens + v.InputTokens,
		OutputTokens:             u.OutputTokens + v.OutputTokens,
		CacheCreationInputTokens: u.CacheCreationInputTokens + v.CacheCreationInputTokens,
		CacheReadInputTokens:     u.CacheReadInputTokens + v.CacheReadInputTokens,
	}
}

// Event is something that happens while a model answers: a [Delta] or a
// [RetryEvent].
type Event interface{ event() }

// Delta is a piece of the answer: one event of the stream, as the Messages API
// writes it.
type Delta struct{ JSON strictjson.Raw }

// RetryEvent is a failure that is going to be tried again.
type RetryEvent struct {
	Attempt, Max int // from 1
	Delay        time.Duration
	Err          *Error
}

func (Delta) event()      {}
func (RetryEvent) event() {}
