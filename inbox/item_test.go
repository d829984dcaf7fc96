package inbox

import (
	"testing"

	"github.com/assent-dev/assent/inbox/client"
)

// What somebody has approved in place of the agent's input has a sentence of its own, in the
// call and in lists, and only as long as that answer stands.
func TestA4_AnEditHasItsOwnSentence(t *testing.T) {
	w := newWorld(t)
	s := newSchemas(t)
	question := map[string]any{"question": "Which one?", "header": "Choice", "multiSelect": false, "options": []any{map[string]any{"label": "A", "description": "a"}, map[string]any{"label": "B", "description": "b"}}}
	tickets := w.park(bash("git tag v3"), bash("git tag v4"), call("AskUserQuestion", map[string]any{"questions": []any{question}}))
	for i, c := range []struct {
		more map[string]any
		want string
	}{
		{map[string]any{"input": map[string]any{"command": "git tag v3-edited"}, "undo": true}, "Run `git tag v3-edited`"},
		{nil, ""},
		{map[string]any{"answers": []string{"1=B"}}, ""},
	} {
		got := w.approveOnly(tickets[i], c.more)
		if got.status != 200 {
			t.Fatalf("%d: %s", got.status, got.body)
		}
		s.answer("POST", "/api/v1/tickets/{id}/approve", got)
		var d client.Detail
		knows(t, "an approved call", got.body, &d)
		if d.EditedSentence != c.want || d.Sentence != Sentence(tickets[i].Call) {
			t.Errorf("%q, %q", d.Sentence, d.EditedSentence)
		}
	}
	history := w.get("/api/v1/history?q=v3-edited")
	s.answer("GET", "/api/v1/history", history)
	var list client.List
	knows(t, "the history", history.body, &list)
	if len(list.Tickets) != 1 || list.Tickets[0].EditedSentence != "Run `git tag v3-edited`" {
		t.Error(history.body)
	}
	undone := w.post("/api/v1/tickets/"+tickets[0].ID+"/undo", map[string]any{"digest": tickets[0].Digest})
	var d client.Detail
	if knows(t, "a call after that", undone.body, &d); undone.status != 200 || d.EditedSentence != "" {
		t.Errorf("%d: %s", undone.status, undone.body)
	}
}
