package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// maxLooks is how often a call is looked at whose answer changes under way.
const maxLooks = 4

// takeUpCall looks for an answer to one call, unless somebody has, and finishes it if there is
// one: nothing is done after a word that does not hold any more. The end is zero then; else it
// says why the call waits on.
func (r *run) takeUpCall(ctx context.Context, c session.PendingCall, heard hearsay) ending {
	if c.Stage == session.Confirmed {
		return r.close(ctx, c, outcome{result: ranUnseen(c.ToolUseID)})
	}
	for i := range maxLooks {
		if i > 0 || heard.word == nil {
			word, err := r.look(ctx, c)
			heard = hearsay{&word, err}
		}
		word, err := *heard.word, heard.err
		if i > 0 && err == nil {
			r.warnOvertaken(c, word)
		}
		_, there := r.tools.find(c.Tool)
		switch {
		case err != nil:
			return ending{kind: unresolved, text: fmt.Sprintf("what was said about the call %s cannot be relied on, so it is not run: %v", c.ToolUseID, err)}.because(c.ToolUseID, err)
		case word.Kind == OutcomeUnknown:
			return unknownOutcome(r.config.Transcript.ID(), c.ToolUseID)
		case !there && word.Kind != No && word.Kind != Ended:
			return ending{kind: unavailable, text: fmt.Sprintf("the tool %s of the call that waits is not there any more: nothing was run, and the call still waits (start the session again with what offers the tool, or deny the call)", c.Tool)}.because(c.ToolUseID, ErrToolGone)
		}
		o := r.answerParked(ctx, c, word)
		switch {
		case errors.Is(o.unclaimed, ErrAnswered):
			continue
		case o.unclaimed != nil:
			return ending{kind: unresolved, text: fmt.Sprintf("the call %s was not run: %v", c.ToolUseID, o.unclaimed)}.because(c.ToolUseID, o.unclaimed)
		case o.err != nil:
			return broken(o.err)
		case o.waits != nil:
			return o.stays.and(ending{kind: suspended})
		}
		return r.close(ctx, c, o)
	}
	return ending{kind: unresolved, text: fmt.Sprintf("the call %s was not run: the answer about it changed each time when it was to run", c.ToolUseID)}.because(c.ToolUseID, ErrAnswered)
}

// warnOvertaken says what counts in place of what was decided here about a call: somebody
// has answered it elsewhere meanwhile. Whoever was asked here has seen another input, or
// has said something else.
func (r *run) warnOvertaken(c session.PendingCall, word Word) {
	const most = 1000
	by, what := orElse(word.By, "somebody"), ""
	switch word.Kind {
	case Yes:
		input := c.Input
		if word.Input != nil {
			input = word.Input
		}
		what = by + " has approved it meanwhile, and what was decided here does not count; the input is " + clip(string(spelling(input)), most)
	case No:
		what = by + " has denied it meanwhile, and what was decided here does not count"
		if word.By == "" { // whom every answer names
			what = "the time to answer it has ended meanwhile, and what was decided here does not count"
		}
	case Lapsed:
		what = "the time to answer it has ended meanwhile"
	case NoWord, OutcomeUnknown, Ended:
		what = "something has become of it meanwhile, and what was decided here does not count"
	}
	r.warn("The call %s of %s was looked at again: %s.", c.ToolUseID, c.Tool, what)
}

// ranUnseen is the result of a call of which only a person knows that it ran.
func ranUnseen(id string) model.Block {
	const text = "A person has confirmed that this call ran. What it returned is lost: look at what it did before you go on."
	return model.Block{Kind: model.ToolResult, ToolUseID: id, Result: []model.Block{model.TextBlock(text)}}
}

// answerParked puts a parked call through the pipeline once more, hooks first. With the
// yes of a person it is the input of that which is judged and runs. A no needs no judges, and where only
// a person can say something they are not asked.
func (r *run) answerParked(ctx context.Context, c session.PendingCall, word Word) outcome {
	m := &matter{call: call{ID: c.ToolUseID, Name: c.Tool, Input: c.Input, Sole: true}, parked: &c, word: word, started: time.Now()}
	m.input = withoutAnswers(m.call)
	switch {
	case word.Kind == No || word.Kind == Ended:
		m.resolution = word.resolution()
		return r.refused(ctx, m, r.refuse(m, orElse(word.Message, "The call was denied.")))
	case word.Unheard != "":
		return r.stay(m, suspended, word.Unheard)
	case word.Kind == Yes && word.Input != nil:
		m.input, m.edited = word.Input, true
	case word.Kind == Yes && !sameJSON(m.input, c.Input):
		return r.stay(m, held, "it was approved with answers that the model wrote itself (approve it with those of a person: `assent approve ID --answer QUESTION=ANSWER`)")
	}
	r.judge(ctx, m)
	return r.refused(ctx, m, r.settle(ctx, m, 0))
}

