package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The words of an answer.
const (
	wordApprove = "approve"
	wordBlock   = "block"

	wordAllow = "allow"
	wordDeny  = "deny"
	wordAsk   = "ask"
	wordDefer = "defer"
)

// Check holds an answer of a Go function to the rules of [ReadOutput]: it takes out
// what has no meaning at the event, and the notes say so. With an error, which is a
// [*BrokenOutput], the answer is empty afterwards. What o points to is not changed.
func (o *Output) Check(event Event) (notes []string, err error) {
	if o.Specific != nil {
		specific := *o.Specific
		if specific.Decision != nil {
			decision := *specific.Decision
			specific.Decision = &decision
		}
		o.Specific = &specific
	}
	r := reading{event: event}
	r.cleanTexts(o)
	r.checkRaws(o)
	r.check(o)
	*o, notes, err = r.result(*o)
	return notes, err
}

// check finds unknown words and what has no meaning at the event, and takes it out.
func (r *reading) check(o *Output) {
	r.checkLegacy(o)
	if r.retry {
		if o.Specific == nil {
			o.Specific = &Specific{}
		}
		o.Specific.Retry = true
	}
	if s := o.Specific; s != nil && s.HookEventName != "" && s.HookEventName != r.event {
		r.foreign(string(s.HookEventName))
		o.Specific = nil
	}
	if o.Specific != nil {
		r.checkPermission(o.Specific)
		r.checkAnswer(o.Specific)
		r.dropMeaningless(o.Specific)
	}
	if o.StopReason != "" && !o.halts() {
		r.note("stopReason counts only beside \"continue\": false")
	}
	r.checkAsync(o)
}

// checkLegacy is for the top-level decision.
func (r *reading) checkLegacy(o *Output) {
	switch word := o.Decision; {
	case word == "":
		if o.Reason != "" {
			r.note("the reason counts only beside a decision, and without one it holds up nothing: %s", howToAnswer(r.event))
		}
		return
	case word != wordApprove && word != wordBlock:
		r.fault(fmt.Sprintf("the word %s is no decision", quoted(word)), "use approve or block, or better: "+howToAnswer(r.event))
	case r.event == PermissionRequest:
		r.fault("a decision at the top level does not answer a PermissionRequest", howToAnswer(r.event))
	case word == wordApprove && r.event != PreToolUse:
		r.note("\"approve\" has no meaning at %s and is ignored", r.event)
	case !r.event.takesBlock():
		r.note("\"block\" has no meaning at %s and is ignored: there is nothing to hold up", r.event)
	default:
		return
	}
	o.Decision = ""
}

// checkPermission is for the decision about a call. At an event where nothing waits
// for one its author is wrong about what happens.
func (r *reading) checkPermission(s *Specific) {
	switch word := s.PermissionDecision; {
	case word == "":
		if s.PermissionDecisionReason != "" && r.event == PreToolUse {
			r.note("permissionDecisionReason counts only beside a permissionDecision, and without one it holds up nothing: %s", howToAnswer(r.event))
		}
		return
	case r.event != PreToolUse:
		r.fault("permissionDecision has no meaning at "+string(r.event), "it belongs to PreToolUse; here, "+howToAnswer(r.event))
	case !slices.Contains([]string{wordAllow, wordDeny, wordAsk, wordDefer}, word):
		r.fault(fmt.Sprintf("the word %s is no permissionDecision", quoted(word)), "use allow, deny, ask or defer")
	default:
		return
	}
	s.PermissionDecision = ""
}

// checkAnswer is for the answer to a PermissionRequest.
func (r *reading) checkAnswer(s *Specific) {
	d := s.Decision
	switch {
	case d == nil:
		return
	case r.event != PermissionRequest:
		r.fault("decision inside hookSpecificOutput has no meaning at "+string(r.event), "it belongs to PermissionRequest; here, "+howToAnswer(r.event))
	case d.Behavior == "":
		r.fault("the decision has no behavior", "write {\"behavior\": \"allow\"} or {\"behavior\": \"deny\"}")
	case d.Behavior != wordAllow && d.Behavior != wordDeny:
		r.fault(fmt.Sprintf("the word %s is no behavior", quoted(d.Behavior)), "use allow or deny")
	default:
		return
	}
	s.Decision = nil
}

