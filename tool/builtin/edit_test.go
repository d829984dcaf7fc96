//go:build unix

package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

func TestEdit_Apply(t *testing.T) {
	for _, tt := range []struct {
		name, text, old, new string
		all                  bool
		want                 string
		at                   string
	}{
		{"once", "one\ntwo\nthree\n", "two", "2", false, "one\n2\nthree\n", "line 2"},
		{"several lines", "a\nb\nc\n", "a\nb\n", "x\n", false, "x\nc\n", "line 1"},
		{"delete", "a\nb\nc\n", "b\n", "", false, "a\nc\n", "line 2"},
		{"all", "x y x\nx\n", "x", "zz", true, "zz y zz\nzz\n", "lines 1, 1, 2"},
		{"all, once", "x", "x", "y", true, "y", "line 1"},
		{"all, with lines", "x\nx\n", "x\n", "a\nb\n", true, "a\nb\na\nb\n", "lines 1, 3"},
		{"overlapping", "aaaa", "aa", "b", true, "bb", "lines 1, 1"},
		{"no final line break", "a\nb", "b", "c", false, "a\nc", "line 2"},
		{"CRLF", "a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", false, "x\r\ny\r\nz\r\nc\r\n", "line 1"},
		{"CRLF at the edges", "a\r\nb\r\nc", "\nb\n", "\nB\n", false, "a\r\nB\r\nc", "line 1"},
		{"CRLF, many", "x\r\nx\r\nx", "x", "yy", true, "yy\r\nyy\r\nyy", "lines 1, 2, 3"},
		{"mixed stays mixed", "a\r\nb\nc\r\nd\r\n", "c", "C\nC", false, "a\r\nb\nC\r\nC\r\nd\r\n", "line 3"},
		{"mixed, mostly LF", "a\r\nb\nc\n", "a\nb", "x\ny", false, "x\ny\nc\n", "line 1"},
		{"lone CRs are text", "a\rb\n", "a\rb", "c", false, "c\n", "line 1"},
		{"CR CR LF", "a\r\r\nb\r\n", "b", "c", false, "a\r\r\nc\r\n", "line 2"},
		{"unicode", "grün\n", "ü", "ue", false, "gruen\n", "line 1"},
		{"dollars are text", "a\n", "a", "$1\\1", false, "$1\\1\n", "line 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, at, err := change{tt.old, tt.new, tt.all}.apply(tt.text)
			if err != nil || got != tt.want || at.String() != tt.at {
				t.Errorf("%q at %v, %v", got, at, err)
			}
		})
	}
}

func TestEdit_NotApplied(t *testing.T) {
	many := strings.Repeat("x\n", 50)
	for _, tt := range []struct {
		name, text, old, words string
	}{
		{"twice", "x\ny\nx\n", "x", "occurs 2 times, on lines 1, 3; add text around it"},
		{"often", many, "x", "occurs 50 times, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"},
		{"empty", "x", "", "old_string is empty"},
		{"not there", "abc\n", "xyz", "does not occur in it; read the place again"},
		{"blanks", "if x {\n\ty()\n}\n", "if x {\n    y()\n}", "lines 1 to 3 are the same but for blanks"},
		{"blanks at the end", "a\nfoo\n", "foo  ", "lines 2 to 2 are the same but for blanks"},
		{"line numbers", "one\ntwo\n", "     1\tone\n     2\ttwo", "leave out the line numbers"},
		{"letter case", "Hello\n", "hello", "other letter case"},
		{"the rest differs", "a\nb\nc\nd\n", "b\nc\nX\n", "its first line is on line 2, but from line 4 on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, err := (change{tt.old, "new", false}).apply(tt.text); err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("%q %v", got, err)
			}
		})
	}
	large := strings.Repeat("a", maxLoad/2)
	if _, _, err := (change{"a", "aaa", true}).apply(large); err == nil || !strings.Contains(err.Error(), "would grow") {
		t.Errorf("%v", err)
	}
}

