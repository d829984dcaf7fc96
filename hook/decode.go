package hook

import (
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// UnknownEventError is an event that this package does not know. A caller that judges
// calls must not take it for one that needs no judgement.
type UnknownEventError struct {
	Name string // empty when the text names none
}

func (e *UnknownEventError) Error() string {
	if e.Name == "" {
		return "the event has no hook_event_name: write for example \"hook_event_name\": \"PreToolUse\""
	}
	return fmt.Sprintf("the event %s is not known", quoted(e.Name))
}

// Decode reads an event as [Encode] or an agent that uses the same format writes it.
// Keys that the event does not have are ignored. A key that occurs twice, a value of
// the wrong type and a tool event without its tool or input are errors; an event
// that is not known is an [*UnknownEventError].
func Decode(text []byte) (Input, error) {
	var head struct {
		HookEventName Event `json:"hook_event_name"`
	}
	if err := strictjson.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("cannot read the event: %w", err)
	}
	in, err := decodeAs(head.HookEventName, text)
	if err != nil {
		return nil, err
	}
	if err := checkCall(in); err != nil {
		return nil, err
	}
	return in, nil
}

func decodeAs(event Event, text []byte) (Input, error) {
	switch event {
	case PreToolUse:
		return decode[PreToolUseInput](event, text)
	case PostToolUse:
		return decode[PostToolUseInput](event, text)
	case PostToolUseFailure:
		return decode[PostToolUseFailureInput](event, text)
	case PermissionRequest:
		return decode[PermissionRequestInput](event, text)
	case PermissionDenied:
		return decode[PermissionDeniedInput](event, text)
	case Notification:
		return decode[NotificationInput](event, text)
	case UserPromptSubmit:
		return decode[UserPromptSubmitInput](event, text)
	case SessionStart:
		return decode[SessionStartInput](event, text)
	case SessionEnd:
		return decode[SessionEndInput](event, text)
	case Stop:
		return decode[StopInput](event, text)
	case SubagentStart:
		return decode[SubagentStartInput](event, text)
	case SubagentStop:
		return decode[SubagentStopInput](event, text)
	case PreCompact:
		return decode[PreCompactInput](event, text)
	}
	return nil, &UnknownEventError{Name: string(event)}
}

func decode[T Input](event Event, text []byte) (Input, error) {
	var in T
	if err := strictjson.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("cannot read the %s event: %w", event, err)
	}
	return in, nil
}

// checkCall: an event about a tool says which, and what it was given. Without them
// nobody can judge the call, and an empty name would match no rule.
func checkCall(in Input) error {
	var input strictjson.Raw
	switch in := in.(type) {
	case PreToolUseInput:
		input = in.ToolInput
	case PostToolUseInput:
		input = in.ToolInput
	case PostToolUseFailureInput:
		input = in.ToolInput
	case PermissionRequestInput:
		input = in.ToolInput
	case PermissionDeniedInput:
		input = in.ToolInput
	default:
		return nil
	}
	if in.Subject() == "" {
		return fmt.Errorf("the %s event has no tool_name", in.Event())
	}
	if input == nil || string(input) == "null" {
		return fmt.Errorf("the %s event has no tool_input", in.Event())
	}
	return nil
}