// refused claims the refusal of a call at the desk, before it is on record and anybody is
// told of it: if somebody has said something since it was looked at, it is looked at again,
// and nothing was refused. Other outcomes stay as they are.
func (r *run) refused(ctx context.Context, m *matter, o outcome) outcome {
	if o.verdict == "" {
		return o
	}
	why := firstText(o.result)
	if r.config.Desk != nil {
		err := r.refuseAtDesk(outlive(ctx), m, why)
		if errors.Is(err, ErrAnswered) {
			return outcome{unclaimed: err}
		}
		r.desked(m.ID, err)
		crashpoint.Here("resume: refused")
	}
	if err := r.record(m, o.verdict, why); err != nil {
		return r.unrecorded(m, err)
	}
	text := "The approved call %s of %s was not run: %s"
	switch m.word.Kind {
	case NoWord, No, OutcomeUnknown:
		return o
	case Lapsed:
		text = "The call %s of %s, which nobody answered in time, was not run: %s"
	case Ended:
		if m.word.By == "" {
			return o
		}
	case Yes:
	}
	o.denied = true
	if !m.halt { // of which the hook's own word was told
		r.warn(text, m.ID, m.Name, why)
	}
	return o
}

// refuseAtDesk tells the desk of a refusal. The no of whoever was asked here holds whatever
// is said at the desk at the same time.
func (r *run) refuseAtDesk(ctx context.Context, m *matter, why string) error {
	call, seen := r.parkedCall(*m.parked), m.word
	asked := m.word.Kind == NoWord || m.word.Kind == Lapsed
	saidNo := asked && m.resolution.Winner != "" && m.resolution.Answer.Behavior == permission.Deny
	err := r.config.Desk.Refuse(ctx, call, seen, why)
	for i := 1; i < maxLooks && saidNo && errors.Is(err, ErrAnswered); i++ {
		if seen, err = r.look(ctx, *m.parked); err == nil {
			err = r.config.Desk.Refuse(ctx, call, seen, why)
		}
	}
	return err
}

// stay keeps a call waiting that something keeps from running now. Nothing of its answer
// is used up. Where there is certainly none there is nothing to tell but the warning: a
// prompt may take the place of the call.
func (r *run) stay(m *matter, kind endingKind, why string) outcome {
	answer := m.mayBeAnswered()
	switch {
	case kind == suspended && answer == "" && r.followed:
		r.warn("The call %s of %s does not run now, and a prompt that gets its turn takes its place: %s.", m.ID, m.Name, why)
	case kind == suspended:
		r.warn("The call %s of %s waits on: %s.", m.ID, m.Name, why)
	}
	o := r.waitOn(m, why)
	if answer != "" && o.err == nil {
		o.stays = ending{kind: kind, text: fmt.Sprintf("the call %s of %s waits on, %s (deny it to go on without it): %s", m.ID, m.Name, answer, why)}.because(m.ID, ErrWaitsOn)
	}
	return o
}

// mayBeAnswered says what a session would lose that goes on without the call; empty when
// nobody has answered it.
func (m *matter) mayBeAnswered() string {
	switch {
	case m.word.Kind != NoWord:
		return "and its answer still holds"
	case m.judged.Decision.Reason.Kind == permission.ByBrokenHook || m.judged.Verdict.Gone: // which may know one
		return "and nobody can say whether it was answered"
	case m.judged.Verdict.Permission.Behavior == permission.Allow:
		return "although a hook allows it"
	case m.unheard() != "":
		return "and its question is still open"
	}
	return ""
}

// waitOn is a call that was parked and waits on.
func (r *run) waitOn(m *matter, why string) outcome {
	m.asking.Wait()
	if err := r.record(m, deferred, why); err != nil {
		return r.unrecorded(m, err)
	}
	return outcome{waits: m.parked}
}

// close writes the result of a parked call down, and tells it.
func (r *run) close(ctx context.Context, c session.PendingCall, o outcome) ending {
	crashpoint.Here("resume: ran")
	settled := session.Settlement{ToolUseID: c.ToolUseID, Result: o.result, Context: o.context, Halt: o.halt, Ran: o.claim != nil || c.Stage == session.Confirmed}
	if err := r.config.Transcript.Append(session.Settled, settled); err != nil {
		return broken(r.giveUp(err))
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
	return ending{}
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
	case c.Stage == session.Confirmed:
		err = r.config.Desk.Settle(outlive(ctx), r.parkedCall(c), RanWell)
	} // that a call is refused is said there already
	r.desked(c.ToolUseID, err)
}

func firstText(b model.Block) string {
	if len(b.Result) == 0 {
		return ""
	}
	return b.Result[0].Text
}

// claim makes a parked call this process's own, and writes down that it is about to run.
// Whoever finds that without a result knows that nobody can tell whether it ran. Somebody who ends
// the work meanwhile does not cut the claim off: nobody would know then whether it was made.
func (r *run) claim(ctx context.Context, m *matter) (Claim, error) {
	crashpoint.Here("resume: answered")
	var claim Claim
	if r.config.Desk != nil {
		var err error
		if claim, err = r.config.Desk.Claim(outlive(ctx), r.parkedCall(*m.parked), m.judged.Input, m.word); err != nil {
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

// release gives back a parked call that was begun and has done nothing, because somebody has
// ended the work: it waits on, and its answer still holds. The transcript is told first. Whoever
// dies before the desk is told leaves a claim there, as anybody does who dies while a call runs,
// and a person finds out what became of it. The other way round somebody could take the call up
// while the transcript says that it has begun.
func (r *run) release(ctx context.Context, m *matter, claim Claim) outcome {
	crashpoint.Here("release: wanted")
	if err := r.config.Transcript.Append(session.Unbegun, session.Release{ToolUseID: m.ID}); err != nil {
		return r.unrecorded(m, err)
	}
	crashpoint.Here("release: recorded")
	if claim != nil {
		r.desked(m.ID, claim.Release(outlive(ctx)))
	}
	crashpoint.Here("release: ticket")
	return r.cutOff(m)
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
