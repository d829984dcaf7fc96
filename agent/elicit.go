package agent

import (
	"context"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/wire"
)

// Elicitor answers the questions of MCP servers: a host, or a person at a terminal.
// Never the model: a server asks because it wants a person's word.
type Elicitor interface {
	// Elicit returns when there is an answer or the context ends. An error is no answer.
	// What the server says may be made to deceive: show it with what cannot be seen made
	// visible, and say which server asks.
	Elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error)
}

// HostElicitor puts the questions of servers to the host that drives the agent.
type HostElicitor struct {
	Host *wire.Host
	// Listens says whether the host answers requests at all. One that only sends prompts
	// would let the question wait for ever; it has declined. Nil means that it does.
	Listens func() bool
}

var _ Elicitor = HostElicitor{}

// Elicit asks the host; see [wire.Host.Elicit].
func (h HostElicitor) Elicit(ctx context.Context, q mcp.Elicitation) (mcp.Answer, error) {
	if h.Listens != nil && !h.Listens() {
		return mcp.Answer{}, nil
	}
	request := wire.Elicitation{Server: q.Server, Message: q.Message, Mode: "form", RequestedSchema: q.Schema}
	if q.URL != "" {
		request.Mode, request.URL, request.ElicitationID = "url", q.URL, q.ID
	}
	answer, err := h.Host.Elicit(ctx, request)
	if err != nil {
		return mcp.Answer{}, err
	}
	switch answer.Action {
	case "accept":
		return mcp.Answer{Action: mcp.Accept, Content: answer.Content}, nil
	case "cancel":
		return mcp.Answer{Action: mcp.Dismiss}, nil
	}
	return mcp.Answer{}, nil
}
