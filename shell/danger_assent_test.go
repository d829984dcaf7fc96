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
		// A variable names the file of the values, or nobody knows which; the option is judged as a path.
		"assent state set refunds 0": true, "ASSENT_STATE=f.json assent state set refunds 0": true, "export ASSENT_STATE=f.json; assent state add refunds": true, "env ASSENT_STATE=f.json assent state delete refunds": true,
		"assent state --json set a 0": true, `assent state set --file "$X" a 0`: true, "assent state set -- --file 0": true, "assent state set --file= a 0": true, "assent state --file f.json set a 0": false, "assent state set --file=f.json a 0": false,
		"ASSENT_STATE=f.json assent state get refunds": false, "assent state list": false, `assent state "$X" a 0`: true, "assent state set --help": false,
		// What looks like an option may be the value of another, or be taken back.
		"assent deny x --reason --help": true, "assent approve x --help --help=false": true, "assent init --print --print=false --yes": true, "assent init --print=false --print": true, "assent trust --list --list=false": true, "assent init --agent --print": true,
		"assent init --project --print": false, "assent init --undo --yes": true, "assent init --print --": true,
		"echo assent approve x": false, "grep assent approve.go": false, "dissent approve x": false, "assent": false, "assent --version": false,
	} {
		if got := shell.Parse(command).Floor() != nil; got != want {
			t.Errorf("%s: on the floor is %v, want %v", command, got, want)
		}
	}
}
