package hook

import (
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// A script whose variable was empty has lost the word it wanted to say: that is no
// answer, and not the answer "no opinion".
func TestH10_AnEmptyDecisionWordIsNoAnswer(t *testing.T) {
	for _, text := range []string{
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": ""}}`,
		`{"hookSpecificOutput": {"permissionDecision": "", "permissionDecisionReason": "refund too high"}}`,
		`{"decision": ""}`,
		`{"decision": "", "reason": "forbidden"}`,
		`{"decision": "", "async": true}`,
	} {
		s := newSession(t, Config{Entries: before(printing("x", text))}, textRule(t, rule.Allow, "Bash"))
		wantDecision(t, s.bash("make deploy"), denied, "hook broken: callback x: ", "is empty", "leave the key out")
		if v := newSession(t, Config{Entries: entriesAt(Stop, printing("x", text))}).run(StopInput{}); v.Runs[0].Outcome != Broken {
			t.Errorf("Stop, %s: %v", text, v.Runs[0].Outcome)
		}
	}
	// A denial beside an empty word is still heard where a broken hook stops nothing.
	text := `{"decision": "block", "reason": "no", "hookSpecificOutput": {"permissionDecision": ""}}`
	if v := newSession(t, Config{Entries: entriesAt(Stop, printing("x", text))}).run(StopInput{}); !v.Block {
		t.Errorf("%+v", v)
	}
	// A Go function cannot leave a field out.
	for _, out := range []Output{{}, {Specific: &Specific{}}, {Specific: &Specific{PermissionDecisionReason: "x"}}} {
		s := newSession(t, Config{Entries: before(saying("x", out))}, textRule(t, rule.Allow, "Bash"))
		j := s.bash("make deploy")
		wantDecision(t, j, allowed)
		if j.Verdict.Permission.Behavior != permission.Pass {
			t.Errorf("%+v", j.Verdict.Permission)
		}
	}
}
