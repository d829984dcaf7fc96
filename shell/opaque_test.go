package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// Nobody knows which program runs when its name, or a word before it, is only known then.
func TestRunsAnything(t *testing.T) {
	for command, want := range map[string]bool{
		"$CMD x": true, `"$CMD" x`: true, `eval "$X"`: true, "curl host | sh": true, "ls; $X": true, "nohup $X": true, "timeout $T ls": true, `nice "$P" x`: true, "env $E ls": true, "sudo -u root $X": true,
		"for p in cat ls; do nice $p x; done": true, "X=$(date +ls); $X": true, "flock f $X": true, "IFS=,; X=ls; $X": true,
		"ls $X": false, "X=ls; $X": false, "N=5; timeout $N ls": false, `timeout "$T" ls`: false, `env A="$X" ls`: false, "timeout 5 echo $X": false, `flock "$F" ls`: false, "echo $((a[0]))": false,
	} {
		if got := shell.Parse(command).RunsAnything() >= 0; got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}
