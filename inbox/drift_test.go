package inbox

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
)

// knows reads what a server has sent into a type of the client, which must have a field for
// everything.
func knows(t *testing.T, what, text string, into any) {
	t.Helper()
	if err := strictjson.UnmarshalKnown([]byte(text), into); err != nil {
		t.Errorf("the client does not know all of %s: %v\n%s", what, err, text)
	}
}

// Whoever uses the client gets everything that the server says: there is no field that only
// one of the two knows.
func TestTheClientKnowsEverythingThatTheServerSays(t *testing.T) {
	w := newWorld(t)
	w.run()
	w.must(os.WriteFile(filepath.Join(w.cwd, "a.txt"), []byte("one\ntwo\n"), 0o644))
	question := map[string]any{"question": "Which one?", "header": "Choice", "multiSelect": false, "options": []any{map[string]any{"label": "A", "description": "a"}, map[string]any{"label": "B", "description": "b"}}}
	tickets := w.park(
		bash("npm test"), bash("git push --force origin main"), call("Edit", map[string]any{"file_path": filepath.Join(w.cwd, "a.txt"), "old_string": "two", "new_string": "three"}),
		call("AskUserQuestion", map[string]any{"questions": []any{question}}), bash("npm test"), bash("x"),
	)
	approve := w.post("/api/v1/tickets/"+tickets[0].ID+"/approve", map[string]any{"digest": tickets[0].Digest, "undo": true, "rule": map[string]any{"index": 0, "scope": "session"}})
	knows(t, "an approved call", approve.body, &client.Detail{})
	w.post("/api/v1/tickets/"+tickets[5].ID+"/deny", map[string]any{"digest": tickets[5].Digest, "reason": "no"})
	for _, ticket := range tickets {
		knows(t, "a call of "+ticket.Tool, w.get("/api/v1/tickets/"+ticket.ID).body, &client.Detail{})
	}
	knows(t, "the list", w.get("/api/v1/tickets").body, &client.List{})
	knows(t, "the history", w.get("/api/v1/history").body, &client.List{})
	knows(t, "a session", w.get("/api/v1/sessions/"+tickets[0].Session).body, &client.Session{})
	f := w.follow0(0)
	f.next()
	_, data, _ := strings.Cut(f.text(), "data: ")
	knows(t, "a change", data, &client.Event{})
}

// The ticket of a list is declared once.
func TestTheServerSaysWhatTheClientReads(t *testing.T) {
	if have, want := reflect.TypeFor[item](), reflect.TypeFor[client.Item](); have != want {
		t.Errorf("the server has %v, the client %v", have, want)
	}
	if have, want := reflect.TypeFor[listView](), reflect.TypeFor[client.List](); have != want {
		t.Errorf("the server has %v, the client %v", have, want)
	}
}
