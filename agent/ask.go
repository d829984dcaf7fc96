package agent

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Asker is somebody who can be asked: a host, a person at a terminal.
type Asker interface {
	// Name says who answers, for the record: "host".
	Name() string
	// Ask returns when there is an answer or the context ends. An error is no answer.
	Ask(ctx context.Context, q Question) (permission.Answer, error)
}

// Question is a call about which somebody is asked.
type Question struct {
	Tool      string
	ToolUseID string
	AgentID   string
	// Input is what would run; for an invalid input what the model wrote.
	Input    strictjson.Raw
	Decision permission.Decision
	// Suggestions are the updates that "always allow" would make.
	Suggestions []permission.Update
	// BlockedPath is the path that needs permission, if that is why a command asks.
	BlockedPath string
}

// resolve puts a call to everybody who may answer; the first answer counts.
func (a *Agent) resolve(ctx context.Context, m *matter) permission.Resolution {
	j := m.judged
	q := Question{Tool: m.Name, ToolUseID: m.ID, AgentID: a.base().AgentID, Input: j.Input, Decision: j.Decision}
	if j.Call != nil {
		q.Suggestions = a.engine.Suggest(m.snapshot, j.Call, j.Decision)
		if j.Call.Script() != nil {
			q.BlockedPath = j.Decision.Reason.Path
		}
	}
	race, over := context.WithCancel(ctx)
	defer over()
	var candidates []permission.Candidate
	if j.Err == nil && a.hooksAnswer() {
		candidates = append(candidates, permission.Candidate{Name: "hook", Trust: permission.TrustHook, Ask: a.askHooks(race, q, m)})
	}
	if j.Decision.Classify {
		candidates = append(candidates, a.classifies(m))
	}
	if asker := a.config.Asker; asker != nil {
		a.notify(race, q)
		candidates = append(candidates, permission.Candidate{
			Name: asker.Name(), Trust: permission.TrustPerson,
			Ask: func(ctx context.Context, _ permission.Question) (permission.Answer, error) { return asker.Ask(ctx, q) },
		})
	}
	return permission.Resolver{Candidates: candidates}.Resolve(race, permission.Question{Call: j.Call, Decision: j.Decision})
}

// askHooks sets the PermissionRequest hooks off; what it returns waits for their answer.
func (a *Agent) askHooks(race context.Context, q Question, m *matter) func(context.Context, permission.Question) (permission.Answer, error) {
	input := hook.PermissionRequestInput{Base: a.base(), ToolName: q.Tool, ToolInput: q.Input}
	if suggestions, err := strictjson.Marshal(q.Suggestions); err == nil {
		input.PermissionSuggestions = suggestions
	}
	said := make(chan hook.Verdict, 1)
	call := m.judged.Call // an answer may put another one in its place while hooks still run
	m.asking.Go(func() {
		verdict := a.hooks(outlive(race), hook.Occasion{Input: input, Call: call})
		m.answering = append(m.answering, verdict.Runs...)
		said <- verdict
	})
	return func(ctx context.Context, _ permission.Question) (permission.Answer, error) {
		select {
		case verdict := <-said:
			if verdict.Answer == nil {
				return permission.Answer{}, errors.New("no hook had an answer")
			}
			return *verdict.Answer, nil
		case <-ctx.Done():
			return permission.Answer{}, ctx.Err()
		}
	}
}

// grace is how long a hook may go on after somebody else has answered: it may be in the
// middle of telling somebody about the question. What it says does not count any more.
const grace = 2 * time.Second

// outlive is a context that ends a little after another.
func outlive(ctx context.Context) context.Context {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer
}

// patience is how long a question may be open before somebody is called: a program
// answers at once, a person may be elsewhere.
const patience = 5 * time.Second

// notify tells Notification hooks that a question waits, if it still does after a while.
// Nobody waits for the hooks.
func (a *Agent) notify(ctx context.Context, q Question) {
	if a.runner.Load() == nil {
		return
	}
	a.background.Go(func() {
		select {
		case <-ctx.Done():
		case <-time.After(patience):
			input := hook.NotificationInput{Base: a.base(), Message: "Permission is needed to use " + q.Tool + ".", Title: "A question waits"}
			a.hooks(a.life, hook.Occasion{Input: input})
		}
	})
}
