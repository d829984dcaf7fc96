package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// park is what becomes of a call that a hook wants decided elsewhere. Where it cannot be
// parked it is asked about like one that a hook wants asked: a defer never lets a call
// through, and lifts nothing that holds for a question.
func (r *run) park(ctx context.Context, m *matter, questions int) outcome {
	switch {
	case m.parked != nil && r.config.Parking != NoParking:
		return outcome{waits: m.parked}
	case m.parked == nil && r.mayPark(m):
		if err := r.record(m, deferred, m.whyParked()); err != nil {
			return r.unrecorded(m, err)
		}
		return outcome{waits: r.pendingCall(m)}
	}
	r.warn("A hook wants to defer the call %s of %s: %s, so that counts as a question.", m.ID, m.Name, r.whyNotPark())
	m.deferred = true
	m.judged.Call.Hook.Behavior = permission.Ask
	m.judged.Decision = r.engine.Decide(m.snapshot, m.judged.Call)
	return r.settle(ctx, m, questions)
}

// pendingCall is a call that waits from now on. The end of its time is on record with it,
// whatever becomes of its ticket.
func (r *run) pendingCall(m *matter) *session.PendingCall {
	now := time.Now().UTC().Truncate(time.Microsecond)
	c := &session.PendingCall{ToolUseID: m.ID, Tool: m.Name, Input: m.call.Input, Cwd: m.snapshot.Cwd(), Why: m.whyParked(), Since: now, From: r.config.Transcript.ID()}
	risk := permission.RiskOf(m.judged.Call, m.judged.Decision)
	c.Risk, c.Kin = risk.String(), permission.Kin(m.judged.Call)
	c.Places = r.placesOf(m)
	needs, expires := r.config.Terms.approvals(risk)
	c.Terms = needs
	if lasts, outcome := r.config.Terms.end(needs, expires); lasts > 0 {
		c.Until, c.Outcome = now.Add(lasts), outcome.String()
	}
	return c
}

// whyParked says which hooks want somebody else to decide, and why, so that whoever reads it
// can tell whose words these are, and where to change them.
func (m *matter) whyParked() string {
	if who := hook.WhoSays(permission.Defer, m.judged.Verdict.Runs); who != "" {
		return who
	}
	return m.judged.Decision.Message()
}

// placesOf are the files that a call leads to as the model has made it: whoever approves it is
// shown that one, whatever hooks make of it.
func (r *run) placesOf(m *matter) []string {
	if sameJSON(m.judged.Input, m.call.Input) {
		return m.judged.Call.Places()
	}
	call, err := r.engine.Validate(m.snapshot, permission.Request{Tool: m.Name, Input: m.call.Input, AgentID: r.base().AgentID})
	if err != nil {
		return nil
	}
	return call.Places()
}

func (r *run) mayPark(m *matter) bool {
	if r.descent != nil {
		return false
	}
	return r.config.Parking == ParkBatch || r.config.Parking == ParkAlone && m.Sole
}

func (r *run) whyNotPark() string {
	switch {
	case r.descent != nil:
		return "a sub-agent cannot wait beyond the end of the process"
	case r.config.Parking == NoParking:
		return "a person is at hand"
	}
	return "it is not alone in its turn"
}

// aloneNext tells the model how a call can be deferred that was one of several.
func (m *matter) aloneNext() string {
	if !m.deferred || m.Sole {
		return ""
	}
	return "A hook wants somebody else to decide about this call, which works only for a call that is alone in its turn: make it by itself."
}

// suspend writes down that calls wait, with the results of the others of their turn, and
// puts them on the desk.
func (r *run) suspend(ctx context.Context, p *session.Pending) error {
	crashpoint.Here("park: wanted")
	if err := r.config.Transcript.Append(session.Parked, p); err != nil {
		return r.giveUp(err)
	}
	crashpoint.Here("park: recorded")
	r.pending, r.heritage = p, noHeritage
	for _, c := range p.Calls {
		call := r.parkedCall(c)
		call.New = true
		r.layOut(ctx, call)
	}
	crashpoint.Here("park: ticket")
	return nil
}

// layOut puts a call that waits on the desk, where it may lie already.
func (r *run) layOut(ctx context.Context, c ParkedCall) {
	if r.config.Desk == nil {
		return
	}
	if err := r.config.Desk.Park(outlive(ctx), c); err != nil { // it waits all the same
		r.warn("The call %s waits, but there is no ticket for it: %v.", c.ToolUseID, err)
	}
}

func (r *run) parkedCall(c session.PendingCall) ParkedCall {
	p := ParkedCall{
		Session: r.config.Transcript.ID(), ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd, Why: c.Why,
		Policy: r.config.Terms.Policy, Since: c.Since, Until: c.Until, Outcome: permission.Deny, Kin: c.Kin, Places: c.Places, Requester: r.requester, Forks: c.Inherited(r.config.Transcript.ID(), r.forks),
	}
	p.Risk, _ = permission.ParseRisk(c.Risk) // one that is not on record counts as high
	needs, _ := r.config.Terms.approvals(p.Risk)
	p.Terms = c.Terms.And(needs) // for a ticket that is made only now: who parked it may not have known of them
	if c.Outcome == permission.Allow.String() {
		p.Outcome = permission.Allow
	}
	return p
}