// dropMeaningless takes out what only other events have.
func (r *reading) dropMeaningless(s *Specific) {
	event := r.event
	drop(r, event == PreToolUse, "permissionDecisionReason", s.PermissionDecisionReason != "", func() { s.PermissionDecisionReason = "" })
	drop(r, event == PreToolUse, "updatedInput", s.UpdatedInput != nil, func() { s.UpdatedInput = nil })
	drop(r, event == PreToolUse, "announceInput", s.AnnounceInput, func() { s.AnnounceInput = false })
	drop(r, event.takesContext(), "additionalContext", s.AdditionalContext != "", func() { s.AdditionalContext = "" })
	drop(r, event == PostToolUse, "updatedToolOutput", s.UpdatedToolOutput != nil, func() { s.UpdatedToolOutput = nil })
	drop(r, event == PostToolUse, "updatedMCPToolOutput", s.UpdatedMCPToolOutput != nil, func() { s.UpdatedMCPToolOutput = nil })
	drop(r, event == PermissionDenied, "retry", s.Retry, func() { s.Retry = false })
}

func drop(r *reading, meant bool, key string, set bool, clear func()) {
	if set && !meant {
		r.note("%s has no meaning at %s and is ignored", key, r.event)
		clear()
	}
}

// checkAsync: a hook that goes on in the background decides nothing. One that says
// both is wrong about one of them.
func (r *reading) checkAsync(o *Output) {
	switch {
	case o.AsyncTimeout < 0:
		r.fault("asyncTimeout is negative", "write milliseconds, or leave it out")
		o.AsyncTimeout = 0
	case !o.Async && o.AsyncTimeout != 0:
		r.note("asyncTimeout counts only beside \"async\": true")
	case o.Async && o.decides():
		r.fault("a hook that goes on in the background decides nothing, and this one says \"async\" beside a decision", "leave out one of them")
		o.Async = false
	case o.Async && o.Specific != nil:
		r.note("hookSpecificOutput beside \"async\" is ignored: nothing waits for a hook in the background")
		o.Specific = nil
	}
}

// decides reports whether an answer asks for anything to go another way.
func (o *Output) decides() bool {
	s := o.Specific
	return o.Decision != "" || o.halts() ||
		s != nil && (s.PermissionDecision != "" || s.Decision != nil || s.UpdatedInput != nil || s.UpdatedToolOutput != nil || s.UpdatedMCPToolOutput != nil)
}

// cleanTexts makes every text of a Go function valid UTF-8: what goes to the model and
// on record is JSON, and a denial must not be lost to a stray byte.
func (r *reading) cleanTexts(o *Output) {
	texts := []*string{&o.StopReason, &o.SystemMessage, &o.Reason}
	if s := o.Specific; s != nil {
		texts = append(texts, &s.PermissionDecisionReason, &s.AdditionalContext)
		if s.Decision != nil {
			texts = append(texts, &s.Decision.Message)
		}
	}
	for _, text := range texts {
		if clean := strings.ToValidUTF8(*text, "\uFFFD"); clean != *text {
			*text = clean
			r.note("a text was not UTF-8; what could not be read was replaced")
		}
	}
}

// checkRaws holds the JSON that a Go function made to what would be read of a text.
func (r *reading) checkRaws(o *Output) {
	s := o.Specific
	if s == nil {
		return
	}
	s.UpdatedInput = r.checkRaw(inSpecific, "updatedInput", s.UpdatedInput, new(objectValue))
	s.UpdatedToolOutput = r.checkRaw(inSpecific, "updatedToolOutput", s.UpdatedToolOutput, new(strictjson.Raw))
	s.UpdatedMCPToolOutput = r.checkRaw(inSpecific, "updatedMCPToolOutput", s.UpdatedMCPToolOutput, new(strictjson.Raw))
	if d := s.Decision; d != nil {
		d.UpdatedInput = r.checkRaw(inDecision, "updatedInput", d.UpdatedInput, new(objectValue))
		d.UpdatedPermissions = r.checkRaw(inDecision, "updatedPermissions", d.UpdatedPermissions, new(arrayValue))
	}
}

func (r *reading) checkRaw(p level, key string, raw strictjson.Raw, into any) strictjson.Raw {
	if raw == nil {
		return nil
	}
	faults := len(r.faults)
	if r.value(p, key, raw, into); len(r.faults) > faults {
		return nil
	}
	return raw
}
