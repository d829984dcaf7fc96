package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// Unfinished: calls wait for an answer, or the model does, because the process before died
// in the middle of a prompt. Resume goes on there.
func (a *Agent) Unfinished() bool { return a.pending != nil || a.cut }

// Owes: the model has not answered what a conversation ends with, because the process that
// asked it died.
func Owes(c session.Conversation) bool {
	if !c.Cut || len(c.Messages) == 0 {
		return false
	}
	last := c.Messages[len(c.Messages)-1]
	return last.Role == model.User || openCalls(last, model.Message{}) != nil
}

// Resume goes on with the calls that wait: it looks for an answer to each, finishes those
// that have one, and when none waits any more lets the model go on. Its result is also
// the last message that is told. If followed, a prompt comes next: when nobody has
// answered, nothing is told and the result is nil, for the prompt takes their place.
func (a *Agent) Resume(ctx context.Context, followed bool) *wire.Result {
	return a.attempt(ctx, func(ctx context.Context, r *run) (ending, bool) {
		end := r.takeUp(ctx)
		return end, followed && end.kind == suspended && !r.progressed
	})
}

// takeUp looks at every call that waits.
func (r *run) takeUp(ctx context.Context) ending {
	if r.pending == nil { // a process died before the model could answer
		r.tellInit()
		return r.work(ctx)
	}
	r.catchUp(ctx)
	if unsure := r.unsure(); len(unsure) > 0 {
		return ending{kind: unresolved, text: unknownOutcome(r.config.Transcript.ID(), unsure)}
	}
	for _, c := range slices.Clone(r.pending.Calls) {
		if stopped(ctx) {
			break
		}
		if end, stop := r.takeUpCall(ctx, c); stop {
			return end
		}
	}
	switch {
	case len(r.pending.Calls) > 0 && (stopped(ctx) || r.cut):
		return ending{kind: interrupted, text: "interrupted"} // what waits still does
	case len(r.pending.Calls) > 0:
		return ending{kind: suspended}
	}
	answer := r.assemble(nil)
	r.pending = nil
	if err := r.remember(model.Message{Role: model.User, Content: answer}); err != nil {
		return broken(err)
	}
	crashpoint.Here("resume: told")
	r.tellInit()
	if end, stop := r.afterCalls(ctx); stop {
		return end
	}
	return r.work(ctx)
}

// catchUp tells the desk what it may not know, because the process that wrote it down
// died before it could tell.
func (r *run) catchUp(ctx context.Context) {
	if r.config.Desk == nil {
		return
	}
	for _, s := range r.pending.Settled {
		r.desked(s.ToolUseID, r.config.Desk.Settle(ctx, r.parkedCall(session.PendingCall{ToolUseID: s.ToolUseID}), !s.Result.IsError))
	}
	for _, c := range r.pending.Calls {
		if c.Stage == session.Unsure { // looking at it shows that nobody runs it any more
			_, err := r.config.Desk.Look(ctx, r.parkedCall(c))
			r.desked(c.ToolUseID, err)
		}
	}
}

// desked says that the desk could not be told something.
func (r *run) desked(id string, err error) {
	if err != nil {
		r.warn("The ticket of the call %s does not say what became of it: %v.", id, err)
	}
}

// unsure are the calls that somebody has begun.
func (r *run) unsure() []string {
	var list []string
	if r.pending == nil {
		return nil
	}
	for _, c := range r.pending.Calls {
		if c.Stage == session.Unsure {
			list = append(list, c.ToolUseID)
		}
	}
	return list
}

// takeUpCall looks for an answer to one call, and finishes it if there is one. stop is
// true when the session cannot go on.
func (r *run) takeUpCall(ctx context.Context, c session.PendingCall) (end ending, stop bool) {
	if c.Stage == session.Confirmed {
		return r.close(ctx, c, outcome{result: ranUnseen(c.ToolUseID)})
	}
	if _, there := r.tools.find(c.Tool); !there {
		return ending{kind: unavailable, text: fmt.Sprintf("the tool %s of the call that waits is not there any more: nothing was run, and the call still waits (start the session again with what offers the tool)", c.Tool)}, true
	}
	word, err := r.look(ctx, c)
	switch {
	case err != nil:
		return ending{kind: unresolved, text: fmt.Sprintf("what was said about the call %s cannot be read, so it is not run: %v", c.ToolUseID, err)}, true
	case word.Kind == OutcomeUnknown:
		return ending{kind: unresolved, text: unknownOutcome(r.config.Transcript.ID(), []string{c.ToolUseID})}, true
	}
	o := r.answerParked(ctx, c, word)
	switch {
	case o.unclaimed != nil:
		return ending{kind: unresolved, text: fmt.Sprintf("the call %s was not run: %v", c.ToolUseID, o.unclaimed)}, true
	case o.err != nil:
		return broken(o.err), true
	case o.waits != nil:
		return ending{}, false
	}
	return r.close(ctx, c, o)
}