// Pending: calls wait for an answer.
func (a *Agent) Pending() bool { return a.pending != nil }

// Waiting are the calls that wait, as a result tells them.
func (a *Agent) Waiting() []wire.Deferred {
	if a.pending == nil {
		return nil
	}
	var list []wire.Deferred
	for _, c := range a.pending.Calls {
		list = append(list, wire.Deferred{ToolUseID: c.ToolUseID, ToolName: c.Tool, ToolInput: c.Input})
	}
	return list
}

// abandoned is what the model is told about calls that wait when the session goes on
// without them.
const abandoned = "Not run: this call waited for somebody's answer, and a new request came before there was one."

// abandon goes on without the calls that wait, and returns their results, which the model
// is told before anything else. Nothing is cancelled if somebody has answered one of them
// by now, or if the end says why the session cannot go on.
func (r *run) abandon(ctx context.Context) (left []model.Block, end ending, answered bool) {
	if r.pending == nil {
		return nil, ending{}, false
	}
	if _, unsure := r.hear(ctx, r.look); len(unsure) > 0 {
		return nil, unknownOutcome(r.config.Transcript.ID(), unsure...), false
	}
	err := r.illegible(ctx)
	if err == nil {
		err = r.cancelAll(ctx)
	}
	switch {
	case errors.Is(err, ErrAnswered):
		return nil, ending{}, true
	case err != nil:
		return nil, ending{kind: unresolved, text: fmt.Sprintf("nobody can say whether the calls that wait were answered, so the session does not go on without them: %v", err)}, false
	}
	if left, err = r.leaveOut(); err != nil {
		return nil, broken(err), false
	}
	return left, ending{}, false
}

// illegible is why nobody can say what the desk holds about the calls that wait: one of
// them may have run.
func (r *run) illegible(ctx context.Context) error {
	for _, c := range r.pending.Calls {
		if c.Stage == session.Confirmed {
			continue
		}
		if _, err := r.look(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// cancelAll takes the calls that wait off the desk, before the model is told, all of them or
// none: an answer that comes later is refused, and one that has come is [ErrAnswered].
func (r *run) cancelAll(ctx context.Context) error {
	if r.config.Desk == nil {
		return nil
	}
	var open []ParkedCall
	for _, c := range r.pending.Calls {
		if c.Stage != session.Confirmed {
			open = append(open, r.parkedCall(c))
		}
	}
	if err := r.config.Desk.Cancel(outlive(ctx), open, "a new request came before there was an answer"); err != nil {
		return err
	}
	crashpoint.Here("resume: cancelled")
	for _, c := range r.pending.Calls {
		if c.Stage == session.Confirmed {
			r.desked(c.ToolUseID, r.config.Desk.Settle(outlive(ctx), r.parkedCall(c), RanWell))
		}
	}
	return nil
}

// leaveOut records that the calls which wait are not run, and returns the results of
// their turn.
func (r *run) leaveOut() ([]model.Block, error) {
	for _, c := range r.pending.Calls {
		if c.Stage == session.Confirmed {
			continue // its result says that it ran
		}
		m := &matter{call: call{ID: c.ToolUseID, Name: c.Tool, Input: c.Input}, started: time.Now()}
		if err := r.record(m, denied, abandoned); err != nil {
			return nil, r.giveUp(err)
		}
	}
	return r.assemble(func(c session.PendingCall) session.Settlement {
		if c.Stage == session.Confirmed {
			return session.Settlement{ToolUseID: c.ToolUseID, Result: ranUnseen(c.ToolUseID)}
		}
		return session.Settlement{ToolUseID: c.ToolUseID, Result: failure(call{ID: c.ToolUseID}, abandoned).result}
	}), nil
}

// assemble makes the message that answers the turn which was parked: the results in the
// order of the calls, and then what hooks want the model to know. rest is the result of
// a call that has none.
func (r *run) assemble(rest func(session.PendingCall) session.Settlement) []model.Block {
	settled := slices.Clone(r.pending.Settled)
	for _, c := range r.pending.Calls {
		settled = append(settled, rest(c))
	}
	var results, notes []model.Block
	for _, b := range r.conversation[len(r.conversation)-1].Content {
		i := slices.IndexFunc(settled, func(s session.Settlement) bool { return b.Kind == model.ToolUse && s.ToolUseID == b.ID })
		if i >= 0 {
			results = append(results, settled[i].Result)
			notes = append(notes, contextBlocks(settled[i].Context)...)
		}
	}
	return append(results, notes...)
}

// unknownOutcome is why a session cannot go on: a call that was begun.
func unknownOutcome(session string, calls ...string) ending {
	end := ending{kind: unresolved, text: "outcome unknown: the process that ran the call " + strings.Join(calls, " and ") +
		" ended before its result was recorded. It may have run or not, so it is not repeated: look, and then say `assent sessions resolve " + session + " --ran` or `--not-run`"}
	for _, id := range calls {
		end = end.because(id, ErrOutcomeUnknown)
	}
	return end
}
