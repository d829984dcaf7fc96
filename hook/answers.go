package hook

import (
	"errors"
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// The answers of Go hooks. The zero [Output] is no opinion.

// Allow lets a call run without a question, unless a rule or a safety check objects
// (PreToolUse).
func Allow() Output { return permit(wordAllow, "") }

// AllowWith is [Allow] with another input: changes is anything that becomes a JSON
// object. Its keys replace those of the tool's input, null deletes one, all others stay
// as they are.
func AllowWith(changes any) (Output, error) {
	text, err := strictjson.Marshal(changes)
	if err != nil {
		return Output{}, fmt.Errorf("cannot write the changed input as JSON: %w", err)
	}
	if jsonKind(text) != "an object" {
		return Output{}, errors.New("the changed input is no JSON object: pass a map or a struct with the keys that change")
	}
	out := Allow()
	out.Specific.UpdatedInput = text
	return out, nil
}

// Deny stops a call. The model reads the reason: say what it should do instead
// (PreToolUse).
func Deny(reason string) Output { return permit(wordDeny, reason) }

// Ask puts a call before a person, also where a rule allows it (PreToolUse).
func Ask(reason string) Output { return permit(wordAsk, reason) }

// Defer parks a call until somebody has decided about it (PreToolUse).
func Defer(reason string) Output { return permit(wordDefer, reason) }

func permit(word, reason string) Output {
	return Output{Specific: &Specific{PermissionDecision: word, PermissionDecisionReason: reason}}
}

// Announced lets the model know that the input was changed.
func (o Output) Announced() Output {
	var specific Specific
	if o.Specific != nil {
		specific = *o.Specific
	}
	specific.AnnounceInput = true
	o.Specific = &specific
	return o
}

// Context gives the model something to read beside the prompt or the result.
func Context(text string) Output { return Output{Specific: &Specific{AdditionalContext: text}} }

// Block objects where there is no call to deny: it keeps a prompt from the model, tells
// the model what is wrong with a result, or makes it go on at the end of a turn.
func Block(reason string) Output { return Output{Decision: wordBlock, Reason: reason} }

// Halt stops the session after this turn.
func Halt(reason string) Output {
	no := false
	return Output{Continue: &no, StopReason: reason}
}

// Message tells the person something, and not the model.
func Message(text string) Output { return Output{SystemMessage: text} }

// Background lets a command or a callback go on while nobody waits for it; it decides
// nothing. Zero leaves the time to the entry. A Go function that returns it has ended, so
// there is nothing left to go on: use [Entry.Async] for one that is to run in the
// background.
func Background(timeout time.Duration) Output {
	milliseconds := max(timeout, 0).Milliseconds()
	if timeout > 0 && milliseconds == 0 {
		milliseconds = 1 // zero would mean something else
	}
	return Output{Async: true, AsyncTimeout: int(milliseconds)}
}

// ReplaceResult changes what the model sees of a result; the result itself stays on
// record (PostToolUse).
func ReplaceResult(value any) (Output, error) {
	text, err := strictjson.Marshal(value)
	if err != nil {
		return Output{}, fmt.Errorf("cannot write the result as JSON: %w", err)
	}
	return Output{Specific: &Specific{UpdatedToolOutput: text}}, nil
}

// AnswerAllow answers a question in the place of the person (PermissionRequest).
func AnswerAllow() Output { return answer(RequestDecision{Behavior: wordAllow}) }

// AnswerDeny refuses in the place of the person; the model reads the message
// (PermissionRequest).
func AnswerDeny(message string) Output {
	return answer(RequestDecision{Behavior: wordDeny, Message: message})
}

func answer(d RequestDecision) Output { return Output{Specific: &Specific{Decision: &d}} }

// TryAgain tells the model that it may repeat the call (PermissionDenied).
func TryAgain() Output { return Output{Specific: &Specific{Retry: true}} }
