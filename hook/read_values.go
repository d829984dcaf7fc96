package hook

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// topField finds the field of a key at the top level; nil when it is not known.
func (r *reading) topField(o *Output) func(key string) any {
	return func(key string) any {
		switch key {
		case "continue":
			return &o.Continue
		case "stopReason":
			return &o.StopReason
		case "suppressOutput":
			return &o.SuppressOutput
		case "systemMessage":
			return &o.SystemMessage
		case "decision":
			return &o.Decision
		case "reason":
			return &o.Reason
		case "async":
			return &o.Async
		case "asyncTimeout":
			return &o.AsyncTimeout
		case "hookSpecificOutput":
			return &o.Specific
		case "retry":
			// The short form {"retry": true} decides nothing, so it does no harm.
			if r.event == PermissionDenied {
				return &r.retry
			}
		}
		return nil
	}
}

func (s *Specific) field(key string) any {
	switch key {
	case keyEventName:
		return &s.HookEventName
	case "permissionDecision":
		return &s.PermissionDecision
	case "permissionDecisionReason":
		return &s.PermissionDecisionReason
	case "updatedInput":
		return (*objectValue)(&s.UpdatedInput)
	case "announceInput":
		return &s.AnnounceInput
	case "additionalContext":
		return &s.AdditionalContext
	case "updatedToolOutput":
		return &s.UpdatedToolOutput
	case "updatedMCPToolOutput":
		return &s.UpdatedMCPToolOutput
	case "decision":
		return &s.Decision
	case "retry":
		return &s.Retry
	}
	return nil
}

func (d *RequestDecision) field(key string) any {
	switch key {
	case "behavior":
		return &d.Behavior
	case "updatedInput":
		return (*objectValue)(&d.UpdatedInput)
	case "updatedPermissions":
		return (*arrayValue)(&d.UpdatedPermissions)
	case "message":
		return &d.Message
	case "interrupt":
		return &d.Interrupt
	}
	return nil
}

// value reads the value of a known key.
func (r *reading) value(p level, key string, raw strictjson.Raw, into any) {
	var err error
	switch into := into.(type) {
	case **Specific:
		err = r.specific(raw, into)
	case **RequestDecision:
		err = r.decision(raw, into)
	default:
		err = readValue(raw, into)
	}
	if err != nil {
		r.fault(fmt.Sprintf("the value of %s in %s is wrong", key, p), wrongValue(err)+hintForValue(p, key))
	} else if word, ok := into.(*string); ok && *word == "" && isDecision(p, key) {
		// Most likely a variable that was empty; what its author wanted to say is lost.
		r.fault(fmt.Sprintf("the word of %s in %s is empty", key, p), "leave the key out when there is nothing to say; "+howToAnswer(r.event))
	}
}

// isDecision: the value of the key is a word that decides.
func isDecision(p level, key string) bool {
	return p == topLevel && key == "decision" || p == inSpecific && key == "permissionDecision"
}

// readValue takes no null: no key of an answer can be null, and where one is, the
// hook has most likely lost the value it wanted to give.
func readValue(raw strictjson.Raw, into any) error {
	if string(raw) == "null" {
		return errors.New("got null; leave the key out when there is nothing to say")
	}
	return strictjson.Unmarshal(raw, into)
}

// wrongValue is the sentence alone: line and column would count from the value.
func wrongValue(err error) string {
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

func hintForValue(p level, key string) string {
	switch {
	case p == topLevel && key == "decision":
		return `; write "approve" or "block" here, and the decision about a PermissionRequest inside hookSpecificOutput`
	case p == inSpecific && key == "decision":
		return `; {"behavior": "allow"} or {"behavior": "deny"} answers a PermissionRequest, at PreToolUse write permissionDecision`
	}
	return ""
}

// specific reads hookSpecificOutput. When it is about another event nothing in it
// counts.
func (r *reading) specific(raw strictjson.Raw, into **Specific) error {
	var members map[string]strictjson.Raw
	if err := readValue(raw, &members); err != nil {
		return err
	}
	if name, ok := members[keyEventName]; ok {
		var event string
		if err := readValue(name, &event); err != nil {
			return fmt.Errorf("%s: %s", keyEventName, wrongValue(err))
		}
		if Event(event) != r.event {
			r.foreign(event)
			return nil
		}
	}
	*into = &Specific{}
	r.object(inSpecific, members, (*into).field)
	return nil
}

func (r *reading) foreign(event string) {
	r.fault(fmt.Sprintf("hookEventName is %s and this event is %s", quoted(event), r.event),
		fmt.Sprintf("write %q, or answer the other event in a hook of its own", string(r.event)))
}

func (r *reading) decision(raw strictjson.Raw, into **RequestDecision) error {
	var members map[string]strictjson.Raw
	if err := readValue(raw, &members); err != nil {
		return err
	}
	*into = &RequestDecision{}
	r.object(inDecision, members, (*into).field)
	return nil
}

// objectValue and arrayValue are kept as they were written, and must be of one kind.
type (
	objectValue strictjson.Raw
	arrayValue  strictjson.Raw
)

func (v *objectValue) UnmarshalJSON(data []byte) error {
	return keep((*strictjson.Raw)(v), data, "an object")
}

func (v *arrayValue) UnmarshalJSON(data []byte) error {
	return keep((*strictjson.Raw)(v), data, "an array")
}

func keep(into *strictjson.Raw, data []byte, want string) error {
	if got := jsonKind(data); got != want {
		return fmt.Errorf("want %s, got %s", want, got)
	}
	return into.UnmarshalJSON(data)
}

// jsonKind names the kind of a valid JSON value.
func jsonKind(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}
