package hook

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/strictjson"
)

// ReadOutput reads what a hook printed or answered at an event.
//
// Nothing and {} are no opinion, and so is text that does not start with "{", except
// that UserPromptSubmit and SessionStart take it as context for the model. A NUL byte
// is in no text: its author wrote something else than we would read. What
// starts with "{" must be one strict JSON object whose keys and words are known, each
// in its place; otherwise the error is a [*BrokenOutput] and the output is empty.
// The notes tell the author of the hook what was ignored, and why.
//
// At events where a broken hook does not stop anything, an objection that can be read
// is not lost to a mistake beside it: the mistake is a note then.
func ReadOutput(event Event, text []byte) (Output, []string, error) {
	text = trimOutput(text)
	switch {
	case len(text) == 0:
		return Output{}, nil, nil
	case isUTF16(text):
		return Output{}, nil, &BrokenOutput{"the output is UTF-16", "write UTF-8"}
	case bytes.IndexByte(text, 0) >= 0:
		return Output{}, nil, &BrokenOutput{"the output contains a NUL byte, as text in UTF-16 or UTF-32 does", "write UTF-8"}
	case text[0] != '{':
		out, notes := readText(event, text)
		return out, notes, nil
	}
	if first, rest, found := bytes.Cut(text, []byte("\n")); found {
		if out, ok := readAsync(first); ok && len(trimOutput(rest)) > 0 {
			return out, []string{"it goes on in the background, so what it printed after its first line is not read"}, nil
		}
	}
	return readJSON(event, text)
}

func readJSON(event Event, text []byte) (Output, []string, error) {
	var members map[string]strictjson.Raw
	if err := strictjson.Unmarshal(text, &members); err != nil {
		return Output{}, nil, &BrokenOutput{"the output starts with { and is not strict JSON (" + err.Error() + ")", "print one JSON object and nothing else"}
	}
	var out Output
	r := reading{event: event}
	r.object(topLevel, members, r.topField(&out))
	r.check(&out)
	return r.result(out)
}

// reading is one answer while it is read. Faults make it broken.
type reading struct {
	event  Event
	faults []*BrokenOutput
	notes  []string
	retry  bool // at the top level
}

func (r *reading) fault(problem, hint string) {
	r.faults = append(r.faults, &BrokenOutput{problem, hint})
}

func (r *reading) note(format string, values ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, values...))
}

// result is the end of a reading: the output without what was at fault, or the first
// fault.
func (r *reading) result(out Output) (Output, []string, error) {
	if len(r.faults) == 0 {
		return out, r.notes, nil
	}
	if r.event.failsClosed() || !out.objects() {
		return Output{}, r.notes, r.faults[0]
	}
	for _, f := range r.faults {
		r.note("ignored: %s", f.Error())
	}
	return out, r.notes, nil
}

// objects reports whether an answer holds something up. At events that go on without
// a hook that is broken, dropping such an answer would loosen something.
func (o *Output) objects() bool {
	return o.Decision == wordBlock || o.halts() || o.Specific != nil && o.Specific.Decision != nil && o.Specific.Decision.Behavior == wordDeny
}

func (o *Output) halts() bool { return o.Continue != nil && !*o.Continue }

// object reads the members of one object into the fields that field finds for them.
func (r *reading) object(p level, members map[string]strictjson.Raw, field func(key string) any) {
	understood := false
	var unknown []string
	var strays []*stray
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if into := field(key); into != nil {
			understood = understood || key != keyEventName
			r.value(p, key, members[key], into)
		} else if f := misplaced(p, key); f == nil {
			unknown = append(unknown, key)
		} else if f.decides {
			r.faults = append(r.faults, f.BrokenOutput)
		} else {
			strays = append(strays, f)
		}
	}
	switch {
	case understood:
	case len(strays) > 0:
		r.faults = append(r.faults, strays[0].BrokenOutput)
		return
	case len(unknown) > 0:
		r.fault(fmt.Sprintf("%s has no key that is known, only %s", p, quotedList(unknown)), howToAnswer(r.event))
		return
	}
	r.noteUnknown(p, unknown)
	for _, f := range strays {
		r.note("ignored: %s", f.Error())
	}
}

// maxUnknown bounds the notes about one object.
const maxUnknown = 20

func (r *reading) noteUnknown(p level, keys []string) {
	for i, key := range keys {
		if i == maxUnknown {
			r.note("%d more unknown keys in %s are ignored", len(keys)-i, p)
			return
		}
		r.note("the unknown key %s in %s is ignored", quoted(key), p)
	}
}

// readText is for output that is no JSON object.
func readText(event Event, text []byte) (Output, []string) {
	if event.takesText() {
		var notes []string
		context := strings.ToValidUTF8(string(text), "\uFFFD")
		if len(context) != len(text) || context != string(text) {
			notes = []string{"the output is not UTF-8; what could not be read was replaced"}
		}
		return Output{Specific: &Specific{AdditionalContext: context}}, notes
	}
	if bytes.IndexByte(text, '{') >= 0 {
		return Output{}, []string{"the output does not start with {, so it is text and decides nothing, whatever comes later: print the JSON object alone, and messages for people on stderr"}
	}
	return Output{}, []string{"the output is text and decides nothing: " + howToAnswer(event)}
}

// trimOutput removes what no reader of hooks takes for content: blanks of any kind,
// and the byte order mark that some shells put in front.
func trimOutput(text []byte) []byte {
	return bytes.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// isUTF16: such an answer could be taken for text, and its decision would be lost.
func isUTF16(text []byte) bool {
	for _, start := range []string{"\xff\xfe", "\xfe\xff", "\x00{", "{\x00"} {
		if bytes.HasPrefix(text, []byte(start)) {
			return true
		}
	}
	return false
}

// howToAnswer shows what a hook of the event can say.
func howToAnswer(event Event) string {
	switch {
	case event == PreToolUse:
		return `to deny, print {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "why"}}`
	case event == PermissionRequest:
		return `to deny, print {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "why"}}}`
	case event == PermissionDenied:
		return `to let the model try again, print {"hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": true}}`
	case event.takesBlock():
		return `to object, print {"decision": "block", "reason": "why"}`
	default:
		return `to tell the person something, print {"systemMessage": "what"}`
	}
}
