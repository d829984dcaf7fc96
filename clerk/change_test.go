package clerk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
)

func TestChangeOfAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("one\ntwo\nthree\nfour\nfive\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, input, note, want string }{
		{"Edit", `{"file_path":"f","old_string":"four","new_string":"4"}`, "", "one two three -four +4 five two"},
		{"Edit", `{"file_path":"f","old_string":"five\ntwo","new_string":"5\n2"}`, "", "… two three four -five -two +5 +2"},
		{"Edit", `{"file_path":"f","old_string":"two","new_string":"2"}`, "2 times", "-two +2"},
		{"Edit", `{"file_path":"f","old_string":"two","new_string":"2","replace_all":true}`, "", " one -two +2  three  four  five -two +2"},
		{"Edit", `{"file_path":"f","old_string":"six","new_string":"6"}`, "is not in the file", "-six +6"},
		{"Edit", `{"file_path":"f","old_string":"","new_string":"6"}`, "is not in the file", "+6"},
		{"Edit", `{"file_path":"g","old_string":"six","new_string":"6"}`, "would fail", "-six +6"},
		{"Write", `{"file_path":"f","content":"one\ntwo\nthree\nfour\nfive\ntwo\n"}`, "exactly that already", ""},
		{"Write", `{"file_path":"f","content":"one\n\u202e\n"}`, "", " one -two -three -four -five -two +\u202e"},
		{"Write", `{"file_path":"g","content":"new\n"}`, "does not exist yet", "+new"},
		{"Write", `{"file_path":".","content":"new\n"}`, "cannot be read: it is a directory", "+new"},
	} {
		got := Change(approval.Call{Tool: c.tool, Input: strictjson.Raw(c.input), Cwd: dir})
		if got == nil || !strings.Contains(got.Note, c.note) || c.note == "" && got.Note != "" || strings.Join(strings.Fields(strings.Join(got.Lines, " ")), " ") != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("%s %s: %+v", c.tool, c.input, got)
		}
	}
	for _, c := range []approval.Call{{Tool: "Bash", Input: strictjson.Raw(`{"command":"ls"}`)}, {Tool: "Edit", Input: strictjson.Raw(`{"file_path":"f"}`)}, {Tool: "Write", Input: strictjson.Raw(`5`)}} {
		if got := Change(c); got != nil {
			t.Errorf("%s %s: %+v", c.Tool, c.Input, got)
		}
	}
	// Long ones are cut, and it is said.
	long := Change(approval.Call{Tool: "Write", Input: strictjson.Raw(`{"file_path":"g","content":"` + strings.Repeat(`x\n`, 2*maxChange) + `"}`), Cwd: dir})
	if len(long.Lines) != maxChange+1 || long.Lines[maxChange] != fmt.Sprintf("… and %d more lines", maxChange) {
		t.Errorf("%d lines", len(long.Lines))
	}
}
