package hook

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// Text that is not UTF-8 switches no hook off: what cannot be read is replaced.
func TestH10_TextThatIsNotUTF8IsTold(t *testing.T) {
	const bad, good = "my password\xff", "my password\uFFFD"
	instructions := bad
	for _, in := range []Input{
		UserPromptSubmitInput{Prompt: bad},
		PostToolUseFailureInput{ToolName: "Bash", ToolInput: []byte("{}"), Error: bad},
		PermissionDeniedInput{ToolName: "Bash", ToolInput: []byte("{}"), Reason: bad},
		NotificationInput{Message: bad, Title: bad},
		StopInput{LastAssistantMessage: bad},
		SubagentStopInput{LastAssistantMessage: bad},
		PreCompactInput{CustomInstructions: &instructions},
		StopInput{Base: Base{Cwd: "/tmp/" + bad, TranscriptPath: bad}},
	} {
		told, text, err := tellable(in)
		if err != nil {
			t.Errorf("%s: %v", in.Event(), err)
			continue
		}
		if back, err := Decode(text); err != nil || !strings.Contains(string(text), good) || !reflect.DeepEqual(back, told) {
			t.Errorf("%s: %s: %v", in.Event(), text, err)
		}
	}
	if instructions != bad {
		t.Error("the text of the caller was changed")
	}
	// Where a call is judged, a directory must be the one that it is.
	s := newSession(t, Config{Entries: before(saying("x", Output{}))}, textRule(t, rule.Allow, "Bash"))
	j := s.pipeline.Judge(t.Context(), s.snapshot, permission.Request{Tool: "Bash", Input: []byte(`{"command":"ls"}`)}, Base{Cwd: "/tmp/" + bad}, "")
	wantDecision(t, j, denied, "hook broken")
}

// What a hook cannot read is not told to it: the call is refused with the reason.
func TestH10_AnEventThatNobodyCouldRead(t *testing.T) {
	depth := strictjson.MaxDepth - 1 // and the object around it
	input := `{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`
	s := newSession(t, Config{Entries: before(saying("x", Output{}))}, textRule(t, rule.Allow, "mcp__x"))
	wantDecision(t, s.judge("mcp__x__y", input), denied, "hook broken", "nested more than 256 levels deep")
	if _, err := Encode(PreToolUseInput{ToolName: "x", ToolInput: []byte(input)}); err == nil {
		t.Error("it is written all the same")
	}
	// Where nothing is judged the hooks run all the same: most readers do not mind.
	if _, err := Encode(PostToolUseInput{ToolName: "x", ToolInput: []byte(input)}); err != nil {
		t.Error(err)
	}
}
