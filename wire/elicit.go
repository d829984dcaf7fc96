package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Elicitation is the question of an MCP server to the person behind the host.
type Elicitation struct {
	Subtype string `json:"subtype"` // filled in
	Server  string `json:"mcp_server_name"`
	Message string `json:"message"`
	// Mode is "form" with a RequestedSchema, or "url" with a URL and an ElicitationID.
	Mode            string         `json:"mode"`
	URL             string         `json:"url,omitzero"`
	ElicitationID   string         `json:"elicitation_id,omitzero"`
	RequestedSchema strictjson.Raw `json:"requested_schema,omitzero"`
}

// ElicitationAnswer is what the host says.
type ElicitationAnswer struct {
	Action  string         `json:"action"` // accept, decline, cancel
	Content strictjson.Raw `json:"content"`
}

// Elicit puts a question to the host. A host that does not know the request, as it
// answers with an error, has declined; what is no answer is an error.
func (h *Host) Elicit(ctx context.Context, q Elicitation) (ElicitationAnswer, error) {
	q.Subtype = "elicitation"
	body, err := h.Ask(ctx, q)
	if _, refused := errors.AsType[*HostError](err); refused {
		return ElicitationAnswer{Action: "decline"}, nil
	}
	if err != nil {
		return ElicitationAnswer{}, err
	}
	var answer ElicitationAnswer
	if err := strictjson.Unmarshal(body, &answer); err != nil {
		return ElicitationAnswer{}, fmt.Errorf("the host's answer to the question of a server cannot be read: %w", err)
	}
	switch answer.Action {
	case "accept", "decline", "cancel":
		return answer, nil
	}
	return ElicitationAnswer{}, fmt.Errorf("the host answered the question of a server with %q (want accept, decline or cancel)", excerpt(strictjson.Raw(answer.Action)))
}

// ToolProgress is a sign of life of a call that takes its time.
type ToolProgress struct {
	ToolUseID, ToolName string
	ParentToolUseID     string
	ElapsedSeconds      float64
	// Done of Total, and Message, are what the tool says about it; Total is 0 when it is
	// not known.
	Done, Total float64
	Message     string
	Stamp
}

type toolProgressJSON struct {
	Type           string  `json:"type"`
	ToolUseID      string  `json:"tool_use_id"`
	ToolName       string  `json:"tool_name"`
	Parent         *string `json:"parent_tool_use_id"`
	ElapsedSeconds float64 `json:"elapsed_time_seconds"`
	Done           float64 `json:"progress,omitzero"`
	Total          float64 `json:"total,omitzero"`
	Message        string  `json:"message,omitzero"`
	SessionID      string  `json:"session_id"`
	UUID           string  `json:"uuid"`
}

func encodeToolProgress(m *ToolProgress) ([]byte, error) {
	return strictjson.Marshal(toolProgressJSON{
		Type: "tool_progress", ToolUseID: m.ToolUseID, ToolName: m.ToolName, Parent: orNull(m.ParentToolUseID), ElapsedSeconds: m.ElapsedSeconds,
		Done: m.Done, Total: m.Total, Message: m.Message, SessionID: m.SessionID, UUID: m.UUID,
	})
}
