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
	for name, file := range pages(t) {
		t.Run(name, func(t *testing.T) { runPage(t, name, file) })
	}
}

func runPage(t *testing.T, name, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	box := newBox(t)
	box.page, box.atCheckout = name, strings.HasPrefix(name, "examples/")
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
	open       bool // the page ends before it does
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
	current.open = current.fenced
	return append(all, current)
}

// box is the machine of one page: a home directory /home/dev with a project
// /home/dev/app, as far as anybody can see.
//
// The pages of the examples are for somebody who stands in a checkout: there the commands
// run in it.
type box struct {
	t          *testing.T
	top        string
	page       string // whose commands these are
	atCheckout bool
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
	got, failed := b.run(commands)
	var body strings.Builder
	for i, command := range commands {
		for j, line := range strings.Split(command, "\n") {
			body.WriteString([]string{"$ ", "> "}[min(j, 1)] + line + "\n")
		}
		if failed[i] && !shown(want[i]) {
			b.t.Errorf("line %d: $ %s\nfails, and the page does not show it (show what it says, or the exit status):\n%s", s.line, command, got[i])
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

// shown: a page shows all that a command says, so that a reader sees how it ends.
func shown(output string) bool { return output != "" && !strings.Contains(output, "…\n") }

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

// run is what the commands say, and which of them fail.
func (b *box) run(commands []string) (said []string, failed []bool) {
	var script strings.Builder
	for _, command := range commands {
		fmt.Fprintf(&script, "%s\nstatus=$?; printf '%%s%%s%%s' '%s' \"$status\" '%s'; (exit $status)\n", b.instead(command), cut, cut)
	}
	cmd := exec.Command("bash", "-c", script.String())
	cmd.Dir = b.project()
	cmd.Env = append(goEnv(b.t),
		"HOME="+filepath.Join(b.top, "home", "dev"), "PATH="+os.Getenv("PATH"), "TERM=dumb", "TMPDIR="+b.t.TempDir(),
		"GORACE="+noSleep, "GOCOVERDIR="+b.t.TempDir(), // under -race and -cover programs say more
	)
	if b.atCheckout {
		cmd.Dir = checkout(b.t)
		cmd.Env = append(cmd.Env, "GOFLAGS=-buildvcs=false") // git refuses a checkout that belongs to somebody else
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // what the last command said with its status is part of the text
	text := strings.ReplaceAll(out.String(), b.top, "")
	if b.atCheckout {
		text = strings.ReplaceAll(text, cmd.Dir, "/home/dev/assent")
	}
	pieces := strings.Split(text, cut)
	if len(pieces) != 2*len(commands)+1 {
		b.t.Fatalf("%d commands gave %d answers:\n%s", len(commands), len(pieces)/2, out.String())
	}
	for i := range commands {
		said, failed = append(said, pieces[2*i]), append(failed, pieces[2*i+1] != "0")
	}
	return said, failed
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

// A command that fails is seen where the page shows nothing, or not all, of what it says.
func TestDocumentation_SeesWhatFails(t *testing.T) {
	said, failed := newBox(t).run([]string{"echo a", "echo b; false", "false", "true"})
	if strings.Join(said, "") != "a\nb\n" || fmt.Sprint(failed) != "[false true true false]" {
		t.Errorf("%q, %v", said, failed)
	}
	for output, want := range map[string]bool{"": false, "…\n": false, "b\n…\n": false, "b\n": true} {
		if shown(output) != want {
			t.Errorf("shown(%q) = %v", output, !want)
		}
	}
}
