package hook

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// requestAnswer collects what hooks answer to a PermissionRequest: deny beats allow.
type requestAnswer struct {
	denials   []string
	interrupt bool
	allowed   bool
	messages  []string
	input     strictjson.Raw
	inputBy   *result
	answered  bool
	updates   []update
}

// update is a change of permissions that a hook asks for.
type update struct {
	by       *result
	beside   permission.Behavior
	proposed permission.Update
}

func (a *requestAnswer) deny(reason string) { a.denials = append(a.denials, reason) }

// request takes the answer of a PermissionRequest hook.
func (m *merger) request(s *result) {
	if s.out.Specific == nil || s.out.Specific.Decision == nil {
		return
	}
	switch d := s.out.Specific.Decision; d.Behavior {
	case wordDeny:
		s.run.Outcome, s.run.Decision = Blocked, permission.Deny
		s.run.Reason = orElse(d.Message, "denied by hook "+s.hook.title()+", which gave no reason")
		m.answer.deny(s.run.Reason)
		m.answer.interrupt = m.answer.interrupt || d.Interrupt
		if d.UpdatedInput != nil {
			s.note("updatedInput is ignored: it stands beside a denial")
		}
		m.answer.propose(s, permission.Deny)
	case wordAllow:
		if s.doubt != "" {
			s.note("its allow does not count, nor what stands beside it: " + s.doubt)
			return
		}
		s.run.Decision, s.run.Reason = permission.Allow, orElse(d.Message, "allowed by hook "+s.hook.title())
		m.answer.allow(s, d, m.subject)
		m.answer.propose(s, permission.Allow)
	}
}

func (a *requestAnswer) allow(s *result, d *RequestDecision, tool string) {
	a.allowed = true
	if d.Message != "" {
		a.messages = append(a.messages, d.Message)
	}
	if d.Interrupt {
		s.note("interrupt is ignored: it stands beside an allow")
	}
	if d.UpdatedInput == nil {
		return
	}
	if a.inputBy != nil && !sameValue(a.input, d.UpdatedInput) {
		a.inputBy.note("updatedInput is ignored: hook " + s.hook.title() + " stands later in the configuration and gives another one")
		s.note("hook " + a.inputBy.hook.title() + " gives another updatedInput and stands earlier in the configuration: this one counts")
	}
	a.input, a.inputBy, a.answered = d.UpdatedInput, s, holdsAnswers(tool, d.UpdatedInput)
	if members, err := object(d.UpdatedInput); err == nil {
		for key := range members {
			s.run.Changed = append(s.run.Changed, key)
		}
	}
}

// holdsAnswers: the input is a question to a person together with its answers.
func holdsAnswers(tool string, input strictjson.Raw) bool {
	members, err := object(input)
	if tool != "AskUserQuestion" || err != nil {
		return false
	}
	answers, err := object(members["answers"])
	return err == nil && len(answers) > 0
}

// propose reads the updates of permissions that stand beside a decision.
func (a *requestAnswer) propose(s *result, beside permission.Behavior) {
	updates, notes := ReadUpdates(s.out.Specific.Decision.UpdatedPermissions)
	s.run.Notes = append(s.run.Notes, notes...)
	for _, u := range updates {
		a.updates = append(a.updates, update{s, beside, u})
	}
}

// finish is the answer of all together; nil when nobody answered.
func (a *requestAnswer) finish() *permission.Answer {
	switch {
	case len(a.denials) > 0:
		return &permission.Answer{
			Behavior: permission.Deny, Message: numbered(a.denials), Interrupt: a.interrupt, Updates: a.kept(permission.Deny),
		}
	case a.allowed:
		return &permission.Answer{
			Behavior: permission.Allow, Message: strings.Join(a.messages, "\n"), UpdatedInput: a.input, Answered: a.answered,
			Updates: a.kept(permission.Allow),
		}
	}
	return nil
}

// kept are the updates that hold: beside a denial only those that restrict.
func (a *requestAnswer) kept(outcome permission.Behavior) []permission.Update {
	var kept []permission.Update
	for _, u := range a.updates {
		if outcome == permission.Deny && !u.proposed.Restricts() {
			u.by.note(fmt.Sprintf("the permission update %s is ignored: beside a denial only what restricts counts", u.proposed.Type))
			continue
		}
		kept = append(kept, u.proposed)
	}
	return kept
}

// ReadUpdates reads the permission updates of a hook's or a host's answer. One that
// is unknown or wrong is ignored, and a note says so; the others count.
func ReadUpdates(text strictjson.Raw) (updates []permission.Update, notes []string) {
	if text == nil || string(text) == "null" {
		return nil, nil
	}
	var list []strictjson.Raw
	if err := strictjson.Unmarshal(text, &list); err != nil {
		return nil, []string{"updatedPermissions is ignored: " + err.Error()}
	}
	for i, item := range list {
		var u permission.Update
		if err := strictjson.Unmarshal(item, &u); err != nil {
			notes = append(notes, fmt.Sprintf("permission update %d is ignored: %v", i+1, err))
			continue
		}
		updates = append(updates, u)
	}
	return updates, notes
}
