package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The examples of the documentation are run: a block that starts with ```console
// holds commands after "$ " and what they print, a block whose first line names a
// language and a file, ```json FILE, is that file of the project. A line "…" stands for
// any lines.
//
// UPDATE=1 writes what the commands really print into the pages.
func TestDocumentation(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) < 9 {
		t.Fatalf("found %d pages, %v", len(pages), err)
	}
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		t.Run(filepath.Base(page), func(t *testing.T) { runPage(t, page) })
	}
}

func runPage(t *testing.T, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	box := newBox(t)
	out := new(strings.Builder)
	for _, part := range splitPage(string(text)) {
		_, file, isFile := strings.Cut(part.info, " ")
		switch {
		case part.info == "console":
			part.body = box.converse(part)
		case isFile:
			box.write(file, part.body)
		}
		out.WriteString(part.String())
	}
	if os.Getenv("UPDATE") != "" && out.String() != string(text) {
		if err := os.WriteFile(page, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// section is a fenced block, or the text between two; that has no info.
type section struct {
	info, body string
	line       int
	fenced     bool
}

func (s section) String() string {
	if !s.fenced {
		return s.body
	}
	return "```" + s.info + "\n" + s.body + "```\n"
}

func splitPage(text string) []section {
	var all []section
	current := section{line: 1}
	number := 0
	for line := range strings.Lines(text) {
		number++
		fence, isFence := strings.CutPrefix(strings.TrimRight(line, "\n"), "```")
		switch {
		case !isFence:
			current.body += line
			continue
		case current.fenced:
			all = append(all, current)
			current = section{line: number + 1}
		default:
			all = append(all, current)
			current = section{info: fence, line: number, fenced: true}
		}
	}
	return append(all, current)
}

// box is the machine of one page: a home directory /home/dev with a project
// /home/dev/app, as far as anybody can see.
type box struct {
	t   *testing.T
	top string
}

func newBox(t *testing.T) *box {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &box{t: t, top: top}
	b.write("README.md", "")
	return b
}

func (b *box) project() string { return filepath.Join(b.top, "home", "dev", "app") }

func (b *box) write(name, text string) {
	path := filepath.Join(b.project(), name)
	if home, ok := strings.CutPrefix(name, "~/"); ok {
		path = filepath.Join(b.top, "home", "dev", home)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// converse runs the commands of a block in one shell and returns the block as it
// should read.
func (b *box) converse(s section) string {
	commands, want := dialogue(s.body)
	got := b.run(commands)
	var body strings.Builder
	for i, command := range commands {
		for j, line := range strings.Split(command, "\n") {
			body.WriteString([]string{"$ ", "> "}[min(j, 1)] + line + "\n")
		}
		if like(want[i], got[i]) {
			body.WriteString(want[i])
			continue
		}
		body.WriteString(got[i])
		if os.Getenv("UPDATE") == "" {
			b.t.Errorf("line %d: $ %s\ngot:\n%s\nwant:\n%s", s.line, command, got[i], want[i])
		}
	}
	return body.String()
}

func dialogue(body string) (commands, outputs []string) {
	for line := range strings.Lines(body) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		more, continues := strings.CutPrefix(line, "> ")
		last := len(commands) - 1
		switch {
		case isCommand:
			commands, outputs = append(commands, strings.TrimSuffix(command, "\n")), append(outputs, "")
		case continues && outputs[last] == "":
			commands[last] += "\n" + strings.TrimSuffix(more, "\n")
		default:
			outputs[last] += line
		}
	}
	return commands, outputs
}

const cut = "----8<----"

func (b *box) run(commands []string) []string {
	var script strings.Builder
	for _, command := range commands {
		fmt.Fprintf(&script, "%s\nstatus=$?; printf %%s '%s'; (exit $status)\n", command, cut)
	}
	cmd := exec.Command("bash", "-c", script.String())
	cmd.Dir = b.project()
	cmd.Env = []string{
		"HOME=" + filepath.Join(b.top, "home", "dev"), "PATH=" + os.Getenv("PATH"), "TERM=dumb",
		"GORACE=" + noSleep, "GOCOVERDIR=" + b.t.TempDir(), // under -race and -cover programs say more
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // what the last command said with its status is part of the text
	pieces := strings.Split(strings.ReplaceAll(out.String(), b.top, ""), cut)
	if len(pieces) != len(commands)+1 {
		b.t.Fatalf("%d commands gave %d answers:\n%s", len(commands), len(pieces)-1, out.String())
	}
	return pieces[:len(commands)]
}

// like compares what is written with what was printed.
func like(want, got string) bool {
	pieces := strings.Split(want, "…\n")
	if len(pieces) == 1 {
		return want == got
	}
	rest, ok := strings.CutPrefix(got, pieces[0])
	for _, piece := range pieces[1 : len(pieces)-1] {
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest = rest[at+len(piece):]
	}
	return ok && strings.HasSuffix(rest, pieces[len(pieces)-1])
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a\n", "a\n", true},
		{"a\n", "b\n", false},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"a\n…\nd\n", "a\nb\nc\n", false},
		{"…\nb\n…\n", "a\nb\nc\n", true},
		{"…\nx\n…\n", "a\nb\nc\n", false},
	} {
		if got := like(c.want, c.got); got != c.ok {
			t.Errorf("like(%q, %q) = %v", c.want, c.got, got)
		}
	}
}
