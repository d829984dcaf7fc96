package builtin

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// code is a small project.
var code = files{
	"main.go":             "package main\n\nfunc main() {\n\tprintln(\"Hello\")\n}\n",
	"lib/a.go":            "package lib\n\n// Hello says so.\nfunc Hello() string {\n\treturn \"hello\"\n}\n",
	"lib/a_test.go":       "package lib\n\nfunc TestHello() {}\n",
	"web/app.ts":          "const hello = 1\nconst x = 2\nconst y = 3\nconst z = 4\nhello()\n",
	"web/crlf.txt":        "one\r\nHello\r\nthree\r\n",
	"web/last":            "no end, Hello",
	"web/empty":           "",
	"logo.png":            "\x89PNG\x00Hello",
	".env":                "HELLO=Hello\n",
	".github/ci.yml":      "name: Hello\n",
	"build/out.js":        "Hello\n",
	"debug.log":           "Hello\n",
	".gitignore":          "build/\n*.log\n",
	".git/config":         "Hello\n",
	"vendor/.git/config":  "",
	"vendor/x.log":        "Hello from another repository\n",
	"lib/.gitignore":      "!keep.log\n",
	"lib/keep.log":        "Hello\n",
	"lib/drop.log":        "Hello\n",
	"link.go":             "->main.go",
	"latin":               "gr\xfc\xdfe Hello\n",
	"lib/deep/nested/b.c": "int Hello;\n",
}

