package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// classifier is who judges in auto mode: the one of the configuration, or the built-in.
func (a *Agent) classifier() classify.Classifier {
	if a.config.Classifier != nil {
		return a.config.Classifier
	}
	return classify.Builtin{Links: a.config.Links}
}

// classifies is the classifier as a participant of the race. Sub-agents share the
// breaker of the agent that started them all: who has been refused too often does not
// begin anew by handing the work on.
func (a *Agent) classifies(m *matter) permission.Candidate {
	c := classify.Candidate(a.classifier(), classify.Question{
		Call: m.judged.Call, Decision: m.judged.Decision, Input: m.judged.Input, Context: m.snapshot, Conversation: a.testimony(),
	}, a.root().breaker)
	ask := c.Ask
	c.Ask = func(ctx context.Context, q permission.Question) (permission.Answer, error) {
		answer, err := ask(ctx, q)
		if now := a.engine.Decide(a.context(), q.Call); err == nil && now.Behavior == permission.Ask && !now.Classify {
			return permission.Answer{}, errNotInCharge
		}
		if !errors.Is(ctx.Err(), context.Canceled) { // else the answer is not needed any more
			a.tellSilence(c.Name, err)
		}
		return answer, err
	}
	return c
}

// errNotInCharge: somebody has left auto mode, or wants to be asked, while the
// classifier was thinking.
var errNotInCharge = errors.New("the classifier does not judge this call any more")

// tellSilence says why the classifier does not answer, before anybody else is asked.
// That it leaves a call to the person is nothing to tell.
func (a *Agent) tellSilence(name string, err error) {
	open, isOpen := errors.AsType[*classify.OpenError](err)
	switch {
	case isOpen && (a.config.Asker == nil || a.context().NoPrompts()):
		a.warn("%s", open.Unasked())
	case isOpen:
		a.warn("%s", open.Error())
	case err == nil, errors.Is(err, classify.ErrNoOpinion), errors.Is(err, permission.ErrMayNot):
	default:
		a.warn("The %s gave no answer: %v.", name, err)
	}
}

// heed draws the consequences of an answer for auto mode: a person's yes to a call that
// the classifier may judge closes the circuit breaker. What has been counted is written
// down, so that a session is not more patient after a resume.
func (a *Agent) heed(m *matter) {
	if !m.judged.Decision.Classify {
		return
	}
	a = a.root() // sub-agents share its breaker
	if m.resolution.Trust == permission.TrustPerson && m.resolution.Answer.Behavior == permission.Allow {
		a.breaker.Approved()
	}
	a.keepCounts()
}

// keepCounts writes down what the breaker has counted, if that has changed.
func (a *Agent) keepCounts() {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.breaker.Counts()
	if now == a.counted {
		return
	}
	if err := a.config.Transcript.Append(session.Counted, now); err != nil {
		_ = a.giveUp(err)
		return
	}
	a.counted = now
}

// recount lets the breaker go on counting where an earlier process stood.
func (a *Agent) recount(raw strictjson.Raw) error {
	if raw == nil {
		return nil
	}
	var counts classify.Counts
	if err := strictjson.Unmarshal(raw, &counts); err != nil {
		return fmt.Errorf("what the session has counted of refusals cannot be read: %w", err)
	}
	a.breaker = classify.Restore(counts)
	a.counted = a.breaker.Counts()
	return nil
}

// refusal is what the classifier said against a call that was denied; empty if somebody
// else denied it. The refusal that opens the breaker is the person's to confirm, and
// stands if there is nobody.
func (m *matter) refusal() string {
	switch {
	case m.resolution.Winner != "" && m.resolution.Trust == permission.TrustClassifier:
		return m.resolution.Answer.Message
	case m.resolution.Winner != "":
		return ""
	}
	for _, l := range m.resolution.Losers {
		if open, ok := errors.AsType[*classify.OpenError](l.Err); ok && len(open.Reasons) > 0 {
			return l.Name + " refuses: " + strings.Join(open.Reasons, "; ")
		}
	}
	return ""
}

// appeal tells the PermissionDenied hooks that the classifier has refused a call. One
// that thinks otherwise lets the model try again.
func (r *run) appeal(ctx context.Context, m *matter, o outcome) outcome {
	reason := m.refusal()
	if reason == "" {
		return o
	}
	input := hook.PermissionDeniedInput{
		Base: r.base(), ToolName: m.Name, ToolInput: m.judged.Input, ToolUseID: m.ID, Reason: reason,
	}
	longer, over := outliving(ctx)
	defer over()
	verdict := r.hooks(longer, hook.Occasion{Input: input, ToolUseID: m.ID, Call: m.judged.Call})
	o.context = append(o.context, verdict.Context...)
	if verdict.Retry {
		again := fmt.Sprintf("A hook says that the refused call %s (%s %s) may be tried again.", m.ID, m.Name, clipped(m.judged.Input))
		r.tell(&wire.User{Content: []model.Block{model.TextBlock(again)}, Synthetic: true})
		o.context = append(o.context, again)
	}
	return o
}

// mostShown is how much of an input stands in a sentence about it.
const mostShown = 200

// clipped is an input, or its beginning: enough to tell calls apart.
func clipped(input strictjson.Raw) string {
	if len(input) <= mostShown {
		return string(input)
	}
	return strings.ToValidUTF8(string(input[:mostShown]), "") + "…"
}
