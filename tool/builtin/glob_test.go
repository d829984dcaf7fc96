package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/tool"
)

// below turns absolute paths of a result into those below a root.
func below(root, text string) string {
	return strings.ReplaceAll(text, root+"/", "")
}

// aged gives files times: the first named is the newest.
func aged(t *testing.T, root string, names ...string) {
	t.Helper()
	for i, name := range names {
		when := time.Unix(2_000_000_000-int64(i), 0)
		if err := os.Chtimes(filepath.Join(root, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGlob_Patterns(t *testing.T) {
	all := files{
		"a.go": "", "b.txt": "", "src/c.go": "", "src/deep/d.go": "", "src/deep/e.ts": "", "src/f.tsx": "", ".hidden/g.go": "", ".env": "",
		"ignored.go": "", ".gitignore": "ignored.go\n", ".git/config": "", ".git/x.go": "", "empty/": "", "ü.md": "", "dir.go/h": "", "x[1].go": "", "a{b}.c": "",
	}
	root := tree(t, all)
	aged(t, root, "a.go", "b.txt", "src/c.go", "src/deep/d.go", "src/deep/e.ts", "src/f.tsx", ".hidden/g.go", ".env", "ignored.go", ".gitignore", "ü.md", "dir.go/h", "x[1].go", "a{b}.c")
	tests := []struct {
		in   input
		want string
	}{
		{input{"pattern": "*.go"}, "a.go ignored.go x[1].go"},
		{input{"pattern": "**/*.go"}, "a.go src/c.go src/deep/d.go .hidden/g.go ignored.go x[1].go"},
		{input{"pattern": "**"}, "a.go b.txt src/c.go src/deep/d.go src/deep/e.ts src/f.tsx .hidden/g.go .env ignored.go .gitignore ü.md dir.go/h x[1].go a{b}.c"},
		{input{"pattern": "*"}, "a.go b.txt .env ignored.go .gitignore ü.md x[1].go a{b}.c"},
		{input{"pattern": "src/*"}, "src/c.go src/f.tsx"},
		{input{"pattern": "src/**"}, "src/c.go src/deep/d.go src/deep/e.ts src/f.tsx"},
		{input{"pattern": "src/**/*.{ts,tsx}"}, "src/deep/e.ts src/f.tsx"},
		{input{"pattern": "*.{go,txt}"}, "a.go b.txt ignored.go x[1].go"},
		{input{"pattern": "{a,b}.{go,t{xt,ar}}"}, "a.go b.txt"},
		{input{"pattern": "?.go"}, "a.go"},
		{input{"pattern": "?.md"}, "ü.md"},
		{input{"pattern": "[a-c].*"}, "a.go b.txt"},
		{input{"pattern": "[!a-c].*"}, "ü.md"},
		{input{"pattern": `x\[1].go`}, "x[1].go"},
		{input{"pattern": `a\{b}.*`}, "a{b}.c"},
		{input{"pattern": "**/deep/*"}, "src/deep/d.go src/deep/e.ts"},
		{input{"pattern": "*/deep/**"}, "src/deep/d.go src/deep/e.ts"},
		{input{"pattern": "*.go", "path": "src"}, "src/c.go"},
		{input{"pattern": "deep/*.go", "path": "src"}, "src/deep/d.go"},
		{input{"pattern": "*.go", "path": root + "/src"}, "src/c.go"},
		{input{"pattern": root + "/src/*.go"}, "src/c.go"},
		{input{"pattern": "../src/*.go", "path": "empty"}, "src/c.go"},
		{input{"pattern": "src/c.go"}, "src/c.go"},
		{input{"pattern": "./src/./c*"}, "src/c.go"},
		{input{"pattern": ".env"}, ".env"},
		{input{"pattern": "src"}, "No files found"},
		{input{"pattern": "nothing"}, "No files found"},
		{input{"pattern": "nothing/at/all"}, "No files found"},
		{input{"pattern": "*.nothing"}, "No files found"},
		{input{"pattern": "*", "path": "empty"}, "No files found"},
		{input{"pattern": "{/etc/*,*.txt}"}, "b.txt"},
	}
	for _, test := range tests {
		got := runTool(t, newGlob(Options{}), root, test.in)
		if want := test.want; strings.ReplaceAll(below(root, got), "\n", " ") != want {
			t.Errorf("%v:\n got %q\nwant %q", test.in, below(root, got), want)
		}
	}
}

func TestGlob_Refused(t *testing.T) {
	root := tree(t, files{"a/b": "", "file": ""})
	tests := []struct {
		in    input
		words string
	}{
		{input{"pattern": "*/../../*"}, `climbs with ".."`},
		{input{"pattern": "{..,a}/*"}, `climbs with ".."`},
		{input{"pattern": "[a"}, "no matching"},
		{input{"pattern": `*\`}, "backslash"},
		{input{"pattern": "{a,b"}, `"{" has no matching "}"`},
		{input{"pattern": strings.Repeat("{a,b}", 9)}, "more than 256"},
		{input{"pattern": "*" + strings.Repeat("a", 5000)}, "more than 4096"},
		{input{"pattern": "*", "path": "missing"}, "does not exist"},
		{input{"pattern": "*", "path": "file"}, "cannot be searched"},
		{input{"pattern": "*", "path": "a\x00b"}, "control character"},
	}
	for _, test := range tests {
		failTool(t, newGlob(Options{}), root, test.in, test.words)
	}
}

func TestGlob_AtMostHundred(t *testing.T) {
	all := files{}
	var names []string
	for i := range 130 {
		name := fmt.Sprintf("f%03d", i)
		all[name] = ""
		names = append(names, name)
	}
	root := tree(t, all)
	aged(t, root, names...)
	text := runTool(t, newGlob(Options{}), root, input{"pattern": "*"})
	listed, note, _ := strings.Cut(text, "\n\n")
	if below(root, listed) != strings.Join(names[:100], "\n") {
		t.Errorf("listed:\n%s", listed)
	}
	if !strings.Contains(note, "30 more files match") {
		t.Errorf("note %q", note)
	}
}

// However many files match, no more are held than are shown.
func TestNewest_HoldsFew(t *testing.T) {
	n := newest{most: 3}
	for i := range 20_000 {
		n.add(dated{path: fmt.Sprint(i), modified: time.Unix(int64(i*7919%20_000), 0)})
		if len(n.files) > 2*n.most+batch {
			t.Fatalf("holds %d files", len(n.files))
		}
	}
	if got := len(n.paths()); got != 3 || n.total != 20_000 || n.files[0].modified.Unix() != 19_999 || n.files[2].modified.Unix() != 19_997 {
		t.Errorf("got %v of %d", n.files, n.total)
	}
}

func TestGlob_LeavesOutWhatMayNotBeRead(t *testing.T) {
	root := tree(t, files{"a": "", "b": "", "secret/c": "", "secret/d": "", "also": "->secret/c"})
	job := jobFor(t, newGlob(Options{}), root, input{"pattern": "**"})
	job.MayRead = denying(root+"/b", root+"/secret", root+"/also")
	got := newGlob(Options{}).Run(t.Context(), job).Text
	if want := "a\n\n(3 names were left out: rules deny reading them.)"; below(root, got) != want {
		t.Errorf("got %q, want %q", below(root, got), want)
	}
}

// The rules are asked about a file by the name the call uses and by its real one.
func TestSearch_AsksAboutBothNames(t *testing.T) {
	root := tree(t, files{"real/secret": "x", "real/open": "x", "link": "->real"})
	for _, denied := range []string{"/real/secret", "/link/secret"} {
		for _, test := range []struct {
			runner tool.Runner
			in     input
			want   string
		}{
			{newGlob(Options{}), input{"pattern": "*", "path": "link"}, "link/open"},
			{newGrep(Options{}), input{"pattern": "x", "path": "link"}, "link/open"},
		} {
			job := jobFor(t, test.runner, root, test.in)
			job.MayRead = denying(root + denied)
			got := below(root, test.runner.Run(t.Context(), job).Text)
			if want := test.want + "\n\n(1 name was left out: a rule denies reading it.)"; got != want {
				t.Errorf("%s without %s: got %q, want %q", test.runner.Name(), denied, got, want)
			}
		}
	}
}

func TestGlob_Links(t *testing.T) {
	outside := tree(t, files{"secret": "", "dir/secret": ""})
	root := tree(t, files{
		"a": "", "tofile": "->a", "todir": "->" + outside, "loop": "->.", "dangling": "->nowhere", "self": "->self", "sub/up": "->..", "out": "->" + outside + "/secret",
	})
	aged(t, root, "a")
	got := below(root, runTool(t, newGlob(Options{}), root, input{"pattern": "**"}))
	if strings.Contains(got, "todir/") || strings.Contains(got, "loop/") || strings.Contains(got, "up/") || strings.Contains(got, "dangling") || strings.Contains(got, "self") {
		t.Errorf("a link was followed: %q", got)
	}
	for _, want := range []string{"a", "tofile", "out"} {
		if !strings.Contains("\n"+got+"\n", "\n"+want+"\n") {
			t.Errorf("%q is missing from %q", want, got)
		}
	}
	// A link that the call names leads to the place that was judged.
	if got := runTool(t, newGlob(Options{}), root, input{"pattern": "*/secret", "path": "todir"}); got != root+"/todir/dir/secret" {
		t.Errorf("got %q", got)
	}
}

// What was judged is what is touched: a link that appears after the judgement is not
// followed.
func TestSearch_LinkSinceJudged(t *testing.T) {
	outside := tree(t, files{"secret": "x"})
	for _, test := range []struct {
		runner tool.Runner
		in     input
	}{
		{newGlob(Options{}), input{"pattern": "*", "path": "dir/sub"}},
		{newGlob(Options{}), input{"pattern": "dir/sub/secret"}},
		{newGrep(Options{}), input{"pattern": "x", "path": "dir/sub"}},
		{newGrep(Options{}), input{"pattern": "x", "path": "dir/sub/secret"}},
	} {
		root := tree(t, files{"dir/sub/secret": "x"})
		job := jobFor(t, test.runner, root, test.in)
		if err := os.RemoveAll(root + "/dir/sub"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, root+"/dir/sub"); err != nil {
			t.Fatal(err)
		}
		if result := test.runner.Run(t.Context(), job); result.Outcome != tool.Failed || !strings.Contains(result.Text, "link") {
			t.Errorf("%s %v: outcome %d, %q", test.runner.Name(), test.in, result.Outcome, result.Text)
		}
	}
}

func TestSearch_Interrupted(t *testing.T) {
	leavesNothing(t)
	root := tree(t, files{"a": "x", "b/c": "x"})
	for _, runner := range []tool.Runner{newGlob(Options{}), newGrep(Options{})} {
		wantInterrupted(t, runner, jobFor(t, runner, root, input{"pattern": "[x*]"}))
	}
}

func TestSearch_LimitOfNames(t *testing.T) {
	leavesNothing(t)
	all := files{}
	for i := range 50 {
		all[fmt.Sprintf("d%d/f", i)] = "x"
	}
	root := tree(t, all)
	glob, grep := newGlob(Options{}), newGrep(Options{})
	glob.limit, grep.limit = 10, 10
	for text, count := range map[string]int{
		runTool(t, glob, root, input{"pattern": "**/f"}): 5,
		runTool(t, grep, root, input{"pattern": "x"}):    5,
	} {
		if strings.Count(text, "/f") != count || !strings.Contains(text, "is not complete") {
			t.Errorf("got %q", text)
		}
	}
}

func TestSearch_TooDeep(t *testing.T) {
	root := tree(t, files{strings.Repeat("d/", mostDepth) + "deepest": "x", strings.Repeat("d/", mostDepth-1) + "deep": "x"})
	for _, text := range []string{
		runTool(t, newGlob(Options{}), root, input{"pattern": "**/deep*"}),
		runTool(t, newGrep(Options{}), root, input{"pattern": "x"}),
	} {
		if !strings.Contains(text, "/deep\n\n(1 directory was too deep") || strings.Contains(text, "deepest") {
			t.Errorf("got %q", text)
		}
	}
}

// Names that could pass for something else are quoted.
func TestSearch_OddNames(t *testing.T) {
	root := tree(t, files{"a\n/etc/passwd": "x", "b\x1b[31m": "x", "c\xff": "x"})
	for _, runner := range []tool.Runner{newGlob(Options{}), newGrep(Options{})} {
		pattern := "**"
		if runner.Name() == "Grep" {
			pattern = "x"
		}
		text := runTool(t, runner, root, input{"pattern": pattern})
		if strings.Count(text, "\n") != 2 || !strings.Contains(text, `a\n/etc/passwd"`) || !strings.Contains(text, `b\x1b[31m"`) || !strings.Contains(text, `c\xff"`) {
			t.Errorf("%s: got %q", runner.Name(), text)
		}
	}
}