func TestGrep_Table(t *testing.T) {
	root := tree(t, code)
	aged(t, root, "main.go", "lib/a.go", "lib/a_test.go", "lib/deep/nested/b.c", "lib/keep.log", "web/app.ts", "web/crlf.txt", "web/last", "latin", "vendor/x.log",
		".env", ".github/ci.yml", "build/out.js", "debug.log", "lib/drop.log")
	tests := []struct {
		name string
		in   input
		want string
	}{
		{"files, newest first", input{"pattern": "Hello"}, "main.go lib/a.go lib/a_test.go lib/deep/nested/b.c lib/keep.log web/crlf.txt web/last latin vendor/x.log"},
		{"no match", input{"pattern": "absent"}, "No matches found"},
		{"letter case", input{"pattern": "hELLo", "-i": true}, "main.go lib/a.go lib/a_test.go lib/deep/nested/b.c lib/keep.log web/app.ts web/crlf.txt web/last latin vendor/x.log"},
		{"a glob", input{"pattern": "Hello", "glob": "*.go"}, "main.go lib/a.go lib/a_test.go"},
		{"several globs", input{"pattern": "Hello", "glob": "*.go,*.c"}, "main.go lib/a.go lib/a_test.go lib/deep/nested/b.c"},
		{"braces", input{"pattern": "Hello", "glob": "*.{go,c} !main.*"}, "lib/a.go lib/a_test.go lib/deep/nested/b.c"},
		{"a glob with directories", input{"pattern": "Hello", "glob": "lib/**/*.c"}, "lib/deep/nested/b.c"},
		{"a glob is not at any depth when it has a slash", input{"pattern": "Hello", "glob": "nested/*.c"}, "No matches found"},
		{"a glob from the start of the search", input{"pattern": "Hello", "path": "lib", "glob": "deep/**/*.c"}, "lib/deep/nested/b.c"},
		{"a glob from the working directory", input{"pattern": "Hello", "path": "lib", "glob": "lib/deep/**/*.c"}, "lib/deep/nested/b.c"},
		{"without", input{"pattern": "Hello", "glob": "!*.go"}, "lib/deep/nested/b.c lib/keep.log web/crlf.txt web/last latin vendor/x.log"},
		{"without a directory", input{"pattern": "Hello", "glob": "!lib"}, "main.go web/crlf.txt web/last latin vendor/x.log"},
		{"anything is no name", input{"pattern": "Hello", "glob": "**/*"}, "main.go lib/a.go lib/a_test.go lib/deep/nested/b.c lib/keep.log web/crlf.txt web/last latin vendor/x.log"},
		{"a hidden file by its name", input{"pattern": "Hello", "glob": ".env"}, ".env"},
		{"a hidden directory by its name", input{"pattern": "Hello", "glob": ".github/**"}, ".github/ci.yml"},
		{"an ignored file by its name", input{"pattern": "Hello", "glob": "*.log"}, "lib/keep.log vendor/x.log debug.log lib/drop.log"},
		{"an ignored directory by its name", input{"pattern": "Hello", "glob": "build/**"}, "build/out.js"},
		{"an ignored directory as the start", input{"pattern": "Hello", "path": "build"}, "build/out.js"},
		{"never .git", input{"pattern": "Hello", "glob": ".git/**"}, "No matches found"},
		{"a type", input{"pattern": "Hello", "type": "go"}, "main.go lib/a.go lib/a_test.go"},
		{"a type and a glob", input{"pattern": "Hello", "type": "go", "glob": "lib/**"}, "lib/a.go lib/a_test.go"},
		{"a file", input{"pattern": "Hello", "path": "web/last"}, "web/last"},
		{"a hidden file as the start", input{"pattern": "Hello", "path": ".env"}, ".env"},
		{"an absolute path", input{"pattern": "Hello", "path": root + "/web"}, "web/crlf.txt web/last"},
		{"some files", input{"pattern": "Hello", "head_limit": 2.0}, "main.go lib/a.go\n(7 more files match: go on with offset 2, or narrow the search.)"},
		{"other files", input{"pattern": "Hello", "head_limit": 2.0, "offset": 7.0}, "latin vendor/x.log"},
		{"beyond all files", input{"pattern": "Hello", "offset": 70.0}, "No matches found"},
		{"content", input{"pattern": "Hello", "output_mode": "content", "glob": "*.go"}, "lib/a.go:3:// Hello says so. lib/a.go:4:func Hello() string { lib/a_test.go:3:func TestHello() {} main.go:4:\tprintln(\"Hello\")"},
		{"content without numbers", input{"pattern": "Hello", "output_mode": "content", "type": "c", "-n": false}, "lib/deep/nested/b.c:int Hello;"},
		{"content of a file", input{"pattern": "hello", "output_mode": "content", "path": "web/app.ts"}, "1:const hello = 1 5:hello()"},
		{"lines behind", input{"pattern": "hello", "output_mode": "content", "path": "web/app.ts", "-A": 1.0}, "1:const hello = 1 2-const x = 2 -- 5:hello()"},
		{"lines before", input{"pattern": "hello", "output_mode": "content", "path": "web/app.ts", "-B": 2.0}, "1:const hello = 1 -- 3-const y = 3 4-const z = 4 5:hello()"},
		{"lines around", input{"pattern": "const y", "output_mode": "content", "path": "web/app.ts", "-C": 1.0}, "2-const x = 2 3:const y = 3 4-const z = 4"},
		{"lines around meet", input{"pattern": "hello|z", "output_mode": "content", "path": "web/app.ts", "context": 1.0}, "1:const hello = 1 2-const x = 2 3-const y = 3 4:const z = 4 5:hello()"},
		{"lines around with names", input{"pattern": "Hello", "output_mode": "content", "glob": "{main,a_test}.go", "-A": 1.0}, "lib/a_test.go:3:func TestHello() {} -- main.go:4:\tprintln(\"Hello\") main.go-5-}"},
		{"carriage returns", input{"pattern": "^Hello$", "output_mode": "content", "path": "web/crlf.txt"}, "2:Hello"},
		{"about carriage returns", input{"pattern": `o\r$`, "output_mode": "count", "path": "web/crlf.txt"}, "web/crlf.txt:1"},
		{"no last line feed", input{"pattern": "Hello$", "output_mode": "content", "path": "web/last"}, "1:no end, Hello"},
		{"broken text", input{"pattern": "Hello", "output_mode": "content", "path": "latin"}, "1:gr\ufffde Hello"},
		{"some lines", input{"pattern": "const", "output_mode": "content", "path": "web/app.ts", "head_limit": 2.0}, "1:const hello = 1 2:const x = 2\n(There is more: go on with offset 2, or narrow the search.)"},
		{"other lines", input{"pattern": "const", "output_mode": "content", "path": "web/app.ts", "head_limit": 2.0, "offset": 2.0}, "3:const y = 3 4:const z = 4"},
		{"lines from file to file", input{"pattern": "Hello", "output_mode": "content", "glob": "*.go", "offset": 1.0, "head_limit": 2.0}, "lib/a.go:4:func Hello() string { lib/a_test.go:3:func TestHello() {}\n(There is more: go on with offset 3, or narrow the search.)"},
		{"counts", input{"pattern": "Hello", "output_mode": "count", "glob": "*.go"}, "lib/a.go:2 lib/a_test.go:1 main.go:1"},
		{"some counts", input{"pattern": "Hello", "output_mode": "count", "glob": "*.go", "offset": 1.0, "head_limit": 1.0}, "lib/a_test.go:1\n(There is more: go on with offset 2, or narrow the search.)"},
		{"all", input{"pattern": "const", "output_mode": "content", "path": "web/app.ts", "head_limit": 0.0}, "1:const hello = 1 2:const x = 2 3:const y = 3 4:const z = 4"},
		{"a match stays on its line", input{"pattern": `x = 2\s+const`}, "No matches found"},
		{"over lines", input{"pattern": `x = 2\s+const`, "multiline": true, "output_mode": "content", "path": "web/app.ts"}, "2:const x = 2 3:const y = 3"},
		{"a dot over lines", input{"pattern": `x.*z`, "multiline": true, "output_mode": "content", "path": "web/app.ts"}, "2:const x = 2 3:const y = 3 4:const z = 4"},
		{"over lines with lines around", input{"pattern": "x = 2\nconst", "multiline": true, "output_mode": "content", "path": "web/app.ts", "-C": 1.0}, "1-const hello = 1 2:const x = 2 3:const y = 3 4-const z = 4"},
		{"anchors over lines", input{"pattern": `^hello\(\)$`, "multiline": true, "output_mode": "content", "path": "web/app.ts"}, "5:hello()"},
		{"line feeds over lines", input{"pattern": `\n`, "multiline": true, "output_mode": "count", "path": "web/app.ts"}, "web/app.ts:5"},
		{"empty matches", input{"pattern": `x*`, "output_mode": "count", "path": "web/app.ts"}, "web/app.ts:5"},
		{"empty matches over lines", input{"pattern": `q*`, "multiline": true, "output_mode": "count", "path": "web/app.ts"}, "web/app.ts:5"},
		{"empty lines", input{"pattern": `^$`, "output_mode": "content", "path": "main.go"}, "2:"},
		{"an empty file", input{"pattern": `^`, "path": "web/empty"}, "No matches found"},
		{"a quotation without an end", input{"pattern": `\Q() {`, "output_mode": "content", "path": "main.go"}, "3:func main() {"},
		{"a binary file", input{"pattern": "Hello", "path": "logo.png"}, "No matches found\n(1 binary file was not searched.)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := runTool(t, newGrep(Options{}), root, test.in)
			body, note, noted := strings.Cut(got, "\n\n")
			got = strings.ReplaceAll(body, "\n", " ")
			if noted {
				got += "\n" + note
			}
			if got != test.want {
				t.Errorf("%v:\n got %q\nwant %q", test.in, got, test.want)
			}
		})
	}
}