// ranUnseen is the result of a call of which only a person knows that it ran.
func ranUnseen(id string) model.Block {
	const text = "A person has confirmed that this call ran. What it returned is lost: look at what it did before you go on."
	return model.Block{Kind: model.ToolResult, ToolUseID: id, Result: []model.Block{model.TextBlock(text)}}
}

// look is what was said about a call at the desk.
func (r *run) look(ctx context.Context, c session.PendingCall) (Word, error) {
	if r.config.Desk == nil {
		return Word{}, nil
	}
	return r.config.Desk.Look(ctx, r.parkedCall(c))
}

// answerParked puts a parked call through the pipeline once more, hooks first. What was
// said at the desk stands in for whoever would be asked.
func (r *run) answerParked(ctx context.Context, c session.PendingCall, word Word) outcome {
	m := &matter{call: call{ID: c.ToolUseID, Name: c.Tool, Input: c.Input, Sole: true}, parked: &c, word: word, started: time.Now()}
	m.input = withoutAnswers(m.call)
	r.judge(ctx, m)
	if word.Kind == No {
		m.resolution = word.resolution()
		return r.refuse(m, orElse(word.Message, "The call was denied."))
	}
	return r.settle(ctx, m, 0)
}

// close writes the result of a parked call down, and tells it.
func (r *run) close(ctx context.Context, c session.PendingCall, o outcome) (end ending, stop bool) {
	crashpoint.Here("resume: ran")
	settled := session.Settlement{ToolUseID: c.ToolUseID, Result: o.result, Context: o.context}
	if err := r.config.Transcript.Append(session.Settled, settled); err != nil {
		return broken(r.giveUp(err)), true
	}
	r.pending.Calls = slices.DeleteFunc(r.pending.Calls, func(other session.PendingCall) bool { return other.ToolUseID == c.ToolUseID })
	r.pending.Settled = append(r.pending.Settled, settled)
	r.progressed = true
	crashpoint.Here("resume: settled")
	r.sayAtDesk(ctx, c, o)
	crashpoint.Here("resume: ticket")
	if o.denied {
		r.denials = append(r.denials, wire.Denial{ToolName: c.Tool, ToolUseID: c.ToolUseID, ToolInput: c.Input})
	}
	r.cut = r.cut || o.cut
	if o.halt {
		r.root().halting.Store(true)
	}
	r.tellResult(o)
	return ending{}, false
}

// sayAtDesk tells the desk what became of a call. It is on record by now: a desk that
// cannot be told learns it later.
func (r *run) sayAtDesk(ctx context.Context, c session.PendingCall, o outcome) {
	if r.config.Desk == nil {
		return
	}
	var err error
	switch {
	case o.claim != nil:
		err = o.claim.Finish(outlive(ctx), !o.result.IsError)
	case o.result.IsError:
		err = r.config.Desk.Refuse(outlive(ctx), r.parkedCall(c), firstText(o.result))
	default:
		err = r.config.Desk.Settle(outlive(ctx), r.parkedCall(c), true)
	}
	r.desked(c.ToolUseID, err)
}

func firstText(b model.Block) string {
	if len(b.Result) == 0 {
		return ""
	}
	return b.Result[0].Text
}

// claim makes a parked call this process's own, and writes down that it is about to run.
// Whoever finds that without a result knows that nobody can tell whether it ran.
func (r *run) claim(ctx context.Context, m *matter) (Claim, error) {
	crashpoint.Here("resume: answered")
	var claim Claim
	if r.config.Desk != nil {
		var err error
		if claim, err = r.config.Desk.Claim(ctx, r.parkedCall(*m.parked)); err != nil {
			return nil, err
		}
	}
	crashpoint.Here("resume: claimed")
	if err := r.config.Transcript.Append(session.Began, session.Beginning{ToolUseID: m.ID, Input: m.judged.Input}); err != nil {
		return nil, r.giveUp(err)
	}
	crashpoint.Here("resume: begun")
	return claim, nil
}

// unclaimed is a parked call that must not be run: somebody else has claimed it, or what
// was approved is something else.
func (r *run) unclaimed(m *matter, why error) outcome {
	if err := r.Broken(); err != nil {
		return r.unrecorded(m, err)
	}
	if err := r.record(m, failed, "Not run: "+why.Error()); err != nil {
		return r.unrecorded(m, err)
	}
	return outcome{unclaimed: why}
}

// nobodyAnswered: nobody could answer the question about a parked call, so it waits on.
// What a hook has allowed and needs a person all the same is refused instead.
func (r *run) nobodyAnswered(m *matter) bool {
	return m.parked != nil && m.resolution.Winner == "" && m.judged.Verdict.Permission.Behavior != permission.Allow
}
