package hook

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// What is broken or ignored in a text is so in the answer of a Go function.
func TestS19_AnswersOfGoFunctionsAreHeldToTheSameRules(t *testing.T) {
	inner := func(s Specific) Output { return Output{Specific: &s} }
	no := false
	tests := []struct {
		name   string
		event  Event
		out    Output
		broken string
		notes  int
	}{
		{"no opinion", PreToolUse, Output{}, "", 0},
		{"deny", PreToolUse, Deny("r"), "", 0},
		{"unknown word", PreToolUse, inner(Specific{PermissionDecision: "reject"}), `the word "reject" is no permissionDecision`, 0},
		{"unknown older word", PreToolUse, Output{Decision: "deny"}, `the word "deny" is no decision`, 0},
		{"foreign event", PreToolUse, inner(Specific{HookEventName: PostToolUse, PermissionDecision: "allow"}), "hookEventName is", 0},
		{"deny at another event", UserPromptSubmit, Deny("r"), "it belongs to PreToolUse", 0},
		{"answer at another event", PreToolUse, AnswerDeny("m"), "it belongs to PermissionRequest", 0},
		{"no behavior", PermissionRequest, inner(Specific{Decision: &RequestDecision{Message: "m"}}), "no behavior", 0},
		{"half JSON as input", PreToolUse, inner(Specific{PermissionDecision: "allow", UpdatedInput: strictjson.Raw(`{"a"`)}), "updatedInput", 0},
		{"a key twice in the input", PreToolUse, inner(Specific{PermissionDecision: "allow", UpdatedInput: strictjson.Raw(`{"a":1,"a":2}`)}), "occurs twice", 0},
		{"a list as input", PreToolUse, inner(Specific{PermissionDecision: "allow", UpdatedInput: strictjson.Raw(`[]`)}), "want an object, got an array", 0},
		{"nothing as input", PreToolUse, inner(Specific{PermissionDecision: "allow", UpdatedInput: strictjson.Raw{}}), "updatedInput", 0},
		{"null as result", PostToolUse, inner(Specific{UpdatedToolOutput: strictjson.Raw(`null`)}), "updatedToolOutput", 0},
		{"an object of updates", PermissionRequest, inner(Specific{Decision: &RequestDecision{Behavior: "allow", UpdatedPermissions: strictjson.Raw(`{}`)}}), "want an array", 0},
		{"result before the call", PreToolUse, inner(Specific{UpdatedToolOutput: strictjson.Raw(`"x"`)}), "", 1},
		{"background and deny", PreToolUse, Output{Async: true, Specific: &Specific{PermissionDecision: "deny"}}, "leave out one of them", 0},
		{"background and stop", PreToolUse, Output{Async: true, Continue: &no}, "leave out one of them", 0},
		{"negative timeout", PreToolUse, Output{Async: true, AsyncTimeout: -1}, "asyncTimeout", 0},
		{"approve a prompt", UserPromptSubmit, Output{Decision: "approve"}, "", 1},
		{"bytes that are no text", PreToolUse, Deny("caf\xe9"), "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := test.out
			notes, err := out.Check(test.event)
			if test.broken == "" {
				if err != nil || len(notes) != test.notes {
					t.Errorf("notes %q, %v", notes, err)
				}
				return
			}
			if b, ok := err.(*BrokenOutput); !ok || !strings.Contains(b.Error(), test.broken) || !reflect.DeepEqual(out, Output{}) {
				t.Errorf("got %+v, %v; want broken: %s", out, err, test.broken)
			}
		})
	}
}

// A Go hook may return the same value at every event, from many goroutines.
func TestS19_CheckingDoesNotChangeWhatTheFunctionKeeps(t *testing.T) {
	kept := Output{Specific: &Specific{
		PermissionDecisionReason: "\xff", Retry: true, UpdatedToolOutput: strictjson.Raw(`"x"`),
		Decision: &RequestDecision{Behavior: "allow", Message: "\xff", UpdatedInput: strictjson.Raw(`[]`)},
	}}
	out := kept
	if _, err := out.Check(PermissionRequest); err == nil {
		t.Error("a list is no input")
	}
	d := kept.Specific.Decision
	if !kept.Specific.Retry || kept.Specific.PermissionDecisionReason != "\xff" || d.Message != "\xff" || string(d.UpdatedInput) != "[]" {
		t.Errorf("changed to %+v %+v", kept.Specific, d)
	}
}

func TestS19_TextsOfGoFunctionsBecomeUTF8(t *testing.T) {
	out := Deny("caf\xe9")
	if _, err := out.Check(PreToolUse); err != nil || out.Specific.PermissionDecision != "deny" || out.Specific.PermissionDecisionReason != "caf\uFFFD" {
		t.Errorf("got %+v, %v", out.Specific, err)
	}
}
