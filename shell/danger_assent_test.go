package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestS37_AnswersForAPerson: what assent leaves to a person no command of an agent does.
func TestS37_AnswersForAPerson(t *testing.T) {
	for command, want := range map[string]bool{
		"assent approve x": true, "assent deny x --reason no": true, "assent --color never approve x": true, "assent --color=never approve x": true, "/usr/local/bin/assent init": true, "assent-2 serve": true, "assent.exe approve x": true,
		"assent sessions resolve x --ran": true, "assent sessions --json prune": true, "assent sessions import f": true, "assent people add eve --role admin": true, "assent --state x people token ana": true, "assent worker": true, "assent people --help": false, "env A=1 assent approve x": true, "sh -c 'assent deny x'": true, "echo x | xargs assent approve": true,
		"assent $X y": true, `assent sessions "$X"`: true, "V=approve; assent $V x": true,
		"assent trust": true, "assent --color never trust --yes": true, "assent trust --yes -- --list": true, "assent trust --list": false, "assent init --print": false, "assent approve --help": false,
		"assent check 'Bash(ls)'": false, "assent sessions list": false, "assent sessions export x": false, "assent -p 'approve the plan'": false, "assent explain approve": false, "assent audit log": false, "assent-hook": false,
		"echo assent approve x": false, "grep assent approve.go": false, "dissent approve x": false, "assent": false, "assent --version": false,
	} {
		if got := shell.Parse(command).Floor() != nil; got != want {
			t.Errorf("%s: on the floor is %v, want %v", command, got, want)
		}
	}
}
