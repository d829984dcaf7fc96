package hook_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
)

// Each answer is accepted at its event, means there what its name says, and reads the
// same when a command prints it.
func TestH5_Answers(t *testing.T) {
	sandboxed, err := hook.AllowWith(map[string]any{"file_path": "/sandbox/main.py", "note": nil})
	if err != nil {
		t.Fatal(err)
	}
	clean, err := hook.ReplaceResult("2025-11-15")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		event hook.Event
		out   hook.Output
		want  string
	}{
		{hook.PreToolUse, hook.Output{}, `{}`},
		{hook.PreToolUse, hook.Allow(), `{"hookSpecificOutput":{"permissionDecision":"allow"}}`},
		{hook.PreToolUse, sandboxed, `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"file_path":"/sandbox/main.py","note":null}}}`},
		{hook.PreToolUse, sandboxed.Announced(), `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"file_path":"/sandbox/main.py","note":null},"announceInput":true}}`},
		{hook.PreToolUse, hook.Deny("no"), `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		{hook.PreToolUse, hook.Ask("sure?"), `{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}`},
		{hook.PreToolUse, hook.Defer("later"), `{"hookSpecificOutput":{"permissionDecision":"defer","permissionDecisionReason":"later"}}`},
		{hook.SessionStart, hook.Context("c"), `{"hookSpecificOutput":{"additionalContext":"c"}}`},
		{hook.Stop, hook.Block("tests fail"), `{"decision":"block","reason":"tests fail"}`},
		{hook.PreToolUse, hook.Halt("enough"), `{"continue":false,"stopReason":"enough"}`},
		{hook.Notification, hook.Message("hello"), `{"systemMessage":"hello"}`},
		{hook.PostToolUse, hook.Background(0), `{"async":true}`},
		{hook.PostToolUse, hook.Background(-time.Second), `{"async":true}`},
		{hook.PostToolUse, hook.Background(time.Microsecond), `{"async":true,"asyncTimeout":1}`},
		{hook.PostToolUse, hook.Background(5 * time.Second), `{"async":true,"asyncTimeout":5000}`},
		{hook.PostToolUse, clean, `{"hookSpecificOutput":{"updatedToolOutput":"2025-11-15"}}`},
		{hook.PermissionRequest, hook.AnswerAllow(), `{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}`},
		{hook.PermissionRequest, hook.AnswerDeny("no"), `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no"}}}`},
		{hook.PermissionDenied, hook.TryAgain(), `{"hookSpecificOutput":{"retry":true}}`},
	}
	for _, test := range tests {
		checked := test.out
		notes, err := checked.Check(test.event)
		if err != nil || notes != nil {
			t.Errorf("%s: %q, %v", test.want, notes, err)
		}
		text, err := strictjson.Marshal(checked)
		if err != nil || string(text) != test.want {
			t.Errorf("got %s, %v; want %s", text, err, test.want)
		}
		read, notes, err := hook.ReadOutput(test.event, text)
		if again, _ := strictjson.Marshal(read); err != nil || notes != nil || string(again) != test.want {
			t.Errorf("read as %s, %q, %v; want %s", again, notes, err, test.want)
		}
	}
}

func TestH9_AChangedInputMustBeAnObject(t *testing.T) {
	for _, changes := range []any{nil, "file_path", []string{"file_path"}, 5, func() {}, "\xff"} {
		if out, err := hook.AllowWith(changes); err == nil || out.Specific != nil {
			t.Errorf("AllowWith(%T) = %+v, %v", changes, out, err)
		}
	}
	if out, err := hook.ReplaceResult(func() {}); err == nil || out.Specific != nil {
		t.Errorf("ReplaceResult of a function = %+v, %v", out, err)
	}
}

func TestH14_AnnouncedLeavesTheOriginalAlone(t *testing.T) {
	allow := hook.Allow()
	if announced := allow.Announced(); allow.Specific.AnnounceInput || !announced.Specific.AnnounceInput {
		t.Errorf("%+v, %+v", allow.Specific, announced.Specific)
	}
	if empty := (hook.Output{}).Announced(); !empty.Specific.AnnounceInput {
		t.Errorf("%+v", empty.Specific)
	}
}

// A limit for refunds, and a sandbox for everything that is written.
func ExampleDeny() {
	judge := func(in hook.PreToolUseInput) (hook.Output, error) {
		var input struct {
			Amount   float64 `json:"amount"`
			FilePath string  `json:"file_path"`
		}
		if err := strictjson.Unmarshal(in.ToolInput, &input); err != nil {
			return hook.Output{}, err // a hook that fails never lets a call through
		}
		switch {
		case strings.HasSuffix(in.ToolName, "process_refund") && input.Amount > 500:
			return hook.Deny("The refund exceeds the limit of $500. Use escalate_to_human instead."), nil
		case in.ToolName == "Write":
			return hook.AllowWith(map[string]any{"file_path": "/sandbox" + input.FilePath})
		}
		return hook.Output{}, nil // no opinion
	}

	for _, in := range []hook.PreToolUseInput{
		{ToolName: "mcp__pay__process_refund", ToolInput: strictjson.Raw(`{"amount":900}`)},
		{ToolName: "Write", ToolInput: strictjson.Raw(`{"file_path":"/src/main.py","content":"x"}`)},
		{ToolName: "Read", ToolInput: strictjson.Raw(`{"file_path":"/src/main.py"}`)},
	} {
		out, err := judge(in)
		if err != nil {
			fmt.Println(err)
			continue
		}
		text, _ := strictjson.Marshal(out)
		fmt.Printf("%s: %s\n", in.ToolName, text)
	}
	// Output:
	// mcp__pay__process_refund: {"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"The refund exceeds the limit of $500. Use escalate_to_human instead."}}
	// Write: {"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"file_path":"/sandbox/src/main.py"}}}
	// Read: {}
}
