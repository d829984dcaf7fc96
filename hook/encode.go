package hook

import (
	"fmt"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Encode writes an input as hooks read it, on one line. What a tool was given and what
// it answered are in one spelling, whoever wrote them: keys sorted, nothing escaped
// that need not be, numbers as they were. The permission mode is left out at the
// events that do not have it.
func Encode(in Input) ([]byte, error) {
	_, text, err := tellable(in)
	return text, err
}

// tellable is an input as Go hooks are told it, and as all others read it.
func tellable(in Input) (Input, []byte, error) {
	in, err := respelt(in)
	if err != nil {
		return in, nil, cannotWrite(in, err)
	}
	text, err := write(in)
	if err == nil && in.Event().failsClosed() {
		// A hook that reads as strictly as we do must be able to read what it judges. An
		// input that is nested as deep as can be is deeper yet inside of its event.
		if problem := strictjson.Valid(text); problem != nil {
			return in, nil, cannotWrite(in, problem)
		}
	}
	return in, text, err
}

func cannotWrite(in Input, err error) error {
	return fmt.Errorf("cannot write the %s input: %w", in.Event(), err)
}

func write(in Input) ([]byte, error) {
	switch in := in.(type) {
	case PreToolUseInput:
		return encode(in.Base, in)
	case PostToolUseInput:
		return encode(in.Base, in)
	case PostToolUseFailureInput:
		return encode(in.Base, in)
	case PermissionRequestInput:
		return encode(in.Base, in)
	case PermissionDeniedInput:
		return encode(in.Base, in)
	case NotificationInput:
		return encode(in.Base, in)
	case UserPromptSubmitInput:
		return encode(in.Base, in)
	case SessionStartInput:
		return encode(in.Base, in)
	case SessionEndInput:
		return encode(in.Base, in)
	case StopInput:
		return encode(in.Base, in)
	case SubagentStartInput:
		return encode(in.Base, in)
	case SubagentStopInput:
		return encode(in.Base, in)
	case PreCompactInput:
		return encode(in.Base, in)
	}
	return nil, fmt.Errorf("%T is no hook input: pass one of the input types of this package, by value", in)
}

// wireInput is an input with its event's name. Base stands here as well as in Own,
// and the outer one is what is written.
type wireInput[T Input] struct {
	Base
	HookEventName Event `json:"hook_event_name"`
	Own           T     `json:",embed"`
}

func encode[T Input](base Base, in T) ([]byte, error) {
	if !in.Event().hasMode() {
		base.PermissionMode = ""
	}
	text, err := strictjson.Marshal(wireInput[T]{Base: base, HookEventName: in.Event(), Own: in})
	if err != nil {
		return nil, cannotWrite(in, err)
	}
	return text, nil
}
