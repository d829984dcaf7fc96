//go:build unix

package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

type writeResult struct {
	Type    string `json:"type"`
	Path    string `json:"filePath"`
	Content string `json:"content"`
	Patch   []hunk `json:"structuredPatch"`
}

// names are those in a directory: nothing may be left beside a file.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWrite_New(t *testing.T) {
	root := tree(t, files{"dir/": ""})
	other, err := os.Create(filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	usual, err := other.Stat()
	if err != nil {
		t.Fatal(err)
	}
	box := newToolbox()
	for path, content := range map[string]string{"f": "x\n", "dir/f": "no end", "a/b/c/f": "", "g": "\xef\xbb\xbfa\r\nb"} {
		r := box.write.Run(t.Context(), jobFor(t, box.write, root, input{"file_path": path, "content": content}))
		if r.Outcome != tool.Succeeded || mustRead(t, filepath.Join(root, path)) != content {
			t.Errorf("%s: %v %s", path, r.Outcome, r.Text)
		}
		var d writeResult
		if err := strictjson.UnmarshalKnown(r.Data, &d); err != nil || d.Type != "create" || d.Path != filepath.Join(root, path) || d.Content != content {
			t.Errorf("%s: %+v %v", path, d, err)
		}
		if info, err := os.Stat(filepath.Join(root, path)); err != nil || info.Mode() != usual.Mode() {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	if got := fmt.Sprint(names(t, root)); got != "[a dir f g]" {
		t.Errorf("left: %s", got)
	}
	// What was written is known: it can be replaced at once.
	runTool(t, box.write, root, input{"file_path": "f", "content": "y\n"})
	if got := mustRead(t, filepath.Join(root, "f")); got != "y\n" {
		t.Errorf("%q", got)
	}
}

func TestWrite_KeepsWhatTheFileHas(t *testing.T) {
	for _, tt := range []struct{ name, before, content, want string }{
		{"LF", "a\nb\n", "c\nd", "c\nd"},
		{"CRLF", "a\r\nb\r\n", "c\nd\n", "c\r\nd\r\n"},
		{"CRLF given", "a\r\nb\r\n", "c\r\nd\n", "c\r\nd\r\n"},
		{"CRLF into LF", "a\nb\n", "c\r\nd\n", "c\r\nd\n"},
		{"most are LF", "a\r\nb\nc\n", "c\nd\n", "c\nd\n"},
		{"a mark", "\xef\xbb\xbfa", "b", "\xef\xbb\xbfb"},
		{"a mark given again", "\xef\xbb\xbfa", "\xef\xbb\xbfb", "\xef\xbb\xbfb"},
		{"UTF-16 LE", "\xff\xfea\x00\r\x00\n\x00", "ä\n", "\xff\xfe\xe4\x00\r\x00\n\x00"},
		{"UTF-16 BE", "\xfe\xff\x00a", "\U0001F600", "\xfe\xff\xd8\x3d\xde\x00"},
		{"empty", "", "x\n", "x\n"},
		{"the same", "a\n", "a\n", "a\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := tree(t, files{"f": tt.before})
			path := filepath.Join(root, "f")
			if err := os.Chmod(path, 0o751); err != nil {
				t.Fatal(err)
			}
			box := newToolbox()
			runTool(t, box.read, root, input{"file_path": "f"})
			runTool(t, box.write, root, input{"file_path": "f", "content": tt.content})
			if got := mustRead(t, path); got != tt.want {
				t.Errorf("%q", got)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o751 {
				t.Errorf("%v %v", info.Mode(), err)
			}
			if box.files.Check(path, Digest([]byte(tt.want))) != Current || len(names(t, root)) != 1 {
				t.Errorf("%v, left %v", box.files.All(), names(t, root))
			}
		})
	}
}

func TestWrite_Refused(t *testing.T) {
	root := tree(t, files{"dir/": "", "unseen": "x", "changed": "x", "binary": "\x00\x01", "readonly": "x", "file": "x"})
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	box := newToolbox()
	for _, name := range []string{"changed", "readonly"} {
		runTool(t, box.read, root, input{"file_path": name})
	}
	if err := os.WriteFile(filepath.Join(root, "changed"), []byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "readonly"), 0o444); err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(names(t, root))
	for _, tt := range []struct{ path, words string }{
		{"unseen", "it has not been read in this session; read it first"},
		{"changed", "it has changed since you read it"},
		{"binary", "not text"},
		{"readonly", "read-only (mode 0444)"},
		{"dir", "it is a directory"},
		{"pipe", "it is a pipe"},
		{"/dev/null", "it is a device"},
		{"/dev/full", "it is a device"},
		{"file/below", "not a directory"},
		{strings.Repeat("n", 300), "file name too long"},
	} {
		failTool(t, box.write, root, input{"file_path": tt.path, "content": "new"}, tt.words)
	}
	failTool(t, box.write, root, input{"file_path": "new", "content": strings.Repeat("x", maxLoad+1)}, "more than can be written at once")
	wantInterrupted(t, box.write, jobFor(t, box.write, root, input{"file_path": "new", "content": "x"}))
	if after := fmt.Sprint(names(t, root)); after != before {
		t.Errorf("there was %s and is %s", before, after)
	}
	if mustRead(t, filepath.Join(root, "unseen")) != "x" || mustRead(t, filepath.Join(root, "changed")) != "y" {
		t.Error("something was written")
	}
}

// A name is replaced; other names of the same file keep what they have.
func TestWrite_HardLinks(t *testing.T) {
	root := tree(t, files{"f": "old"})
	if err := os.Link(filepath.Join(root, "f"), filepath.Join(root, "g")); err != nil {
		t.Skip(err)
	}
	box := newToolbox()
	runTool(t, box.read, root, input{"file_path": "f"})
	if text := runTool(t, box.write, root, input{"file_path": "f", "content": "new"}); !strings.Contains(text, "2 names (hard links)") {
		t.Error(text)
	}
	if mustRead(t, filepath.Join(root, "f")) != "new" || mustRead(t, filepath.Join(root, "g")) != "old" {
		t.Error("it was written through")
	}
}

// The file that was judged is behind a link: it is replaced, the link stays.
func TestWrite_ThroughAJudgedLink(t *testing.T) {
	root := tree(t, files{"real/f": "old", "l": "->real/f"})
	box := newToolbox()
	runTool(t, box.read, root, input{"file_path": "l"})
	runTool(t, box.write, root, input{"file_path": "l", "content": "new"})
	if target, err := os.Readlink(filepath.Join(root, "l")); err != nil || target != "real/f" || mustRead(t, filepath.Join(root, "real/f")) != "new" {
		t.Errorf("%s %v", target, err)
	}
}

// Of many writers that create the same file one wins, and the others are told.
func TestWrite_OneCreates(t *testing.T) {
	root := tree(t, nil)
	var wg sync.WaitGroup
	results := make([]tool.Result, 16)
	for i := range results {
		box := newToolbox() // as other processes would: they share no lock
		job := jobFor(t, box.write, root, input{"file_path": "a/b/f", "content": fmt.Sprint(i)})
		wg.Go(func() { results[i] = box.write.Run(t.Context(), job) })
	}
	wg.Wait()
	winners := 0
	for i, r := range results {
		if r.Outcome == tool.Succeeded {
			winners++
			if got := mustRead(t, filepath.Join(root, "a/b/f")); got != fmt.Sprint(i) {
				t.Errorf("%d has won, and there is %q", i, got)
			}
		} else if !strings.Contains(r.Text, "read it first") {
			t.Errorf("%s", r.Text)
		}
	}
	if got := names(t, filepath.Join(root, "a/b")); winners != 1 || len(got) != 1 {
		t.Errorf("%d winners, %v", winners, got)
	}
}

// Without the kernel's help links are refused step by step.
func TestOpenFolder_StepByStep(t *testing.T) {
	root := tree(t, files{"a/b/f": "x", "link": "->a", "dangling": "->nowhere", "file": "x"})
	for _, tt := range []struct {
		dir  string
		want error
	}{
		{"a/b", nil}, {"new/dir", nil}, {"link/b", errLink}, {"link", errLink}, {"dangling", errLink}, {"dangling/x", errLink}, {"file", syscall.ENOTDIR},
	} {
		f, err := openFolder(filepath.Join(root, tt.dir), makeThem) // this way never asks the kernel
		if err != tt.want {
			t.Errorf("%s: %v", tt.dir, err)
		}
		if err == nil {
			f.close()
		}
	}
	if _, err := os.Stat(filepath.Join(root, "nowhere")); err == nil {
		t.Error("a directory was made behind a link")
	}
}

// A name that became a link after the look is refused by each way to open it.
func TestFolder_FollowsNoLink(t *testing.T) {
	root := tree(t, files{"d/f": "x", "d/link": "->f", "d/dangling": "->new"})
	f, err := openFolder(filepath.Join(root, "d"), mustExist)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if _, err := f.open("link"); err != errLink {
		t.Errorf("open: %v", err)
	}
	if _, err := f.create("dangling", 0o600); err == nil {
		t.Error("create: a file was made behind a link")
	}
	if err := f.mayWrite("link"); err == nil {
		t.Error("mayWrite: the link was followed")
	}
}

// A directory that may be entered but not listed is no obstacle.
func TestWrite_BelowAnUnlistedDirectory(t *testing.T) {
	root := tree(t, files{"d/e/": ""})
	if err := os.Chmod(filepath.Join(root, "d"), 0o111); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "d"), 0o755) })
	box := newToolbox()
	runTool(t, box.write, root, input{"file_path": "d/e/f", "content": "x"})
}

// A part is not enough to replace the whole.
func TestWrite_AfterAPartialRead(t *testing.T) {
	root := tree(t, files{"f": "1\n2\n3\n"})
	box := newToolbox()
	runTool(t, box.read, root, input{"file_path": "f", "limit": 1})
	failTool(t, box.write, root, input{"file_path": "f", "content": "new\n"}, "only a part of it")
	if got := mustRead(t, root+"/f"); got != "1\n2\n3\n" {
		t.Errorf("%q", got)
	}
	runTool(t, box.edit, root, input{"file_path": "f", "old_string": "1", "new_string": "one"})
	failTool(t, box.write, root, input{"file_path": "f", "content": "new\n"}, "read the whole file")
	runTool(t, box.read, root, input{"file_path": "f"})
	runTool(t, box.write, root, input{"file_path": "f", "content": "new\n"})
}

func TestWrite_NamesADirectory(t *testing.T) {
	root := tree(t, nil)
	for _, path := range []string{"new/", "new/.", "new//", "a/new/"} {
		failTool(t, newToolbox().write, root, input{"file_path": path, "content": "x"}, "names a directory")
	}
	if left := names(t, root); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}
