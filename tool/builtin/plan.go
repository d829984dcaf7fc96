package builtin

import (
	"context"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// enterPlanTool puts the session into plan mode, in which nothing is changed.
type enterPlanTool struct{ base }

func newEnterPlanMode() *enterPlanTool { return &enterPlanTool{newBase("EnterPlanMode")} }

func (*enterPlanTool) Order(*permission.Call) tool.Order { return tool.Alone }

func (*enterPlanTool) Run(context.Context, tool.Job) tool.Result {
	const text = "The session is in plan mode now: look around and make a plan, but change nothing. " +
		"When the plan stands, call ExitPlanMode with it, so that a person can approve it."
	result := tool.Succeed(text)
	result.Mode = permission.Plan
	result.Data = data(struct {
		Message string `json:"message"`
	}{text})
	return result
}

// exitPlanTool ends plan mode. It only runs once a person has approved the plan: the
// approval is the permission to call it.
type exitPlanTool struct{ base }

func newExitPlanMode() *exitPlanTool { return &exitPlanTool{newBase("ExitPlanMode")} }

func (*exitPlanTool) Order(*permission.Call) tool.Order { return tool.Alone }

// Run goes back to the default mode. Who remembers what mode the session was in
// before may go back to that one instead.
func (*exitPlanTool) Run(_ context.Context, job tool.Job) tool.Result {
	plan := arguments(job.Call.Input).text("plan")
	text := "The plan was approved. Plan mode has ended: carry the plan out now, step by step."
	if strings.TrimSpace(plan) != "" {
		text += "\n\nThe approved plan:\n\n" + plan
	}
	result := tool.Succeed(text)
	result.Mode = permission.Default
	result.Data = data(struct {
		Plan    string `json:"plan"`
		IsAgent bool   `json:"isAgent"`
		File    string `json:"filePath,omitzero"`
	}{Plan: plan, File: arguments(job.Call.Input).text("planFilePath")})
	return result
}

// data is a result for programs. What the tools make of their own types can always
// be written; should that ever fail, the text stands in for it.
func data(v any) strictjson.Raw {
	out, err := strictjson.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}