func TestGrep_Refused(t *testing.T) {
	root := tree(t, code)
	tests := []struct {
		in    input
		words string
	}{
		{input{"pattern": "a("}, `missing closing ): "a("`},
		{input{"pattern": "interface{}["}, `write a backslash`},
		{input{"pattern": "*a"}, `missing argument to repetition operator: "*"`},
		{input{"pattern": "(?=a)"}, "RE2, which has no look-around"},
		{input{"pattern": "a(?!b)"}, "RE2, which has no look-around"},
		{input{"pattern": "(?<=a)b"}, "RE2, which has no look-around"},
		{input{"pattern": "(?<!a)b"}, "RE2, which has no look-around"},
		{input{"pattern": `(a)\1`}, "RE2, which has no backreferences"},
		{input{"pattern": `a++`}, "possessive"},
		{input{"pattern": "a{2000}"}, "invalid repeat count"},
		{input{"pattern": strings.Repeat("a", 20_000)}, "more than 10000 characters"},
		{input{"pattern": "a", "type": "klingon"}, `no file type "klingon"`},
		{input{"pattern": "a", "glob": "[a"}, `the glob "[a" cannot be used`},
		{input{"pattern": "a", "glob": "../*"}, `climbs with ".."`},
		{input{"pattern": "a", "path": "missing"}, "does not exist"},
		{input{"pattern": "a", "path": "main.go/x"}, "cannot be resolved"},
	}
	for _, test := range tests {
		failTool(t, newGrep(Options{}), root, test.in, test.words)
	}
}

