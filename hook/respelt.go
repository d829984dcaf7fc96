package hook

import (
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// respelt is an input as hooks are told it: what a model, a tool or a server wrote is
// in its one spelling. A hook that looks for "--force" in the text finds it, however
// it was escaped. Text that is not UTF-8 has no place in JSON; what cannot be read of it
// is replaced, since one byte must not keep a prompt from the hook that looks at it.
func respelt(in Input) (Input, error) {
	var err error
	put := func(raws ...*strictjson.Raw) {
		for _, raw := range raws {
			if *raw != nil && err == nil {
				*raw, err = strictjson.Canonical(*raw)
			}
		}
	}
	switch in := in.(type) {
	case PreToolUseInput: // a directory must be the one that it is where a call is judged
		put(&in.ToolInput)
		return in, err
	case PostToolUseInput:
		put(&in.ToolInput, &in.ToolResponse)
		in.makeValid()
		return in, err
	case PostToolUseFailureInput:
		put(&in.ToolInput)
		in.makeValid(&in.Error)
		return in, err
	case PermissionRequestInput: // as where a call is judged
		put(&in.ToolInput, &in.PermissionSuggestions)
		return in, err
	case PermissionDeniedInput:
		put(&in.ToolInput)
		in.makeValid(&in.Reason)
		return in, err
	case NotificationInput:
		in.makeValid(&in.Message, &in.Title)
		return in, nil
	case UserPromptSubmitInput:
		in.makeValid(&in.Prompt)
		return in, nil
	case SessionStartInput:
		in.makeValid()
		return in, nil
	case SessionEndInput:
		in.makeValid()
		return in, nil
	case StopInput:
		in.makeValid(&in.LastAssistantMessage)
		return in, nil
	case SubagentStartInput:
		in.makeValid()
		return in, nil
	case SubagentStopInput:
		in.makeValid(&in.AgentTranscriptPath, &in.LastAssistantMessage)
		return in, nil
	case PreCompactInput:
		in.makeValid()
		if in.CustomInstructions != nil {
			text := validText(*in.CustomInstructions)
			in.CustomInstructions = &text
		}
		return in, nil
	}
	return in, nil
}

// makeValid makes free texts of an input, and its paths, UTF-8.
func (b *Base) makeValid(texts ...*string) {
	for _, text := range append(texts, &b.TranscriptPath, &b.Cwd) {
		*text = validText(*text)
	}
}

func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
