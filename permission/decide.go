package permission

import "github.com/assent-dev/assent/rule"

// Decide is stages 2 and 3 for a validated call: the rules, the safety checks and
// the tool's own check, then the mode. It does no input or output besides reading
// links, and allocates nothing for calls that are not shell commands.
//
// The order is the promise: what denies comes first and nothing after it can
// loosen it; then what must ask; only then what may allow. A panic on the way is a
// denial of this call.
func (e *Engine) Decide(ctx *Context, call *Call) (d Decision) {
	defer catch(func(err *FaultError) { d = Failed(err) })
	d.Trace[0] = Step{Stage: StageValidate, Outcome: Pass}
	if call.Hook.Behavior == Deny {
		d.end(StageRules, Deny, hookReason(call.Hook))
		return d
	}
	found := e.judge(ctx, call)
	d.Trace[1] = Step{Stage: StageRules, Outcome: found.rules, Reason: found.ruleReason}
	switch {
	case found.rules == Deny:
		d.end(StageRules, Deny, found.ruleReason)
	case ctx.effective() == Plan && !readsOnly(call, &found):
		d.end(StageCheck, Deny, Reason{Kind: ByMode, Mode: Plan, Detail: "plan mode only reads; leave it with ExitPlanMode to run this"})
	case call.Hook.Behavior == Defer:
		d.NeedsPerson = found.needsPerson(call)
		d.end(StageRules, Defer, hookReason(call.Hook))
	default:
		d.settle(ctx, call, &found)
	}
	return d
}

// settle goes through what asks and what allows, once nothing denies.
func (d *Decision) settle(ctx *Context, call *Call, found *finding) {
	mode := ctx.effective()
	d.NeedsPerson = found.needsPerson(call)
	d.Trace[2] = Step{Stage: StageCheck, Outcome: found.check, Reason: found.checkReason}
	switch {
	case call.Hook.Behavior == Ask:
		d.ask(ctx, StageRules, hookReason(call.Hook))
	case found.rules == Ask:
		d.ask(ctx, StageRules, found.ruleReason)
	case found.safety || found.unreadable || call.Kind == Person && !call.Hook.answers():
		d.ask(ctx, StageCheck, found.checkReason)
	case call.Hook.AskUnlessReads != "" && !changesNothing(call):
		d.ask(ctx, StageRules, Reason{Kind: ByHook, Detail: call.Hook.AskUnlessReads})
	case call.Hook.Behavior == Allow:
		d.NeedsPerson = false // a question is answered; nothing else that needs one gets here
		d.end(StageRules, Allow, hookReason(call.Hook))
	case mode == BypassPermissions:
		d.end(StageCheck, Allow, Reason{Kind: ByMode, Mode: mode, Detail: "everything runs that no deny or ask rule and no safety check stops"})
	case found.check == Allow:
		d.end(StageCheck, Allow, found.checkReason)
	case found.check == Pass && found.rules == Allow:
		d.end(StageRules, Allow, found.ruleReason)
	case mode == AcceptEdits && call.Kind == Edit && ctx.inside(call.path):
		d.end(StageCheck, Allow, Reason{Kind: ByMode, Mode: mode, Detail: "edits inside the working directories run"})
	case mode == Auto && found.check == Pass && (call.Kind == Read || call.Kind == Search):
		d.end(StageCheck, Allow, Reason{Kind: ByMode, Mode: mode, Detail: "a safe tool"})
	default:
		d.Classify = mode == Auto && !found.unseen
		d.ask(ctx, StageCheck, found.checkReason)
	}
}

// end fills in the stage that decided.
func (d *Decision) end(stage Stage, behavior Behavior, reason Reason) {
	d.Behavior, d.Stage, d.Reason = behavior, stage, reason
	d.Trace[stage-1] = Step{Stage: stage, Outcome: behavior, Reason: reason}
	for i := int(stage); i < len(d.Trace); i++ {
		d.Trace[i] = Step{} // later stages did not run
	}
}

// ask ends in a question, which dontAsk turns into a denial.
func (d *Decision) ask(ctx *Context, stage Stage, reason Reason) {
	d.end(stage, Ask, reason)
	if ctx.effective() == DontAsk {
		d.Classify = false
		d.Behavior = Deny
		d.Reason = Reason{Kind: ByMode, Mode: DontAsk, Detail: "nothing is asked, so this is denied (" + reason.sentence(Ask) + ")"}
	}
}

func hookReason(v Verdict) Reason {
	if v.Broken {
		return Reason{Kind: ByBrokenHook, Detail: v.Reason}
	}
	return Reason{Kind: ByHook, Detail: v.Reason}
}

// answers: the hooks stand in for the person who was asked.
func (v Verdict) answers() bool { return v.Behavior == Allow && v.Answered }

// finding is what rules and the tool's own check say about a call.
type finding struct {
	rules      Behavior // Deny, Ask, Allow or Pass
	ruleReason Reason
	// check is Allow (harmless), Pass (an allow rule may upgrade it) or Ask (it may
	// not).
	check       Behavior
	checkReason Reason
	safety      bool // on the danger floor or a protected path
	unreadable  bool // what bash would not parse is never allowed by anything but a person
	readOnly    bool // a shell command that only reads
	unseen      bool // what files hold decides, which no classifier sees
}

// needsPerson: no rule, hook or classifier may allow it.
func (f *finding) needsPerson(call *Call) bool {
	return f.safety || f.unreadable || call.Kind == Person
}

func (e *Engine) judge(ctx *Context, call *Call) finding {
	switch call.Kind {
	case Shell:
		return e.judgeShell(ctx, call)
	case Read, Search, Edit:
		return e.judgeFile(ctx, call)
	case Fetch, Lookup, Session, Person, Agent, Process, Other:
		return judgeOther(ctx, call)
	}
	return judgeOther(ctx, call)
}

// readsOnly: what plan mode lets through to the ordinary decision.
func readsOnly(call *Call, found *finding) bool {
	switch call.Kind {
	case Read, Search, Fetch, Lookup, Session, Person, Agent:
		return true
	case Shell:
		return found.readOnly
	case Edit, Process, Other:
		return false
	}
	return false
}

// changesNothing: what runs unasked although a hook that would have judged it is
// held back. It is narrower than what plan mode lets through: a fetch or a
// sub-agent may be just what that hook is there for.
func changesNothing(call *Call) bool {
	switch call.Kind {
	case Read, Search, Session:
		return true
	case Shell:
		return call.Script().ReadOnly().Text == ""
	case Edit, Fetch, Lookup, Person, Agent, Process, Other:
		return false
	}
	return false
}

// strictest keeps the first rule of the strictest behaviour seen.
func (f *finding) strictest(hits rule.Hits) {
	switch {
	case hits.Deny != nil && f.rules != Deny:
		f.rules, f.ruleReason = Deny, Reason{Kind: ByRule, Rule: hits.Deny}
	case hits.Ask != nil && f.rules != Deny && f.rules != Ask:
		f.rules, f.ruleReason = Ask, Reason{Kind: ByRule, Rule: hits.Ask}
	case hits.Allow != nil && f.rules == Pass:
		f.rules, f.ruleReason = Allow, Reason{Kind: ByRule, Rule: hits.Allow}
	}
}