func TestGrep_LeavesOutWhatMayNotBeRead(t *testing.T) {
	root := tree(t, code)
	job := jobFor(t, newGrep(Options{}), root, input{"pattern": "Hello", "glob": "*.{go,ts}", "output_mode": "count"})
	job.MayRead = denying(root+"/main.go", root+"/web")
	got := newGrep(Options{}).Run(t.Context(), job).Text
	if want := "lib/a.go:2\nlib/a_test.go:1\n\n(2 names were left out: rules deny reading them.)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestGrep_Data(t *testing.T) {
	root := tree(t, code)
	for mode, want := range map[string]string{
		"files_with_matches": `{"mode":"files_with_matches","numFiles":1,"filenames":["main.go"]}`,
		"content":            `{"mode":"content","numFiles":1,"filenames":["main.go"],"content":"main.go:4:\tprintln(\"Hello\")\n","numLines":1}`,
		"count":              `{"mode":"count","numFiles":1,"filenames":["main.go"],"content":"main.go:1\n","numMatches":1}`,
	} {
		job := jobFor(t, newGrep(Options{}), root, input{"pattern": "Hello", "glob": "main.go", "output_mode": mode})
		if got := newGrep(Options{}).Run(t.Context(), job).Data.String(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", mode, got, want)
		}
	}
}

// The result for programs can always be written, whatever the files hold.
func TestGrep_DataOfBrokenText(t *testing.T) {
	root := tree(t, files{"a\xff": "Hello \xff\xfe\n"})
	job := jobFor(t, newGrep(Options{}), root, input{"pattern": "Hello", "output_mode": "content"})
	if result := newGrep(Options{}).Run(t.Context(), job); strictjson.Valid(result.Data) != nil {
		t.Errorf("data %q", result.Data)
	}
}

func TestGrep_LongLines(t *testing.T) {
	pad := strings.Repeat("x", 10_000)
	root := tree(t, files{"a": pad + "NEEDLE" + pad + "\n"})
	got := runTool(t, newGrep(Options{}), root, input{"pattern": "NEEDLE", "output_mode": "content"})
	if !strings.Contains(got, "NEEDLE") || len(got) > 600 || !strings.HasPrefix(got, "a:1:[9900 bytes cut] x") || !strings.HasSuffix(got, "x [9606 bytes cut]") {
		t.Errorf("got %q", got)
	}
}

func TestGrep_OutputIsBounded(t *testing.T) {
	line := strings.Repeat("y", 100) + "\n"
	root := tree(t, files{"a": strings.Repeat(line, 5000), "b": strings.Repeat(line, 5000)})
	got := runTool(t, newGrep(Options{}), root, input{"pattern": "y", "output_mode": "content", "head_limit": 0.0})
	if len(got) > mostOutput+200 || !strings.Contains(got, "There is more: go on with offset") {
		t.Errorf("got %d characters ending in %q", len(got), got[len(got)-100:])
	}
}

