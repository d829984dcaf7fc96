package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/shell"
	"github.com/assent-dev/assent/tool/builtin"
)

// What this program refuses to an agent needs a person before it is started as well: for agents of
// others, that is all there is. And what needs a person then is refused to an agent whose program
// starts it unseen, but for the values of hooks, which hooks change below an agent.
func TestS37_WhatIsForPersonsIsAskedAbout(t *testing.T) {
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			look(below)
		}
		if cmd.HasSubCommands() {
			return
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "assent ")
		asked := shell.Parse("assent "+name+" x").Floor() != nil
		switch changesValues := name == "state set" || name == "state add" || name == "state delete"; {
		case isPersonal(name) && !asked:
			t.Errorf("assent %s runs unasked where a rule allows it", name)
		case asked && !isPersonal(name) && !changesValues:
			t.Errorf("assent %s is asked about, and a program of an agent can run it", name)
		}
	}
	look(newRoot(&app{}, false))
}

// TestS37_NotFromInside: what a session has started does not answer for a person, and
// says so; what only looks works.
func TestS37_NotFromInside(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv(builtin.SessionMark, "1")
	for command, refused := range map[string]bool{
		"approve x": true, "deny x --reason no": true, "trust": true, "sessions resolve x --ran": true, "sessions prune": true, "sessions import x": true, "people list": true, "people add x --role admin": true, "people deputy add a b --until 1d": true, "people token x": true, "--color never approve x": true,
		"init": true, "init --undo --yes": true, "init --agent claude --yes": true, "init --print --print=false --yes": true,
		"version": false, "sessions list": false, "approve --help": false, "people add --help": false, "init --print": false, "init --help": false,
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