func TestEdit(t *testing.T) {
	root := tree(t, files{"f": "\xef\xbb\xbfone\r\ntwo\r\nthree\r\n"})
	path := filepath.Join(root, "f")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	box := newToolbox()
	in := input{"file_path": "f", "old_string": "two\n", "new_string": "2\n2\n"}
	failTool(t, box.edit, root, in, "read it first")
	runTool(t, box.read, root, input{"file_path": "f"})
	r := box.edit.Run(t.Context(), jobFor(t, box.edit, root, in))
	if want := path + " was changed on line 2. It reads there now:\n     1\tone\n     2\t2\n     3\t2\n     4\tthree\n"; r.Outcome != tool.Succeeded || r.Text != want {
		t.Errorf("%v %q", r.Outcome, r.Text)
	}
	if got := mustRead(t, path); got != "\xef\xbb\xbfone\r\n2\r\n2\r\nthree\r\n" {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 || len(names(t, root)) != 1 {
		t.Errorf("%v %v %v", info.Mode(), err, names(t, root))
	}
	var d struct {
		Path     string `json:"filePath"`
		Old      string `json:"oldString"`
		New      string `json:"newString"`
		Original string `json:"originalFile"`
		Patch    []hunk `json:"structuredPatch"`
		Modified bool   `json:"userModified"`
		All      bool   `json:"replaceAll"`
	}
	if err := strictjson.UnmarshalKnown(r.Data, &d); err != nil {
		t.Fatal(err)
	}
	hunks := []hunk{{OldStart: 1, OldLines: 3, NewStart: 1, NewLines: 4, Lines: []string{" one", "-two", "+2", "+2", " three"}}}
	if d.Path != path || d.Old != "two\n" || d.New != "2\n2\n" || d.Original != "one\r\ntwo\r\nthree\r\n" || !reflect.DeepEqual(d.Patch, hunks) {
		t.Errorf("%+v", d)
	}
	// The change is known, so the next one needs no reading; a change of others does.
	runTool(t, box.edit, root, input{"file_path": "f", "old_string": "2", "new_string": "II", "replace_all": true})
	if err := os.WriteFile(path, []byte("II\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	failTool(t, box.edit, root, input{"file_path": "f", "old_string": "II", "new_string": "2"}, "it has changed since you read it")
	failTool(t, box.edit, root, input{"file_path": "f", "old_string": "a", "new_string": "a"}, "nothing to change")
	failTool(t, box.edit, root, input{"file_path": "f", "old_string": "a\r\n", "new_string": "a\n"}, "line endings")
	failTool(t, box.edit, root, input{"file_path": "none", "old_string": "", "new_string": "a"}, "create it with Write")
	failTool(t, box.edit, root, input{"file_path": "none", "old_string": "b", "new_string": "a"}, "file does not exist")
	wantInterrupted(t, box.edit, jobFor(t, box.edit, root, in))
}

// Edits at the same time do not undo each other.
func TestEdit_Concurrent(t *testing.T) {
	const n = 40
	var content, want strings.Builder
	for i := range n {
		fmt.Fprintf(&content, "<%d>\n", i)
		fmt.Fprintf(&want, "[%d]\n", i)
	}
	root := tree(t, files{"f": content.String()})
	box := newToolbox()
	runTool(t, box.read, root, input{"file_path": "f"})
	var wg sync.WaitGroup
	for i := range n {
		job := jobFor(t, box.edit, root, input{"file_path": "f", "old_string": fmt.Sprintf("<%d>", i), "new_string": fmt.Sprintf("[%d]", i)})
		wg.Go(func() {
			if r := box.edit.Run(t.Context(), job); r.Outcome != tool.Succeeded {
				t.Error(r.Text)
			}
		})
	}
	wg.Wait()
	if got := mustRead(t, filepath.Join(root, "f")); got != want.String() {
		t.Errorf("%q", got)
	}
}

// A file that changes between the reading and the replacement is left alone.
func TestEdit_ChangedAtTheLastMoment(t *testing.T) {
	root := tree(t, files{"f": "old\n"})
	path := filepath.Join(root, "f")
	box := newToolbox()
	runTool(t, box.read, root, input{"file_path": "f"})
	old, err := openOld(t.Context(), path, box.files)
	if err != nil {
		t.Fatal(err)
	}
	defer old.close()
	if err := os.WriteFile(path, []byte("theirs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := old.replace(t.Context(), []byte("mine\n")); err == nil || !strings.Contains(err.Error(), "it has changed since") {
		t.Errorf("%v", err)
	}
	if mustRead(t, path) != "theirs\n" || len(names(t, root)) != 1 {
		t.Errorf("%q, %v", mustRead(t, path), names(t, root))
	}
}

func TestPatch(t *testing.T) {
	for _, tt := range []struct {
		before, after string
		want          []hunk
	}{
		{"a\n", "a\n", nil},
		{"", "a\n", []hunk{{OldStart: 1, NewStart: 1, NewLines: 1, Lines: []string{"+a"}}}},
		{"a\n", "", []hunk{{OldStart: 1, OldLines: 1, NewStart: 1, Lines: []string{"-a"}}}},
		{"a\na\n", "a\na\na\n", []hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 3, Lines: []string{" a", " a", "+a"}}}},
		{
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
			[]hunk{{OldStart: 2, OldLines: 7, NewStart: 2, NewLines: 7, Lines: []string{" 2", " 3", " 4", "-5", "+x", " 6", " 7", " 8"}}},
		},
		{strings.Repeat("a\n", 2*maxPatch), strings.Repeat("b\n", 2*maxPatch), nil},
		{strings.Repeat("a", 2*maxPatchBytes), "b", nil},
	} {
		if got := patch(tt.before, tt.after); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%.40q to %.40q: %+v", tt.before, tt.after, got)
		}
	}
}

// In text without CRs an edit is what the standard library does; with them, what it
// does to the lines, and all else stays.
func FuzzEdit(f *testing.F) {
	f.Add("one\ntwo\none\n", "one", "1\n", true)
	f.Add("a\r\nb\r\n", "a\nb", "x\n", false)
	f.Add("\r\r\n\n\r", "\n", "\r\n", true)
	f.Fuzz(func(t *testing.T, text, old, replacement string, all bool) {
		c := change{unixLines(old), unixLines(replacement), all}
		got, at, err := c.apply(text)
		count := strings.Count(unixLines(text), c.old)
		if c.old == "" || count == 0 || count > 1 && !all {
			if err == nil {
				t.Fatalf("%q in %q: no error", old, text)
			}
			return
		}
		if err != nil || at.count != count {
			t.Fatalf("%v, %d places", err, at.count)
		}
		if !strings.Contains(text, "\r") && !strings.Contains(c.new, "\r") {
			if want := strings.ReplaceAll(text, c.old, c.new); got != want {
				t.Fatalf("%q, want %q", got, want)
			}
		}
		// Nothing but the places has changed: what comes before the first and after the
		// last is there to the byte.
		flat := unixLines(text)
		before := strings.Index(flat, c.old)
		m := mapper{text: text}
		if from := m.offset(before); got[:from] != text[:from] || unixLines(text[:from]) != flat[:before] && !strings.HasSuffix(text[:from], "\r") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
