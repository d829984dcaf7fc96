package guard_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/permission"
)

// Whoever says yes to another input than the agent's says it where other settings may hold. What
// the settings here ask for the class of that input was asked of nobody, so it does not run.
func TestA4_AnotherInputOfAStricterClass(t *testing.T) {
	for name, tt := range map[string]struct {
		approvals, command, input string
		runs                      bool
	}{
		"two people":             {`{"high": {"approvers": 2}}`, "make", "rm -rf ./scratch", false},
		"somebody else":          {`{"high": {"notRequester": true}}`, "make", "rm -rf ./scratch", false},
		"a reason":               {`{"high": {"reason": true}}`, "make", "rm -rf ./scratch", false},
		"of the same class":      {`{"medium": {"approvers": 2}}`, "make", "make -n", true},
		"of a class for less":    {`{"high": {"approvers": 2}}`, "rm -rf ./scratch", "make", true},
		"as much as for the own": {`{"any": {"approvers": 2}}`, "make", "rm -rf ./scratch", true},
		"nothing":                {`{"high": {"expires": "1h"}}`, "make", "rm -rf ./scratch", true},
	} {
		t.Run(name, func(t *testing.T) {
			p := yes()
			p.answer.Input, p.answer.Risk = []byte(`{"command":"`+tt.input+`"}`), permission.HighRisk
			w := newWorld(t, dialect.Codex).asks(p)
			w.write(w.home, ".claude/settings.json", `{"assent": {"approvals": `+tt.approvals+`}}`)
			reply := text(w.send(w.sessioned(tt.command)))
			if runs := strings.Contains(reply, `"updatedInput"`); runs != tt.runs || !runs && !strings.Contains(reply, "ask for more") {
				t.Errorf("%s", reply)
			}
		})
	}
}
