package shell_test

import (
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestA1_WhatNobodyCanRead: a command that runs what does not stand in it is told from one
// that only names a program.
func TestA1_WhatNobodyCanRead(t *testing.T) {
	for command, hidden := range map[string]bool{
		`eval "$(cat x)"`: true, `$X`: true, `bash -c "$X"`: true, `cat x | python3`: true, `cat x | python3 -`: true, `python3 < x`: true, `python3 -c "$X"`: true,
		`"$HOME/bin/x"`: true, `$(cat x) y`: true, `cat x | sh`: true, `timeout 5 $X`: true, `sudo $X`: true, `env $X`: true, `. /dev/stdin`: true, `find . -exec $X {} +`: true, `awk "$X"`: true, `node -e "f($Y)"`: true,
		`npm test`: false, `./x`: false, `bash x.sh`: false, `source ./x`: false, `python3 x.py $X`: false, `python3 -c "print(1)"`: false, "python3 - <<'E'\nprint(1)\nE": false,
		`curl -s $URL | python3 -c "import json"`: false, `ls $X`: false, `git commit -m "$(cat m)"`: false, `awk '{print $1}' f`: false, `make CC=$X`: false, `sh -c 'make'`: false,
	} {
		if got := shell.Parse(command).Hidden() != nil; got != hidden {
			t.Errorf("%s: hidden is %v, want %v", command, got, hidden)
		}
	}
}
