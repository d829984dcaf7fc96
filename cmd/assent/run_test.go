package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/tool"
)

// A panic becomes a sentence and a status, never a stack trace.
func TestPanicIsASentence(t *testing.T) {
	var errOut strings.Builder
	status := run([]string{"check", "--jsonl", "--home", "/"}, panics{}, io.Discard, &errOut)
	if status != statusBroken || !strings.HasPrefix(errOut.String(), "assent: internal error: boom (version ") || strings.Contains(errOut.String(), "goroutine") {
		t.Errorf("status %d: %q", status, errOut.String())
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("boom") }

// An output that cannot be written is a failure, not a decision nobody saw.
func TestFullDisk(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for _, args := range [][]string{
		{"check", "Bash(ls)"},
		{"check", "--json", "Bash(ls)"},
		{"explain", "Bash(ls)"},
		{"shell", "ls"},
		{"lint"},
		{"version"},
		{"help"},
		{"help", "check"},
		{"check", "--help"},
		{"completion", "bash"},
	} {
		if status := run(args, strings.NewReader(""), full{}, io.Discard); status != statusBroken {
			t.Errorf("%q: status %d", args, status)
		}
	}
}

type full struct{}

// The root command knows only success and failure.
func TestFullDiskOfTheRoot(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"--version"}} {
		var errOut strings.Builder
		if status := run(args, strings.NewReader(""), full{}, &errOut); status != statusNo || errOut.String() != "assent: short write\n" {
			t.Errorf("%q: status %d: %q", args, status, errOut.String())
		}
	}
}

// A test file is read only if it is one, and not without bound.
func TestTestFilesAreBounded(t *testing.T) {
	dir := t.TempDir()
	large, pipe := filepath.Join(dir, "large.json"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(large, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := makePipe(pipe); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		large: large + " cannot be read: it is larger than 4 MiB",
		pipe:  pipe + " cannot be read: it is not a regular file (pass - to read standard input)",
		dir:   dir + " cannot be read: it is a directory",
		"-":   "standard input cannot be read: it is larger than 4 MiB",
	} {
		status, out, errOut := inProcess(t, strings.Repeat(" ", maxFile+1), "test", file)
		if status != statusBroken || out != "" || errOut != "assent: "+want+"\n" {
			t.Errorf("%s: status %d: %s%s", file, status, out, errOut)
		}
	}
}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestMCPNames(t *testing.T) {
	for name, want := range map[string]bool{
		"mcp__a__b": true, "mcp__a__b__c": true, "mcp__a": false, "mcp__a__": false, "mcp____b": false, "mcp_a_b": false, "Bash": false,
	} {
		if isMCP(name) != want {
			t.Errorf("isMCP(%q) = %v", name, !want)
		}
	}
	tool := tool.Named("mcp__a__b")
	for input, valid := range map[string]bool{`{}`: true, `{"x": 1}`: true, `[]`: false, `null`: false, `{"x":1,"x":2}`: false, ``: false} {
		if _, err := tool.Decode([]byte(input)); (err == nil) != valid {
			t.Errorf("%s: %v", input, err)
		}
	}
}

func TestOSLinks(t *testing.T) {
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{link: "target", file: "", dir: "", filepath.Join(dir, "nothing"): "", filepath.Join(file, "below"): ""} {
		if got, err := (osLinks{}).Readlink(path); got != want || err != nil {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	// A name that no file can have is not known to be harmless.
	if _, err := (osLinks{}).Readlink(filepath.Join(dir, strings.Repeat("x", 5000))); err == nil {
		t.Error("a path that cannot be looked at has no error")
	}
}

func TestSource(t *testing.T) {
	for _, c := range []struct {
		name, text string
		span       [2]int
		want       []string
	}{
		{"one line", "ls; make x", [2]int{4, 10}, []string{"ls; make x", "    ^^^^^^"}},
		{"nothing decided", "ls", [2]int{-1, -1}, []string{"ls"}},
		{"over lines", "a &&\nmake \\\n x", [2]int{5, 14}, []string{"a &&", `make \`, "^^^^^^", " x", "^^"}},
		{"escapes are as wide as they look", "\u202ea b", [2]int{3, 4}, []string{`\u202ea b`, "      ^"}},
		{"an escape can be what is meant", "a\tb", [2]int{1, 2}, []string{`a\tb`, " ^^"}},
		{"wide characters", "世界 x", [2]int{7, 8}, []string{"世界 x", "     ^"}},
		{"combining characters", "e\u0301 x", [2]int{4, 5}, []string{"e\u0301 x", "  ^"}},
	} {
		if got := source(c.text, c.span); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Of a long script the lines around the part that decided are shown.
func TestSourceIsClipped(t *testing.T) {
	text := strings.Repeat("echo x\n", 100) + "make\n" + strings.Repeat("echo y\n", 100)
	got := source(text, [2]int{700, 704})
	at := slices.Index(got, "make")
	if len(got) != maxSourceLines || at < 0 || got[at+1] != "^^^^" || got[0] != "…" || got[len(got)-1] != "…" {
		t.Errorf("got %q", got)
	}
}

func TestPainter(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	for colors, want := range map[string]painter{"always": true, "never": false, "auto": false} {
		if got := (&app{colors: colors}).painter(io.Discard); got != want {
			t.Errorf("%s: %v", colors, got)
		}
	}
	if got := painter(true).outcome("deny"); got != "\x1b[31mdeny\x1b[0m" {
		t.Errorf("got %q", got)
	}
	if got := painter(false).outcome("deny"); got != "deny" {
		t.Errorf("got %q", got)
	}
}
