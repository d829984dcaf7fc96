package hook

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// Pipeline is the way of a tool call up to its decision: validation, PreToolUse
// hooks, rules and checks. The question that may come out of it is somebody else's
// to answer.
type Pipeline struct {
	Engine *permission.Engine
	Hooks  *Runner // nil means no hooks
}

// Judgement is what became of a call.
type Judgement struct {
	Decision permission.Decision
	// Call is what would run: the call after all changes by hooks. It is nil when
	// the input is invalid or there is no such tool.
	Call *permission.Call
	// Input is its input as JSON.
	Input []byte
	// Verdict is what the hooks said; zero when they were not asked.
	Verdict Verdict
	// Err is [permission.ErrNoSuchTool] or a [*permission.InvalidError]; such a call
	// never reaches the hooks.
	Err error
}

// Judge decides a call. base is what every hook is told; its permission mode, agent
// and directory are filled in where they are empty; a verdict in req is ignored. Hooks
// judge what the model asked for, the rules judge what they made of it.
func (p Pipeline) Judge(ctx context.Context, snapshot *permission.Context, req permission.Request, base Base, toolUseID string) Judgement {
	call, err := p.find(snapshot, req)
	if err != nil {
		return refused(snapshot, req, err)
	}
	base = complete(base, snapshot, req)
	occasion := Occasion{
		Input:     PreToolUseInput{Base: base, ToolName: req.Tool, ToolInput: req.Input, ToolUseID: toolUseID},
		ToolUseID: toolUseID, Call: call, Cwd: base.Cwd,
	}
	final := req.Input
	verdict := p.Hooks.run(ctx, occasion, func(v *Verdict) {
		if v.Input == nil {
			return
		}
		changed := req
		changed.Input = v.Input
		if next, err := p.Engine.Validate(snapshot, changed); err != nil {
			v.refuseInput(err)
		} else {
			call, final = next, v.Input
		}
	})
	call.Hook = verdict.Permission
	return Judgement{Decision: p.Engine.Decide(snapshot, call), Call: call, Input: final, Verdict: verdict}
}

// find looks the tool up and validates its input. A tool that a rule has removed is as
// good as none, whatever its input: no hook is told.
func (p Pipeline) find(snapshot *permission.Context, req permission.Request) (*permission.Call, error) {
	if by := snapshot.Removed(req.Tool); by != nil {
		return nil, fmt.Errorf("%w: %s (the deny rule %s in %s removes it)", permission.ErrNoSuchTool, req.Tool, oneLine(by.Text), orElse(whereabouts(by.Origin), "this session"))
	}
	return p.Engine.Validate(snapshot, req)
}

// refused is the judgement on what is no call at all.
func refused(snapshot *permission.Context, req permission.Request, err error) Judgement {
	j := Judgement{Input: req.Input, Err: err}
	if invalid, ok := errors.AsType[*permission.InvalidError](err); ok {
		j.Decision = permission.Invalid(snapshot, invalid)
		return j
	}
	reason := permission.Reason{Kind: permission.ByTool, Detail: err.Error()}
	j.Decision = permission.Decision{Behavior: permission.Deny, Stage: permission.StageValidate, Reason: reason}
	j.Decision.Trace[0] = permission.Step{Stage: permission.StageValidate, Outcome: permission.Deny, Reason: reason}
	return j
}

func complete(base Base, snapshot *permission.Context, req permission.Request) Base {
	if base.PermissionMode == "" {
		mode := snapshot
		for mode.Parent() != nil { // a sub-agent decides like the agent that started it
			mode = mode.Parent()
		}
		base.PermissionMode = mode.Mode().String()
	}
	base.AgentID = orElse(base.AgentID, req.AgentID)
	base.Cwd = orElse(base.Cwd, orElse(req.Cwd, snapshot.Cwd()))
	return base
}

// refuseInput turns a verdict whose changed input is invalid into a denial: the hooks
// that changed it are broken. Nobody knows what they meant to run, so it is denied
// also where a failure would mean "allow".
func (v *Verdict) refuseInput(err error) {
	var names []string
	for _, c := range v.Changes {
		names = append(names, c.Hook)
	}
	why := "the input it made is invalid: " + err.Error()
	reason := strings.Join(names, ", ") + ": " + why
	for i := range v.Runs {
		if run := &v.Runs[i]; run.Changed != nil {
			run.Outcome, run.Decision, run.Reason = Broken, permission.Pass, "hook broken: "+run.Hook+": "+why
			run.Notes = append(run.Notes, why)
			run.Changed = nil
		}
	}
	v.Denials = append(v.Denials, "hook broken: "+reason)
	v.Permission = permission.Verdict{Behavior: permission.Deny, Broken: true, Reason: reason}
	v.Input, v.Changes, v.Announce = nil, nil, false
}
