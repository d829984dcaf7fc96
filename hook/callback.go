package hook

import (
	"context"
	"fmt"
)

// Callback is a hook of a host that drives the agent over the control protocol: the
// host registered it under an id.
type Callback struct {
	ID string
	// Send gives the host the input and returns its answer, both JSON objects; no
	// answer at all is no opinion. It returns when its context ends.
	Send func(ctx context.Context, id string, input []byte, toolUseID string) ([]byte, error)
}

// Name is the id.
func (c Callback) Name() string { return oneLine("callback " + c.ID) }

// Key is empty: every registration is told.
func (c Callback) Key() string { return "" }

// Handle asks the host.
func (c Callback) Handle(ctx context.Context, call Invocation) Reply {
	switch {
	case c.ID == "":
		return failed(CannotStart, "the callback has no id: the host must register it under one")
	case c.Send == nil:
		return failed(CannotStart, "there is no host to call back")
	}
	text, reply := callOut(ctx, func() ([]byte, error) { return c.Send(ctx, c.ID, call.JSON, call.ToolUseID) })
	switch {
	case reply.Failure != nil:
	case len(text) > MaxOutput:
		reply.Failure = &Failure{Kind: TooMuch, Text: fmt.Sprintf("the answer has more than %d bytes", MaxOutput)}
	default:
		reply.Text, reply.JSONOnly = text, true
	}
	return reply
}
