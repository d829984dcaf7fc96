//go:build linux

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// typed is a line on which somebody has typed something.
var typed = regexp.MustCompile(`^((?:answer|always|why|value)?> )(.*)$`)

// The captures of sessions on a terminal are real: a block that starts with ```terminal
// holds a command after "$ " and the whole screen, with what was typed behind the prompts.
//
// UPDATE=1 writes what is really on the screen into the page.
func TestTerminal_Documentation(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "docs", "terminal.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	box, out, captures := newBox(t), new(strings.Builder), 0
	for _, part := range splitPage(string(text)) {
		_, file, isFile := strings.Cut(part.info, " ")
		switch {
		case part.info == "terminal":
			captures++
			got := box.capture(t, part.body)
			if got != part.body && os.Getenv("UPDATE") == "" {
				t.Errorf("line %d, got:\n%s\nwant:\n%s", part.line, got, part.body)
			}
			part.body = got
		case isFile:
			box.write(file, part.body)
		}
		out.WriteString(part.String())
	}
	if captures == 0 {
		t.Error("there is no capture")
	}
	if os.Getenv("UPDATE") != "" && out.String() != string(text) {
		if err := os.WriteFile(page, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// capture types what a capture says was typed, and returns the screen.
func (b *box) capture(t *testing.T, body string) string {
	command, rest, _ := strings.Cut(strings.TrimPrefix(body, "$ "), "\n")
	home := filepath.Join(b.top, "home", "dev")
	p := &place{t: t, dir: b.project(), home: home}
	y := p.sitWith("bash", p.env("ASSENT_HOME="), "-c", "exec "+command)
	for _, line := range strings.Split(rest, "\n") {
		if m := typed.FindStringSubmatch(line); m != nil && m[2] != "" {
			y.sees("\n" + m[1])
			y.types(m[2] + "\n")
		}
	}
	screen, _ := y.leaves()
	return "$ " + command + "\n" + strings.ReplaceAll(screen, b.top, "")
}
