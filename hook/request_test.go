package hook

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func requestAnswered(t *testing.T, tool string, hooks ...Handler) (*permission.Answer, Verdict) {
	t.Helper()
	v := newSession(t, Config{Entries: entriesAt(PermissionRequest, hooks...)}).run(PermissionRequestInput{ToolName: tool, ToolInput: strictjson.Raw(`{}`)})
	if v.Permission.Behavior != permission.Pass {
		t.Errorf("a PermissionRequest hook speaks for PreToolUse: %+v", v.Permission)
	}
	return v.Answer, v
}

func TestPermissionRequestAnswers(t *testing.T) {
	allow := AnswerAllow()
	if a, _ := requestAnswered(t, "Bash", saying("a", Output{})); a != nil {
		t.Errorf("nobody answered: %+v", a)
	}
	if a, _ := requestAnswered(t, "Bash", saying("a", allow), saying("b", Output{})); a == nil || a.Behavior != allowed || a.UpdatedInput != nil || a.Answered {
		t.Errorf("allow: %+v", a)
	}
	a, _ := requestAnswered(t, "Bash", saying("a", AnswerDeny("first")), saying("b", allow), saying("c", AnswerDeny("")))
	if a == nil || a.Behavior != denied || !strings.HasPrefix(a.Message, "1. first\n2. denied by hook function c") {
		t.Errorf("deny beats allow: %+v", a)
	}
	a, v := requestAnswered(t, "Bash",
		printing("a", `{"hookSpecificOutput": {"decision": {"behavior": "allow", "updatedInput": {"command": "a"}, "interrupt": true}}}`),
		printing("b", `{"hookSpecificOutput": {"decision": {"behavior": "allow", "updatedInput": {"command": "b"}}}}`))
	if a == nil || string(a.UpdatedInput) != `{"command": "b"}` || a.Interrupt {
		t.Errorf("two inputs: %+v", a)
	}
	wantNote(t, v.Runs[0], "updatedInput is ignored")
	wantNote(t, v.Runs[0], "interrupt is ignored")
	wantNote(t, v.Runs[1], "this one counts")
	a, _ = requestAnswered(t, "Bash", printing("a", `{"hookSpecificOutput": {"decision": {"behavior": "deny", "message": "stop", "interrupt": true}}}`))
	if a == nil || !a.Interrupt || a.Message != "stop" {
		t.Errorf("interrupt: %+v", a)
	}
}

// A question to a person counts as answered only together with answers.
func TestPermissionRequestAnswersAQuestion(t *testing.T) {
	for text, want := range map[string]bool{
		`{"questions": [], "answers": {"Which?": "this"}}`: true,
		`{"questions": [], "answers": {}}`:                 false,
		`{"questions": []}`:                                false,
		`{"answers": "yes"}`:                               false,
	} {
		hook := printing("a", `{"hookSpecificOutput": {"decision": {"behavior": "allow", "updatedInput": `+text+`}}}`)
		if a, _ := requestAnswered(t, "AskUserQuestion", hook); a == nil || a.Answered != want {
			t.Errorf("%s: %+v", text, a)
		}
		if a, _ := requestAnswered(t, "ExitPlanMode", hook); a == nil || a.Answered {
			t.Errorf("a plan is answered by %s", text)
		}
	}
}

func TestS38_UpdatesBesideADenial(t *testing.T) {
	const updates = `[
		{"type": "addRules", "behavior": "deny", "rules": [{"toolName": "Bash", "ruleContent": "rm:*"}], "destination": "session"},
		{"type": "addRules", "behavior": "allow", "rules": [{"toolName": "Bash"}], "destination": "session"},
		{"type": "replaceRules", "behavior": "deny", "rules": [{"toolName": "Bash"}], "destination": "session"},
		{"type": "setMode", "mode": "bypassPermissions", "destination": "session"},
		{"type": "shout", "destination": "session"},
		{"type": "removeRules", "behavior": "allow", "rules": [{"toolName": "Edit"}], "destination": "localSettings"}]`
	hook := func(id, behavior string) Handler {
		return printing(id, `{"hookSpecificOutput": {"decision": {"behavior": "`+behavior+`", "updatedPermissions": `+updates+`}}}`)
	}
	a, v := requestAnswered(t, "Bash", hook("a", "deny"))
	if len(a.Updates) != 2 || a.Updates[0].Behavior != rule.Deny || a.Updates[0].Rules[0] != "Bash(rm:*)" || a.Updates[1].Type != permission.RemoveRules {
		t.Errorf("beside a denial: %+v", a.Updates)
	}
	for _, part := range []string{"permission update 5 is ignored", "addRules is ignored", "replaceRules is ignored", "setMode is ignored"} {
		wantNote(t, v.Runs[0], part)
	}
	if a, _ = requestAnswered(t, "Bash", hook("a", "allow")); len(a.Updates) != 5 {
		t.Errorf("beside an allow: %+v", a.Updates)
	}
	if a, _ = requestAnswered(t, "Bash", hook("a", "allow"), saying("b", AnswerDeny("no"))); a.Behavior != denied || len(a.Updates) != 2 {
		t.Errorf("an allow that lost: %+v", a)
	}
}

func TestReadUpdates(t *testing.T) {
	for text, want := range map[string]int{`[]`: 0, `null`: 0, `{}`: 0, `[1, {"type": "setMode", "mode": "plan"}]`: 1, `[{"type": "addRules"}]`: 0} {
		updates, notes := ReadUpdates(strictjson.Raw(text))
		if len(updates) != want || (len(notes) == 0) != (text == `[]` || text == `null`) {
			t.Errorf("%s: %v, notes %q", text, updates, notes)
		}
	}
}
