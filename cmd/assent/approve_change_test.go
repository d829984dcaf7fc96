package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// Whoever approves a change of a file sees what it does to the file as it is, as on the page: that is
// what their yes is kept with.
func TestA3_AChangeIsShownBeforeItIsApproved(t *testing.T) {
	w := newCounter(t)
	path := filepath.Join(w.cwd, "price.txt")
	w.check(os.WriteFile(path, []byte("first\nold\n"), 0o644))
	edit := func(id, text string) session.PendingCall {
		input, err := strictjson.Marshal(map[string]string{"file_path": path, "old_string": text, "new_string": "new"})
		w.check(err)
		return session.PendingCall{ToolUseID: id, Tool: "Edit", Input: input, Cwd: w.cwd, Why: "a hook wants it", Risk: "medium", Places: []string{path}}
	}
	w.park(firstID, edit("a", "old"))
	w.run(0, "approve", firstID)
	w.says("Change of ", "     first", "    -old", "    +new")
	if a := w.answerOf(firstID, "a"); a == nil || a.Change == nil || !strings.Contains(strings.Join(a.Change.Lines, "\n"), "first") {
		t.Errorf("%+v", a)
	}
	w.park(secondID, edit("b", "something else"))
	w.run(0, "approve", secondID)
	w.says("the text to be replaced is not in the file")
}
