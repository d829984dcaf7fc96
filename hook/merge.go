package hook

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// merge makes one verdict of what all hooks of an occasion said, in the order of the
// configuration and not in that of their answers.
//
// At PreToolUse deny beats defer, defer beats ask, ask beats allow. A changed input
// is kept as long as nothing denies or defers: when one hook allows with a change and
// another one asks, a person is asked about the changed input, because that is what
// would run.
func merge(o Occasion, results []*result) Verdict {
	m := merger{event: o.Input.Event(), subject: o.Input.Subject(), verdict: Verdict{Permission: permission.Verdict{Behavior: permission.Pass}}}
	if in, ok := o.Input.(PreToolUseInput); ok {
		m.input.original = in.ToolInput
	}
	for _, s := range results {
		m.take(s)
	}
	m.finish()
	for _, s := range results {
		m.verdict.Runs = append(m.verdict.Runs, s.run)
	}
	return m.verdict
}

type merger struct {
	event   Event
	subject string
	verdict Verdict

	decision permission.Behavior // the strictest so far; zero for none
	reasons  []string            // for it
	broken   []string            // hooks that did not work and deny
	objected bool                // a hook that works denies

	input    inputChange
	answer   requestAnswer
	replaced [2]*result // who replaced the tool's output, who the MCP tool's
}

// take adds what one hook said. A fault of our own makes that hook broken.
func (m *merger) take(s *result) {
	defer func() {
		if p := recover(); p != nil {
			s.breaks(Broken, panicText(p))
			m.failed(s)
		}
	}()
	switch s.run.Outcome {
	case Broken, OutOfTime, Dropped:
		m.failed(s)
	case InBackground:
		m.message(s)
	case Blocked:
		m.block(s, s.blocked)
	case Okay:
		m.heard(s)
	default: // no outcome is never an answer
		s.breaks(Broken, "it ended without an answer")
		m.failed(s)
	}
}

// failed is for a hook that did not work.
func (m *merger) failed(s *result) {
	sentence := s.sentence()
	s.run.Reason = sentence
	m.verdict.Gone = m.verdict.Gone || s.gone
	switch {
	case s.run.Outcome == Dropped && (s.hook.Async || !m.event.failsClosed()):
		s.note(s.fault) // nobody needed it any more
		return
	case s.run.Outcome == Dropped:
		// Whoever cancels does not learn what the hook thinks: a call that nobody
		// judged does not run, whatever a failure of the hook would mean.
	case s.hook.Async || !s.hook.closed():
		m.verdict.Messages = append(m.verdict.Messages, sentence+"; the work goes on")
		return
	}
	switch {
	case m.event == PreToolUse:
		m.broken = append(m.broken, s.hook.title()+": "+s.fault)
		m.verdict.Denials = append(m.verdict.Denials, sentence)
	case m.event == PermissionRequest:
		m.answer.deny(sentence)
	case m.event.takesBlock():
		m.verdict.Block = true
		m.verdict.Feedback = append(m.verdict.Feedback, sentence)
	default:
		m.verdict.Messages = append(m.verdict.Messages, sentence+"; nothing can be held up here")
	}
}

// heard is for a hook that answered.
func (m *merger) heard(s *result) {
	m.message(s)
	m.context(s)
	m.halt(s)
	switch m.event {
	case PreToolUse:
		m.permission(s)
	case PermissionRequest:
		m.request(s)
	case PermissionDenied:
		m.verdict.Retry = m.verdict.Retry || s.out.Specific != nil && s.out.Specific.Retry
	default:
		if s.out.Decision == wordBlock {
			m.block(s, orElse(s.out.Reason, "blocked by hook "+s.hook.title()+", which gave no reason"))
		}
		m.toolOutput(s)
	}
}

func (m *merger) message(s *result) {
	if s.out.SystemMessage != "" {
		m.verdict.Messages = append(m.verdict.Messages, s.out.SystemMessage)
	}
}

func (m *merger) context(s *result) {
	if s.out.Specific != nil && s.out.Specific.AdditionalContext != "" {
		m.verdict.Context = append(m.verdict.Context, s.out.Specific.AdditionalContext)
	}
}

