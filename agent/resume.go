package agent

import (
	"context"
	"slices"

	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// Unfinished: calls wait for an answer, or the model does, because the process before died
// in the middle of a prompt. Resume goes on there.
func (a *Agent) Unfinished() bool { return a.pending != nil || a.owed }

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
// the last message that is told. Before a prompt nobody needs it: [Agent.Prompt] takes up
// what waits by itself.
func (a *Agent) Resume(ctx context.Context) *wire.Result {
	ctx, done := a.interruptible(ctx)
	defer done()
	return a.told(a.attempt(ctx, func(r *run) (ending, bool) { return r.takeUp(ctx, allOfThem), false }))
}

// Leave says that the calls that wait do so on. Nobody is asked about them, and nothing runs:
// it is for a host that is gone before it has said anything.
func (a *Agent) Leave(ctx context.Context) *wire.Result {
	return a.told(a.attempt(ctx, func(*run) (ending, bool) { return ending{kind: suspended}, false }))
}

// notWorkedOff is what is said about a prompt that what waits has kept from its turn.
const notWorkedOff = "the prompt was not worked off (give it again when that is settled)"

// heritage is what is known of the calls that wait in a session that was resumed.
type heritage uint8

const (
	noHeritage heritage = iota // they began to wait in this process, or were looked at in it
	untouched                  // they come from an earlier process, and nobody has looked yet
	troubled                   // somebody has, and could not take them up
)

// selection is which calls are taken up before a prompt. About those of an earlier process
// hooks and rules are asked once more. The others have heard them already: only an answer
// at the desk counts.
func (h heritage) selection() selection {
	if h == noHeritage {
		return answeredOnes
	}
	return allOfThem
}

// takeUpBefore takes up what waits, with a result of its own, before a prompt is worked
// off. The result is nil when nobody has answered; one that is an error is that of the
// prompt.
func (a *Agent) takeUpBefore(ctx context.Context, p Prompt) *wire.Result {
	result := a.attempt(ctx, func(r *run) (ending, bool) {
		r.followed = true
		end := r.takeUp(ctx, r.heritage.selection()).orHeld()
		r.kept = !end.leavesRoom()
		return end, end.kind == suspended && !r.progressed
	})
	if result == nil {
		return nil
	}
	if result.IsError {
		p.begins()
	}
	return a.told(result)
}

// takeUpFirst takes up what waits as a part of the work on a prompt. The end is zero when
// the prompt can have its turn.
func (r *run) takeUpFirst(ctx context.Context) ending {
	if r.pending == nil {
		return ending{}
	}
	r.followed = true
	end := r.takeUp(ctx, r.heritage.selection()).orHeld()
	if !end.leavesRoom() {
		r.kept = true
		return end
	}
	// Limits, and what hooks have said about stopping, were about that work.
	r.setOut()
	r.asked, r.stopActive, r.summedUp, r.feedback = 0, false, false, nil
	return ending{}
}

// leavesRoom: after what was taken up has ended so, a prompt can be worked off.
func (e ending) leavesRoom() bool {
	return e.kind == finished || e.kind == halted || e.kind == suspended
}

// orHeld turns the end of calls that wait on, although somebody has answered one of them,
// into one that keeps the session from going on without them: a prompt must not take the
// place of a call that somebody has answered.
func (e ending) orHeld() ending {
	if e.kind == suspended && e.text != "" {
		e.kind = held
	}
	return e
}

// selection is which of the calls that wait are taken up.
type selection uint8

const (
	allOfThem    selection = iota // also those that only hooks or rules may have an answer to
	answeredOnes                  // those about which something was said at the desk
)

// takeUp looks at the calls that wait, and lets the model go on when none does any more.
func (r *run) takeUp(ctx context.Context, which selection) ending {
	end := r.lookThrough(ctx, which)
	switch {
	case r.pending == nil || end.kind == suspended && end.text == "":
		r.heritage = noHeritage
	case r.heritage == untouched:
		r.heritage = troubled
	}
	return end
}

func (r *run) lookThrough(ctx context.Context, which selection) ending {
	if r.pending == nil { // a process died before the model could answer
		r.tellInit()
		return r.work(ctx)
	}
	if len(r.pending.Calls) > 0 && r.root().forbidden.Load() != nil { // a SessionStart hook wants no work
		return ending{kind: suspended}
	}
	r.renew(ctx) // the tool of a call may have come with its server meanwhile
	r.catchUp(ctx)
	said, unsure := r.hear(ctx, r.lookOrLayOut)
	if len(unsure) > 0 {
		return unknownOutcome(r.config.Transcript.ID(), unsure...)
	}
	var end ending
	for _, c := range slices.Clone(r.pending.Calls) {
		if stopped(ctx) || r.cut {
			break
		}
		if which == answeredOnes && r.nothingSaid(ctx, c) {
			end = end.and(ending{kind: suspended})
			continue
		}
		one := r.takeUpCall(ctx, c, said[c.ToolUseID])
		clear(said) // that may have taken its time, and the others are looked at once more
		if one.kind == unrecorded {
			return one
		}
		end = end.and(one)
	}
	switch {
	case len(r.pending.Calls) > 0 && (stopped(ctx) || r.cut):
		return ending{kind: interrupted, text: "interrupted"} // what waits still does
	case len(r.pending.Calls) > 0:
		return end
	}
	return r.goOn(ctx)
}

// nothingSaid: nobody has answered a call at the desk.
func (r *run) nothingSaid(ctx context.Context, c session.PendingCall) bool {
	word, err := r.look(ctx, c)
	return c.Stage == session.Waiting && err == nil && word.Kind == NoWord
}

// and is the end of calls that wait for several reasons: the gravest, and all that is to
// be said.
func (e ending) and(other ending) ending {
	return ending{kind: max(e.kind, other.kind), text: joined(e.text, other.text), troubles: slices.Concat(e.troubles, other.troubles)}
}

// goOn tells the model the results of the turn that was parked, and lets it work.
func (r *run) goOn(ctx context.Context) ending {
	answer := r.assemble(nil)
	halts := slices.ContainsFunc(r.pending.Settled, func(s session.Settlement) bool { return s.Halt })
	if halts && !r.root().halting.Swap(true) { // an earlier process has heard the hook
		r.warn("The session stops after this turn, as a hook wants.")
	}
	r.pending, r.progressed = nil, true // by whichever process
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
// died before it could tell, or because the desk is another one.
func (r *run) catchUp(ctx context.Context) {
	if r.config.Desk == nil {
		return
	}
	for _, s := range r.pending.Settled {
		r.desked(s.ToolUseID, r.config.Desk.Settle(ctx, r.parkedCall(session.PendingCall{ToolUseID: s.ToolUseID}), fateOf(s)))
	}
}

// fateOf is what became of a call that has its result.
func fateOf(s session.Settlement) Fate {
	switch {
	case !s.Result.IsError:
		return RanWell
	case s.Ran:
		return RanBadly
	}
	return NotRun
}

// desked says that the desk could not be told something.
func (r *run) desked(id string, err error) {
	if err != nil {
		r.warn("The ticket of the call %s does not say what became of it: %v.", id, err)
	}
}

// hear is what was said at the desk about the calls that wait. Unsure are those that somebody has
// begun, by the transcript or by the desk: nothing runs before a person has found out what became
// of them.
func (r *run) hear(ctx context.Context, look func(context.Context, session.PendingCall) (Word, error)) (said map[string]hearsay, unsure []string) {
	said = map[string]hearsay{}
	for _, c := range r.pending.Calls {
		if c.Stage == session.Confirmed {
			continue
		}
		word, err := look(ctx, c) // which also shows the desk that nobody runs it any more
		if c.Stage == session.Unsure {
			r.desked(c.ToolUseID, err)
		}
		if c.Stage == session.Unsure || word.Kind == OutcomeUnknown {
			unsure = append(unsure, c.ToolUseID)
		}
		said[c.ToolUseID] = hearsay{&word, err}
	}
	return said, unsure
}

// lookOrLayOut is look, for a call that may not lie on the desk: it does then.
func (r *run) lookOrLayOut(ctx context.Context, c session.PendingCall) (Word, error) {
	word, err := r.look(ctx, c)
	if c.Stage == session.Waiting && (err != nil || word.Kind == NoWord) {
		r.layOut(ctx, r.parkedCall(c))
		return r.look(ctx, c)
	}
	return word, err
}

// hearsay is what was found on the desk a moment ago; the word is nil when nobody has looked.
type hearsay struct {
	word *Word
	err  error
}

// look is what was said about a call at the desk.
func (r *run) look(ctx context.Context, c session.PendingCall) (Word, error) {
	if r.config.Desk == nil {
		return Word{}, nil
	}
	return r.config.Desk.Look(ctx, r.parkedCall(c))
}
