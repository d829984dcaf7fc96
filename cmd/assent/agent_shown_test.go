//go:build linux

package main

import (
	"strings"
	"testing"
)

// TestAModelDoesNotSteerTheTerminal: what it says is shown there, not obeyed. Programs
// that read the output get it as it is.
func TestAModelDoesNotSteerTheTerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.write("script.yaml", `turns: [{say: "all\tgood \u2714\uFE0F\nthen \e[2J\e]0;title\a\u202Egone\u009B1m"}]`+"\n")
	args := []string{"-p", "--model", "script:" + script, "hello"}
	screen, status := p.sit(p.env(), args...).leaves()
	if want := "all\tgood ✔\uFE0F\nthen \\x1b[2J\\x1b]0;title\\x07\\u202egone\\u009b1m\n"; status != 0 || !strings.Contains(screen, want) {
		t.Errorf("exit status %d, on the screen is %q, want %q", status, screen, want)
	}
	c := p.start(p.env(), args...)
	if said, status := c.rest(), c.end(); status != 0 || said != "all\tgood ✔\uFE0F\nthen \x1b[2J\x1b]0;title\a\u202egone\u009b1m\n" {
		t.Errorf("exit status %d, said %q", status, said)
	}
}
