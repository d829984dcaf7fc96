package agent

import (
	"context"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// HostAsker puts questions to the host that drives the agent.
type HostAsker struct {
	Host *wire.Host
	// Note is told what was ignored in an answer; nil means nobody.
	Note func(text string)
}

// Name is "host".
func (HostAsker) Name() string { return "host" }

// Ask asks the host; see [wire.Host.CanUseTool].
func (h HostAsker) Ask(ctx context.Context, q Question) (permission.Answer, error) {
	answer, notes, err := h.Host.CanUseTool(ctx, wire.CanUseTool{
		ToolName: q.Tool, Input: q.Input, ToolUseID: q.ToolUseID, AgentID: q.AgentID,
		Suggestions: q.Suggestions, DecisionReason: q.Decision.Message(), BlockedPath: q.BlockedPath,
	})
	for _, n := range notes {
		if h.Note != nil {
			h.Note(n)
		}
	}
	return answer, err
}