// halt: the session stops after this turn, and a tool that has not run does not run.
func (m *merger) halt(s *result) {
	if !s.out.halts() {
		return
	}
	reason := orElse(s.out.StopReason, "hook "+s.hook.title()+" stopped the session and gave no reason")
	m.verdict.Halt = true
	m.verdict.HaltReason = joined(m.verdict.HaltReason, reason)
	if decision, _ := said(s.out); m.event == PreToolUse && decision == permission.Deny {
		return // it has a reason of its own to deny
	}
	switch m.event {
	case PreToolUse:
		m.deny(s, reason)
	case PermissionRequest:
		m.answer.deny(reason)
	}
}

// block is for a hook that objects.
func (m *merger) block(s *result, reason string) {
	s.run.Outcome, s.run.Reason = Blocked, reason
	switch {
	case m.event == PreToolUse:
		m.deny(s, reason)
	case m.event == PermissionRequest:
		s.run.Decision = permission.Deny
		m.answer.deny(reason)
	case m.event.takesBlock():
		m.verdict.Block = true
		m.verdict.Feedback = append(m.verdict.Feedback, reason)
	default:
		s.note("there is nothing to block at " + string(m.event) + "; its reason goes to the person")
		m.verdict.Messages = append(m.verdict.Messages, reason)
	}
}

func (m *merger) deny(s *result, reason string) {
	s.run.Outcome, s.run.Decision, s.run.Reason = Blocked, permission.Deny, reason
	m.objected = true
	m.verdict.Denials = append(m.verdict.Denials, reason)
}

// permission takes the decision of a PreToolUse hook.
func (m *merger) permission(s *result) {
	decision, key := said(s.out)
	reason := reasonFor(s.out, key)
	switch {
	case decision == permission.Deny:
		m.deny(s, orElse(reason, "denied by hook "+s.hook.title()+", which gave no reason"))
	case s.run.Decision == permission.Deny: // it stops the session
		decision = permission.Deny
	case decision == permission.Allow && s.doubt != "":
		s.note("its allow does not count: " + s.doubt)
		decision = permission.Pass
	}
	if !m.updatedInput(s, decision) {
		return
	}
	switch decision {
	case permission.Allow, permission.Ask, permission.Defer:
		s.run.Decision, s.run.Reason = decision, orElse(reason, saysOnly(s.hook.title(), decision))
		m.decide(decision, s.run.Reason)
	case permission.Deny, permission.Pass:
	}
}

// decide keeps the strictest decision below deny with all its reasons.
func (m *merger) decide(decision permission.Behavior, reason string) {
	if severity(decision) > severity(m.decision) {
		m.decision, m.reasons = decision, nil
	}
	if decision == m.decision {
		m.reasons = append(m.reasons, reason)
	}
}

// updatedInput takes the change that a hook makes; works is false when it broke on
// that.
func (m *merger) updatedInput(s *result, decision permission.Behavior) (works bool) {
	if s.out.Specific == nil || s.out.Specific.UpdatedInput == nil {
		return true
	}
	if decision != permission.Allow {
		s.note(`updatedInput is ignored: it counts only together with "permissionDecision": "allow" or the older "decision": "approve"`)
		return true
	}
	if err := m.input.apply(s); err != nil {
		s.breaks(Broken, "updatedInput: "+err.Error())
		m.failed(s)
		return false
	}
	return true
}

// finish settles what depends on all hooks together.
func (m *merger) finish() {
	v := &m.verdict
	switch {
	case len(v.Denials) > 0 && !m.objected:
		v.Permission = permission.Verdict{Behavior: permission.Deny, Broken: true, Reason: numbered(m.broken)}
	case len(v.Denials) > 0:
		v.Permission = permission.Verdict{Behavior: permission.Deny, Reason: numbered(v.Denials)}
	case m.decision != 0:
		v.Permission = permission.Verdict{Behavior: m.decision, Reason: numbered(m.reasons)}
	}
	m.input.finish(v)
	v.Permission.Answered = v.Permission.Behavior == permission.Allow && m.input.answers(m.subject, v.Input)
	m.oneToolOutput()
	v.Answer = m.answer.finish()
}

// numbered joins reasons: the model must see all of them.
func numbered(reasons []string) string {
	if len(reasons) == 1 {
		return reasons[0]
	}
	lines := make([]string, len(reasons))
	for i, reason := range reasons {
		lines[i] = fmt.Sprintf("%d. %s", i+1, reason)
	}
	return strings.Join(lines, "\n")
}

func joined(first, second string) string {
	if first == "" {
		return second
	}
	return first + "\n" + second
}