func TestGrep_LargeFiles(t *testing.T) {
	root := tree(t, files{"medium": strings.Repeat("z\n", smallFile) + "NEEDLE\n", "small": "NEEDLE"})
	sparse, err := os.Create(root + "/sparse")
	if err != nil {
		t.Fatal(err)
	}
	defer sparse.Close()
	if err := sparse.Truncate(1 << 40); err != nil {
		t.Skip(err)
	}
	got := runTool(t, newGrep(Options{}), root, input{"pattern": "NEEDLE", "output_mode": "content"})
	want := fmt.Sprintf("medium:%d:NEEDLE\nsmall:1:NEEDLE\n\n(1 file was too large to search: use a command for it.)", smallFile+1)
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An expression that is as costly as they get on one long line ends soon after its
// context does, and leaves nothing behind.
func TestGrep_CostlyIsInterrupted(t *testing.T) {
	leavesNothing(t)
	root := tree(t, files{"a": strings.Repeat("a", 4<<20)})
	for _, multiline := range []bool{false, true} {
		job := jobFor(t, newGrep(Options{}), root, input{"pattern": "(a?a?a?a?){100}[ab]{400}[cd]", "multiline": multiline})
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		began := time.Now()
		result := newGrep(Options{}).Run(ctx, job)
		cancel()
		if took := time.Since(began); result.Outcome != tool.NothingDone || took > 5*time.Second {
			t.Errorf("multiline %v: outcome %d after %v: %q", multiline, result.Outcome, took, result.Text)
		}
	}
}

// Looking for the text that every match holds finds the same as trying every line.
func TestGrep_RequiredText(t *testing.T) {
	for pattern, want := range map[string]string{
		"abc": "abc", "ab+c": "a", "a(bcd)+e": "bcd", "(abc){2}": "abc", "(abc)?d": "d", "(abc)*": "", "a|b": "", "x.*yes": "yes", "(?i)abc": "", "func\\s+Foo": "func",
	} {
		e, err := newExpression(pattern, false, false)
		if err != nil {
			t.Fatal(err)
		}
		if string(e.required) != want {
			t.Errorf("%s: required %q, want %q", pattern, e.required, want)
		}
	}
}

func FuzzGrepNext(f *testing.F) {
	f.Add("a.c", "abc\n\nxa\nac", false)
	f.Add("b\\s*c", "ab\nc\r\n", true)
	f.Add("^$|x*", "\n\n", false)
	f.Fuzz(func(t *testing.T, pattern, text string, multiline bool) {
		if len(pattern) > 30 || len(text) > 300 {
			return
		}
		e, err := newExpression(pattern, false, multiline)
		if err != nil {
			return
		}
		slow := *e
		slow.required = nil
		body := []byte(text)
		last := -1
		for at := 0; ; {
			from, to, ok := e.next(t.Context(), body, at)
			from2, to2, ok2 := slow.next(t.Context(), body, at)
			if from != from2 || to != to2 || ok != ok2 {
				t.Fatalf("at %d: %d %d %v, without required text %d %d %v", at, from, to, ok, from2, to2, ok2)
			}
			if !ok {
				break
			}
			if from <= last || to < from || to > len(body) || from > 0 && body[from-1] != '\n' || to < len(body) && body[to] != '\n' {
				t.Fatalf("group %d to %d of %q is not made of lines", from, to, text)
			}
			last, at = to, to+1
		}
		s := scanner{expression: e, before: 1, after: 1, numbers: true, most: 1000}
		out := s.scan(t.Context(), body)
		if got := e.count(t.Context(), body); out.matches != got {
			t.Fatalf("%d matches shown, %d counted", out.matches, got)
		}
		lines := bytes.Count(body, []byte{'\n'}) + 1
		marks := 0
		for _, line := range out.shown {
			if line.mark != 0 {
				marks++
			}
		}
		if marks > lines {
			t.Fatalf("%d lines shown of %d", marks, lines)
		}
	})
}

func TestGrep_SplitGlobs(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " ,": "", "*.go": "*.go", "*.go,*.c": "*.go|*.c", " a , b ": "a|b", "*.{a,b} c": "*.{a,b}|c", "{a,{b c},d},e": "{a,{b c},d}|e", "a},b": "a}|b", "{a,b": "{a,b", "ü,ä": "ü|ä",
	} {
		if got := strings.Join(splitGlobs(text), "|"); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
