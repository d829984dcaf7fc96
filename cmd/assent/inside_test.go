package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
	"github.com/assent-dev/assent/tool/builtin"
)

// What this program refuses to an agent needs a person before it is started as well: for agents of
// others, that is all there is.
func TestS37_WhatIsForPersonsIsAskedAbout(t *testing.T) {
	for _, command := range personal {
		if shell.Parse("assent "+command+" x").Floor() == nil {
			t.Errorf("assent %s runs unasked where a rule allows it", command)
		}
	}
}

// TestS37_NotFromInside: what a session has started does not answer for a person, and
// says so; what only looks works.
func TestS37_NotFromInside(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv(builtin.SessionMark, "1")
	for command, refused := range map[string]bool{
		"approve x": true, "deny x --reason no": true, "trust": true, "sessions resolve x --ran": true, "sessions prune": true, "sessions import x": true, "people list": true, "people add x --role admin": true, "people deputy add a b --until 1d": true, "people token x": true, "--color never approve x": true,
		"version": false, "sessions list": false, "approve --help": false, "people add --help": false,
	} {
		var out, errOut bytes.Buffer
		status := run(strings.Fields(command), strings.NewReader(""), &out, &errOut)
		if said := strings.Contains(errOut.String(), "is for a person, and this was started by the Bash tool of a session"); said != refused || refused && status == 0 {
			t.Errorf("%s: status %d, %s", command, status, errOut.String())
		}
	}
}

// TestW1_GlobalFlagsComeFirst: a flag that every command takes says nothing about which
// command is meant.
func TestW1_GlobalFlagsComeFirst(t *testing.T) {
	for _, c := range []struct {
		args  []string
		own   []string
		agent bool
	}{
		{[]string{"--color", "never", "do it now"}, []string{"do it now"}, false},
		{[]string{"--color=never", "-p", "x"}, []string{"-p", "x"}, true},
		{[]string{"--color", "never", "--color=auto", "--model", "x"}, []string{"--model", "x"}, true},
		{[]string{"--color", "never", "check"}, []string{"check"}, false},
		{[]string{"--color=never"}, nil, false},
		{[]string{"--color"}, []string{"--color"}, false},
		{[]string{"-p", "--color", "never"}, []string{"-p", "--color", "never"}, true},
	} {
		own := withoutGlobals(c.args)
		if !slices.Equal(own, c.own) || wantsAgent(own) != c.agent {
			t.Errorf("%q: %q, %v", c.args, own, wantsAgent(own))
		}
	}
	var out, errOut bytes.Buffer
	t.Setenv("HOME", t.TempDir())
	run([]string{"--color=never", "-p", "--model", "script:none.yaml", "x y"}, strings.NewReader(""), &out, &errOut)
	if strings.Contains(errOut.String(), "no command") {
		t.Error(errOut.String())
	}
}
