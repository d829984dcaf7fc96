package agent

import (
	"context"
	"errors"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// classifier is who judges in auto mode: the one of the configuration, or the built-in.
func (a *Agent) classifier() classify.Classifier {
	if a.config.Classifier != nil {
		return a.config.Classifier
	}
	return classify.Builtin{Links: a.config.Links}
}

// classifies is the classifier as a participant of the race.
func (a *Agent) classifies(m *matter) permission.Candidate {
	return classify.Candidate(a.classifier(), classify.Question{
		Call: m.judged.Call, Decision: m.judged.Decision, Input: m.judged.Input, Context: m.snapshot, Conversation: a.conversation,
	}, a.root().breaker)
}

// heed draws the consequences of an answer for auto mode: a person's yes closes the
// circuit breaker, and a person is told why the question has come to them.
func (a *Agent) heed(m *matter) {
	if m.resolution.Trust == permission.TrustPerson && m.resolution.Answer.Behavior == permission.Allow {
		a.root().breaker.Approved()
	}
	for _, l := range m.resolution.Losers {
		if open, ok := errors.AsType[*classify.OpenError](l.Err); ok {
			a.warn("%s", open.Error())
		}
	}
}

// appeal tells the PermissionDenied hooks that the classifier has refused a call. One
// that thinks otherwise lets the model try again.
func (r *run) appeal(ctx context.Context, m *matter, o outcome) outcome {
	if m.resolution.Trust != permission.TrustClassifier || m.resolution.Winner == "" {
		return o
	}
	input := hook.PermissionDeniedInput{
		Base: r.base(), ToolName: m.Name, ToolInput: m.judged.Input, ToolUseID: m.ID, Reason: m.resolution.Answer.Message,
	}
	verdict := r.hooks(outlive(ctx), hook.Occasion{Input: input, ToolUseID: m.ID, Call: m.judged.Call})
	o.context = append(o.context, verdict.Context...)
	if verdict.Retry {
		const again = "A hook says that the refused call may be tried again."
		r.tell(&wire.User{Content: []model.Block{model.TextBlock(again)}, Synthetic: true})
		o.context = append(o.context, again)
	}
	return o
}
