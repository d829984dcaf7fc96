package dialect

import (
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

const (
	allow = permission.Allow
	ask   = permission.Ask
	deny  = permission.Deny
)

// Answer is a decision in the agent's words. An event with nothing to decide is
// answered with what the agent takes for no opinion.
func Answer(e Event, o Outcome) Reply {
	if e.Kind == Notice {
		return notice(&e)
	}
	o.Reason, o.Hint = signed(o.Reason), presentable(o.Hint)
	if o.Behavior != allow && o.Behavior != ask || e.Kind == 0 {
		o.Behavior = deny
	}
	if o.Input != nil && (o.Behavior != allow || !e.TakesInput()) {
		o.Behavior, o.Input = deny, nil // its own input is not the one that was allowed
	}
	switch e.Agent {
	case Claude:
		return claudeAnswer(&e, o)
	case Codex:
		return codexAnswer(&e, o)
	case Gemini:
		return geminiAnswer(o)
	case Cursor:
		return cursorAnswer(o)
	case Copilot:
		return copilotAnswer(&e, o)
	}
	return broken
}

// notice answers an event with nothing to decide.
func notice(e *Event) Reply {
	switch e.Agent {
	case Claude, Codex:
		return Reply{}
	case Gemini, Copilot:
		return object(map[string]any{})
	case Cursor:
		return cursorNotice(e)
	}
	return broken
}

// Failure is the denial for an event that could not be judged: it cannot be read,
// the settings are broken, time ran out. The event is as much of it as is known.
func Failure(e Event, problem error) Reply {
	reason := signed("not allowed, because assent could not judge it: " + problem.Error())
	switch e.Agent {
	case Claude:
		return claudeFailure(&e, reason)
	case Codex:
		return codexFailure(&e, reason)
	case Gemini:
		return geminiFailure(&e, reason)
	case Cursor:
		return cursorFailure(&e, reason)
	case Copilot:
		return copilotFailure(&e, reason)
	}
	return broken
}

// broken is the reply when there is nothing better to say. By their documentation every
// agent takes a status of 2 with a text on standard error for a hook that blocks.
var broken = Reply{Stderr: []byte("assent: not allowed: the answer could not be written\n"), Exit: 2}

// refusal is the reason of a denial that stands in for a question as well: it says
// what a person can do about it.
func (o Outcome) refusal() string {
	if o.Behavior != ask {
		return o.Reason
	}
	text := strings.TrimSuffix(o.Reason, ".") + ". This needs a person, and this agent's hooks cannot ask one"
	if o.Hint != "" {
		text += ": " + o.Hint
	}
	return text
}

// object is a reply of one JSON object.
func object(v map[string]any) Reply {
	data, err := strictjson.Marshal(v)
	if err != nil {
		return broken
	}
	return Reply{Stdout: append(data, '\n')}
}

// signature tells readers who speaks.
const signature = "assent: "

// maxReason is how long a reason may be. A command of a megabyte explains nothing.
const maxReason = 2000

// signed is a reason as it is shown.
func signed(reason string) string {
	if reason == "" {
		reason = "no reason was recorded"
	}
	return signature + presentable(reason)
}

// presentable makes text fit for a reply: bounded, valid, and without characters
// that could move or hide what stands around them.
func presentable(text string) string {
	if len(text) > maxReason {
		cut := maxReason
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strings.Map(func(r rune) rune {
		if deceives(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// deceives: control characters, and those that turn the direction of text around or
// take no room.
func deceives(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff
}
