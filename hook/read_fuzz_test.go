package hook

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// FuzzReadOutput: reading never panics; broken output says nothing; and whatever
// permits a call or changes it stands in strict JSON, in its place, word for word, as
// another reader sees it.
func FuzzReadOutput(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "text", `{"decision":"block","reason":"r"}`, `{"decision":"approve"}`, `{"async":true,"asyncTimeout":5}` + "\nmore",
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"a":null}}}`,
		`{"hookSpecificOutput":{"permissionDecision":"allow"}}{}`, "\ufeff{\"hookSpecificOutput\":{\"permissionDecision\":\"allow\"}}",
		`{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedPermissions":[]}}}`, `{"continue":false,"permissionDecision":"deny"}`,
		`{"permissiondecision":"allow"}`, "{\"reason\":\"\xff\"}", `{"retry":true}`, "\xff\xfe{", `{"hookSpecificOutput":{"updatedToolOutput":"o"}}`,
	} {
		for i := range Events {
			f.Add(i, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which int, text []byte) {
		event := Events[uint(which)%uint(len(Events))]
		out, notes, err := ReadOutput(event, text)
		permits := out.Decision == wordApprove
		if s := out.Specific; s != nil {
			permits = permits || s.PermissionDecision == wordAllow || s.Decision != nil && s.Decision.Behavior == wordAllow || s.UpdatedInput != nil
		}
		if err != nil {
			b, ok := errors.AsType[*BrokenOutput](err)
			if !ok || b.Problem == "" || b.Hint == "" || permits || out.decides() || out.Async {
				t.Fatalf("%s %q is broken and says %+v, %v", event, text, out, err)
			}
			return
		}
		if permits {
			checkPermits(t, event, out, trimOutput(text))
		}
		if len(notes) > 4*maxUnknown {
			t.Fatalf("%d notes", len(notes))
		}
		again, againNotes, err := reread(event, out)
		if err != nil || len(againNotes) > len(notes) || again.decides() != out.decides() {
			t.Fatalf("%s %q became %+v, and that %+v, %q, %v", event, text, out, again, againNotes, err)
		}
	})
}

// reread writes an answer that was read and reads it again.
func reread(event Event, out Output) (Output, []string, error) {
	text, err := strictjson.Marshal(out)
	if err != nil {
		return Output{}, nil, err
	}
	return ReadOutput(event, text)
}

func checkPermits(t *testing.T, event Event, out Output, text []byte) {
	if err := strictjson.Valid(text); err != nil {
		t.Fatalf("%s %q is no strict JSON and permits: %+v", event, text, out)
	}
	var other struct {
		Decision string `json:"decision"`
		Specific struct {
			Event              *string         `json:"hookEventName"`
			PermissionDecision string          `json:"permissionDecision"`
			UpdatedInput       json.RawMessage `json:"updatedInput"`
			Decision           struct {
				Behavior string `json:"behavior"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(text, &other); err != nil {
		t.Fatalf("%s %q permits, and another reader says %v", event, text, err)
	}
	if name := other.Specific.Event; name != nil && *name != string(event) {
		t.Fatalf("%s %q is about %s", event, text, *name)
	}
	if out.Decision != other.Decision && out.Decision == wordApprove {
		t.Fatalf("%s %q: %q for another reader", event, text, other.Decision)
	}
	s := out.Specific
	if s == nil {
		return
	}
	if s.PermissionDecision == wordAllow && (event != PreToolUse || other.Specific.PermissionDecision != wordAllow) {
		t.Fatalf("%s %q: %q for another reader", event, text, other.Specific.PermissionDecision)
	}
	if s.Decision != nil && s.Decision.Behavior == wordAllow && (event != PermissionRequest || other.Specific.Decision.Behavior != wordAllow) {
		t.Fatalf("%s %q: %q for another reader", event, text, other.Specific.Decision.Behavior)
	}
	if s.UpdatedInput != nil && (event != PreToolUse || string(other.Specific.UpdatedInput) != string(s.UpdatedInput)) {
		t.Fatalf("%s %q: input %s for another reader", event, text, other.Specific.UpdatedInput)
	}
}
