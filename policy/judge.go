package policy

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Judgement is a decision with everything that led to it, so that it can be
// explained and tried out under other rules.
type Judgement struct {
	Request  permission.Request
	Decision permission.Decision
	// Call is the validated call; nil when the input is invalid.
	Call *permission.Call
	// Suggestions are the updates that "always allow" would make.
	Suggestions []permission.Update

	env    *environment
	engine *permission.Engine
	links  permission.Links
}

// judge decides one call. The error is [permission.ErrNoSuchTool] or one that says
// what is wrong with the request; an input that the tool refuses is a judgement.
func (e *environment) judge(tools permission.Tools, links permission.Links, req permission.Request) (*Judgement, error) {
	engine := permission.NewEngine(tools, links)
	j := &Judgement{Request: req, env: e, engine: engine, links: links}
	call, err := engine.Validate(e.context, req)
	if invalid, ok := errors.AsType[*permission.InvalidError](err); ok {
		j.Decision = permission.Invalid(e.context, invalid).Unasked(e.context)
		return j, nil
	}
	if fault, ok := errors.AsType[*permission.FaultError](err); ok {
		j.Decision = permission.Failed(fault)
		return j, nil
	}
	if err != nil {
		return nil, err
	}
	if call.Hook.Behavior == 0 {
		call.Hook = e.heldBackVerdict(call)
	}
	j.Decision = engine.Decide(e.context, call)
	if j.Decision.Reason.Kind == permission.ByFault {
		return j, nil // what cannot be judged cannot be taken apart either
	}
	j.Call = call
	j.Suggestions = engine.Suggest(e.context, call, j.Decision)
	j.Decision = j.Decision.Unasked(e.context)
	return j, nil
}

// under decides the same call in another environment.
func (j *Judgement) under(e *environment) permission.Decision {
	call := *j.Call
	if j.Request.Hook.Behavior == 0 {
		call.Hook = e.heldBackVerdict(j.Call)
	}
	return j.engine.Decide(e.context, &call).Unasked(e.context)
}

// RuleRef names a rule and the place where it was written.
type RuleRef struct {
	Text     string `json:"text"`
	Behavior string `json:"behavior"`
	Source   string `json:"source"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitzero"`
	// Malformed: it cannot be read and stands in as "ask for that tool".
	Malformed bool `json:"malformed,omitzero"`
}

func refer(r *rule.Rule) *RuleRef {
	if r == nil {
		return nil
	}
	return &RuleRef{
		Text: WellFormed(r.Text), Behavior: r.Behavior.String(), Source: r.Origin.Source.String(),
		File: WellFormed(r.Origin.File), Line: r.Origin.Line, Malformed: r.Quarantined,
	}
}

// Place is "FILE:LINE", or the source for a rule that stands in no file.
func (r *RuleRef) Place() string {
	if r.File == "" {
		return r.Source
	}
	return fileLine(r.File, r.Line)
}

func fileLine(file string, line int) string {
	if line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
