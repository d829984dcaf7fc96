package policy

import (
	"context"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// ClassifierView is what auto mode makes of a call: what the built-in classifier says, or
// why no classifier is asked. A model is never asked here.
type ClassifierView struct {
	// Outcome is "approve", "refuse", "no opinion" or "not asked".
	Outcome string `json:"outcome"`
	// Risk is "low", "medium" or "high"; empty when it is not asked.
	Risk string `json:"risk,omitempty"`
	// Reasons are those of the verdict, or why it is not asked.
	Reasons []string `json:"reasons"`
	// Model judges in a session, in place of the built-in classifier and knowing what
	// that one says; ModelFrom is the file and line that names it.
	Model     string `json:"model,omitempty"`
	ModelFrom string `json:"modelFrom,omitempty"`
}

// classified is nil outside of auto mode.
func (j *Judgement) classified() *ClassifierView {
	if j.env.context.Mode() != permission.Auto {
		return nil
	}
	if why := j.notClassified(); why != "" {
		return &ClassifierView{Outcome: "not asked", Reasons: []string{WellFormed(why)}}
	}
	v, err := classify.Builtin{Links: j.resolver()}.Classify(context.Background(), classify.Question{
		Call: j.Call, Decision: j.Decision, Input: j.Request.Input, Context: j.env.context,
	})
	if err != nil {
		v.Reasons = []string{err.Error()}
	}
	view := &ClassifierView{Outcome: v.Outcome.String(), Risk: v.Risk.String(), Reasons: allWellFormed(v.Reasons)}
	if c := j.env.classifier; c.Name != "" && c.Name != settings.BuiltinClassifier {
		view.Model, view.ModelFrom = WellFormed(c.Name), WellFormed(fileLine(c.File.Path, c.Line))
	}
	return view
}

// notClassified is why no classifier is asked about the call, "" if one is.
func (j *Judgement) notClassified() string {
	d := j.Decision
	switch {
	case j.Call == nil:
		return "the input is invalid, and only an answer can mend it"
	case d.Behavior == permission.Allow || d.Behavior == permission.Deny:
		return "it is settled before: " + d.Reason.String()
	case d.NeedsPerson:
		return "it goes to a person every time: " + d.Reason.String()
	case !d.Classify:
		return "a person is to be asked: " + d.Reason.String()
	}
	return ""
}
