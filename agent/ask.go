package agent

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/wire"
)

// Asker is somebody who can be asked: a host, a person at a terminal.
type Asker interface {
	// Name says who answers, for the record: "host".
	Name() string
	// Ask returns when there is an answer or the context ends. An error is no answer, but an
	// [*wire.Undecided] denies a call that does not wait already.
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
	// HeldBack says for the destinations among them whose files permit nothing why that is
	// so: what is written there holds for this session only.
	HeldBack map[rule.Source]string
	// BlockedPath is the path that needs permission, if that is why a command asks, with
	// what is not known of it as people write it.
	BlockedPath string
	// Unsettled are the parts of a command that no rule allows.
	Unsettled []permission.Part
}

// resolve puts a call to everybody who may answer; the first answer counts.
func (a *Agent) resolve(ctx context.Context, m *matter) permission.Resolution {
	j := m.judged
	q := Question{Tool: m.Name, ToolUseID: m.ID, AgentID: a.base().AgentID, Input: j.Input, Decision: j.Decision}
	if j.Call != nil {
		q.Suggestions = a.engine.Suggest(m.snapshot, j.Call, j.Decision)
		q.HeldBack = a.heldBackAmong(q.Suggestions)
		if j.Call.Script() != nil {
			q.BlockedPath = j.Decision.Reason.LegiblePath()
			q.Unsettled = a.engine.Unsettled(m.snapshot, j.Call)
		}
	}
	decided := make(chan permission.Resolution, 1)
	race, over := context.WithCancel(ctx)
	defer over()
	var candidates []permission.Candidate
	if j.Err == nil && a.hooksAnswer() {
		candidates = append(candidates, permission.Candidate{Name: "hook", Trust: permission.TrustHook, Ask: a.askHooks(race, q, m)})
	}
	if j.Decision.Classify {
		candidates = append(candidates, a.classifies(m))
	}
	silent := m.snapshot.NoPrompts()
	if asker := a.config.Asker; asker != nil && !silent {
		a.notify(race, q)
		candidates = append(candidates, permission.Candidate{
			Name: asker.Name(), Trust: permission.TrustPerson,
			Ask: func(ctx context.Context, _ permission.Question) (permission.Answer, error) {
				open, over := whileOpen(ctx, decided)
				defer over()
				return m.take(asker.Ask(open, q))
			},
		})
	}
	resolution := permission.Resolver{Candidates: candidates}.Resolve(race, permission.Question{Call: j.Call, Decision: j.Decision})
	if silent && resolution.Winner == "" {
		resolution.Answer.Message = permission.NobodyAsked
	}
	decided <- resolution
	return resolution
}

// take is the answer of the asker: no decision denies a call, unless it waits
// already, and waits on.
func (m *matter) take(answer permission.Answer, err error) (permission.Answer, error) {
	if none, ok := errors.AsType[*wire.Undecided](err); ok && m.parked == nil {
		return permission.Answer{Behavior: permission.Deny, Message: none.Text}, nil
	}
	return answer, err
}

// Overtaken is why the context of a question has ended: somebody else has answered.
type Overtaken struct {
	By       string
	Behavior permission.Behavior
}

func (o *Overtaken) Error() string {
	if o.Behavior == permission.Allow {
		return "allowed by the " + o.By
	}
	return "denied by the " + o.By
}

// whileOpen is the context of somebody who is asked. Its cause says who was faster; a race
// is decided as soon as its context ends.
func whileOpen(ctx context.Context, decided <-chan permission.Resolution) (open context.Context, over func()) {
	open, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if r := <-decided; r.Winner != "" {
			cancel(&Overtaken{By: r.Winner, Behavior: r.Answer.Behavior})
			return
		}
		cancel(context.Cause(ctx))
	})
	return open, func() {
		stop()
		cancel(nil)
	}
}

// heldBackAmong says which destinations of updates are held back, and why.
func (a *Agent) heldBackAmong(updates []permission.Update) map[rule.Source]string {
	var all map[rule.Source]string
	for _, u := range updates {
		if why := a.heldBack(u.Destination); why != "" {
			if all == nil {
				all = map[rule.Source]string{}
			}
			all[u.Destination] = why
		}
	}
	return all
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
		longer, over := outliving(race)
		defer over()
		verdict := a.hooks(longer, hook.Occasion{Input: input, Call: call})
		m.answering = append(m.answering, verdict.Runs...)
		said <- verdict
	})
	return func(ctx context.Context, _ permission.Question) (permission.Answer, error) {
		select {
		case verdict := <-said:
			switch {
			case verdict.Gone && m.parked != nil:
				return permission.Answer{}, hook.ErrGone // whatever that means for a call that is new
			case verdict.Answer == nil:
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

// outliving is a context that ends a little after another, or with over: whoever calls
// that when it is done leaves nothing behind with the other.
func outliving(ctx context.Context) (longer context.Context, over func()) {
	longer, cancel := context.WithCancel(wire.Apart(context.WithoutCancel(ctx)))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

// outlive is outliving for the few things that a prompt does seldom.
func outlive(ctx context.Context) context.Context {
	longer, _ := outliving(ctx)
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
