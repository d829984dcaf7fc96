package main

import (
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
)

// On a small screen the commands that answer stay, and the first calls, which are the worst.
func TestA1_TheListFitsTheScreen(t *testing.T) {
	p := &page{}
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprint("call ", i))
	}
	lines = append(lines, "", "  assent approve ID", "  assent deny ID")
	got := p.fitting(lines, 23)
	if len(got) != 23 || got[0] != "call 0" || !slices.Equal(got[20:], lines[50:]) || !strings.Contains(got[19], "31 more lines") {
		t.Errorf("%d: %q", len(got), got)
	}
	for _, height := range []int{0, 1, 3, 4, 53, 80} {
		if got := p.fitting(lines, height); height > 1 && len(got) > height || height >= len(lines) && len(got) != len(lines) {
			t.Errorf("%d: %q", height, got)
		}
	}
	if got := p.fitting(lines[:50], 10); len(got) != 10 || !strings.Contains(got[9], "41 more lines") {
		t.Errorf("%q", got)
	}
}

// What goes wrong before a server is there says what to do.
func TestA3_ServeSaysTheWayOut(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for args, want := range map[string]string{
		"serve --model x":                         "flags of the agent come after --",
		"serve --listen " + taken.Addr().String(): "name another port",
	} {
		var out, errOut bytes.Buffer
		if status := run(strings.Fields(args), strings.NewReader(""), &out, &errOut); status == 0 || !strings.Contains(errOut.String(), want) {
			t.Errorf("%s: status %d: %s", args, status, errOut.String())
		}
	}
}
