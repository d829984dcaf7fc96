package wire

import (
	"context"
	"errors"
	"strings"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// CanUseTool is the question whether a call may run.
type CanUseTool struct {
	Subtype        string              `json:"subtype"` // filled in
	ToolName       string              `json:"tool_name"`
	Input          strictjson.Raw      `json:"input"`
	ToolUseID      string              `json:"tool_use_id"`
	AgentID        string              `json:"agent_id,omitzero"`
	Suggestions    []permission.Update `json:"permission_suggestions,omitzero"`
	DecisionReason string              `json:"decision_reason,omitzero"`
	BlockedPath    string              `json:"blocked_path,omitzero"`
}

// CanUseTool asks the host about a call. A host that answers with an error, or with
// something that is no decision, has denied it; the text says so. One that is gone has
// said nothing: that is an error. Notes are what was ignored in the answer.
func (h *Host) CanUseTool(ctx context.Context, q CanUseTool) (answer permission.Answer, notes []string, err error) {
	q.Subtype = "can_use_tool"
	if strictjson.Valid(q.Input) != nil {
		q.Input = strictjson.Raw("{}") // the reason says what is wrong with it
	}
	body, err := h.Ask(ctx, q)
	if ctx.Err() != nil {
		return permission.Answer{}, nil, ctx.Err()
	}
	if failed, ok := errors.AsType[*HostError](err); ok {
		return denial("The host could not decide: " + failed.Text), nil, nil
	}
	if err != nil {
		return permission.Answer{}, nil, err
	}
	answer, notes = ReadAnswer(body)
	return answer, notes, nil
}

func denial(text string) permission.Answer {
	return permission.Answer{Behavior: permission.Deny, Message: text}
}

// decisionJSON is the answer of a host.
type decisionJSON struct {
	Behavior           string         `json:"behavior"`
	UpdatedInput       strictjson.Raw `json:"updatedInput"`
	UpdatedPermissions strictjson.Raw `json:"updatedPermissions"`
	Message            string         `json:"message"`
	Interrupt          bool           `json:"interrupt"`
}

// ReadAnswer reads a decision of the host. Whatever is none is a denial that carries the
// text.
func ReadAnswer(body strictjson.Raw) (permission.Answer, []string) {
	return ReadAnswerOf("the host", body)
}

// ReadAnswerOf is ReadAnswer for somebody else who answers, as a denial names them.
func ReadAnswerOf(who string, body strictjson.Raw) (permission.Answer, []string) {
	var d decisionJSON
	if err := strictjson.Unmarshal(body, &d); err != nil {
		return noDecision(who, body), nil
	}
	updates, notes := hook.ReadUpdates(d.UpdatedPermissions)
	switch d.Behavior {
	case "allow":
		if string(d.UpdatedInput) == "null" {
			d.UpdatedInput = nil
		}
		return permission.Answer{Behavior: permission.Allow, UpdatedInput: d.UpdatedInput, Updates: updates, Answered: true}, notes
	case "deny":
		return permission.Answer{Behavior: permission.Deny, Message: d.Message, Updates: updates, Interrupt: d.Interrupt}, notes
	}
	return noDecision(who, body), nil
}

func noDecision(who string, body strictjson.Raw) permission.Answer {
	return denial("The answer of " + who + " is no decision: " + excerpt(body))
}

func excerpt(body strictjson.Raw) string {
	const limit = 500
	if len(body) > limit {
		return strings.ToValidUTF8(string(body[:limit]), "") + "…"
	}
	return string(body)
}
