package agent_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// Calls that cannot wait as a transcript says are not taken up, whoever has written it:
// what a person was shown is what runs, where it runs.
func TestD8_CallsThatCannotWaitAreNotTakenUp(t *testing.T) {
	input := strictjson.Raw(`{"command":"make"}`)
	turn := model.Message{Role: model.Assistant, Content: []model.Block{{Kind: model.ToolUse, ID: "c1", Name: "Bash", Input: input}}}
	call := session.PendingCall{ToolUseID: "c1", Tool: "Bash", Input: input, Cwd: "/project"}
	elsewhere := call
	elsewhere.Cwd = "/srv"
	for name, tt := range map[string]struct {
		messages []model.Message
		call     session.PendingCall
		want     string
	}{
		"as it should be":   {[]model.Message{turn}, call, ""},
		"no message at all": {nil, call, "has made no call"},
		"another directory": {[]model.Message{turn}, elsewhere, "would run in another directory"},
	} {
		w := newWorld(t, config{})
		before := session.Conversation{Messages: tt.messages, Pending: &session.Pending{Calls: []session.PendingCall{tt.call}}}
		err := w.agent.Restore(before)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
		if w.agent.Pending() != (err == nil) {
			t.Errorf("%s: calls wait: %v", name, w.agent.Pending())
		}
	}
}
