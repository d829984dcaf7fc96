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

// Undecided is the error of an asker that was asked about a call and has failed, or has said
// something that is no decision. It is no answer to a call that waits; a new one is denied
// with its text.
type Undecided struct{ Text string }

func (e *Undecided) Error() string { return e.Text }

// CouldNotDecide is the [Undecided] of a host that says why it has failed.
func CouldNotDecide(why string) *Undecided { return &Undecided{"The host could not decide: " + why} }

// CanUseTool asks the host about a call. The error is an [*Undecided] when the host answers
// with an error, or with something that is no decision, and another one when it is gone and
// has said nothing. Notes are what was ignored in the answer.
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
		return permission.Answer{}, nil, CouldNotDecide(failed.Text)
	}
	if err != nil {
		return permission.Answer{}, nil, err
	}
	return ReadAnswer(body)
}

// decisionJSON is the answer of a host.
type decisionJSON struct {
	Behavior           string         `json:"behavior"`
	UpdatedInput       strictjson.Raw `json:"updatedInput"`
	UpdatedPermissions strictjson.Raw `json:"updatedPermissions"`
	Message            string         `json:"message"`
	Interrupt          bool           `json:"interrupt"`
}

// ReadAnswer reads a decision of the host. Whatever is none is an [*Undecided] that carries
// the text.
func ReadAnswer(body strictjson.Raw) (permission.Answer, []string, error) {
	return ReadAnswerOf("the host", body)
}

// ReadAnswerOf is ReadAnswer for another one who answers, as the error names them.
func ReadAnswerOf(who string, body strictjson.Raw) (answer permission.Answer, notes []string, err error) {
	var d decisionJSON
	if err := strictjson.Unmarshal(body, &d); err != nil {
		return permission.Answer{}, nil, noDecision(who, body)
	}
	updates, notes := hook.ReadUpdates(d.UpdatedPermissions)
	switch d.Behavior {
	case "allow":
		if string(d.UpdatedInput) == "null" {
			d.UpdatedInput = nil
		}
		return permission.Answer{Behavior: permission.Allow, UpdatedInput: d.UpdatedInput, Updates: updates, Answered: true}, notes, nil
	case "deny":
		return permission.Answer{Behavior: permission.Deny, Message: d.Message, Updates: updates, Interrupt: d.Interrupt}, notes, nil
	}
	return permission.Answer{}, nil, noDecision(who, body)
}

func noDecision(who string, body strictjson.Raw) *Undecided {
	return &Undecided{"The answer of " + who + " is no decision: " + excerpt(body)}
}

func excerpt(body strictjson.Raw) string {
	const limit = 500
	if len(body) > limit {
		return strings.ToValidUTF8(string(body[:limit]), "") + "…"
	}
	return string(body)
}
