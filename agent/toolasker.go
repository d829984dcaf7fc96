package agent

import (
	"context"
	"errors"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
	"github.com/assent-dev/assent/wire"
)

// ToolAsker puts questions to a tool, mostly one of an MCP server. The tool itself is not
// judged: who starts the session names it.
type ToolAsker struct {
	Tool tool.Runner
	// Note is told what was ignored in an answer; nil means nobody.
	Note func(text string)
}

// Name is that of the tool.
func (t ToolAsker) Name() string { return t.Tool.Name() }

// Ask calls the tool with the call in question; its text is the decision. A tool that
// fails has said nothing, and a text that is no decision is a [*wire.Undecided].
func (t ToolAsker) Ask(ctx context.Context, q Question) (permission.Answer, error) {
	input, err := strictjson.Marshal(struct {
		ToolName  string         `json:"tool_name"`
		Input     strictjson.Raw `json:"input"`
		ToolUseID string         `json:"tool_use_id"`
	}{q.Tool, q.Input, q.ToolUseID})
	if err != nil {
		return permission.Answer{}, err
	}
	result := runSafely(ctx, t.Tool, tool.Job{Input: input, ToolUseID: q.ToolUseID})
	if ctx.Err() != nil {
		return permission.Answer{}, ctx.Err()
	}
	if result.Outcome != tool.Succeeded {
		return permission.Answer{}, errors.New(result.Text)
	}
	answer, notes, err := wire.ReadAnswerOf("the tool "+t.Name(), []byte(result.Text))
	for _, n := range notes {
		if t.Note != nil {
			t.Note("the answer of " + t.Name() + ": " + n)
		}
	}
	return answer, err
}
