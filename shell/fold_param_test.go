package shell_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// TestFoldsChangedValues: the value of a variable after the changes of ${…}, and the
// output of commands that print a constant.
func TestFoldsChangedValues(t *testing.T) {
	for command, want := range map[string]string{
		"d=/x; rm ${d%x}":            "rm /",
		"d=/a/b; rm ${d%/*}":         "rm /a",
		"d=/a/b; rm ${d%%[a-z]*}":    "rm /",
		"d=x/y; rm ${d#x}":           "rm /y",
		"d=a/b/c; rm ${d##*/}":       "rm c",
		"d=/abc; rm ${d:0:1}":        "rm /",
		"d=/abc; rm ${d: -1}":        "rm c",
		"d=/x; rm ${d/x/}":           "rm /",
		"d=a.a.a; rm ${d//a/b}":      "rm b.b.b",
		"d=RM; ${d,,} x":             "rm x",
		"d=/; rm ${d:?}":             "rm /",
		"d=/; rm ${d:-x}":            "rm /",
		"rm ${d:+/}":                 "rm /",
		"printf -v d %s/ x; rm $d":   "rm x/",
		"rm ${PWD%/*}":               "rm ..",
		`rm "$(dirname "$PWD")"`:     "rm ..",
		"rm $(dirname a/b)":          "rm a",
		"rm $(basename a/b)":         "rm b",
		"rm $(realpath ..)":          "rm ..",
		"rm $(cat <<< /)":            "rm /",
		"rm $(echo / | head -1)":     "rm /",
		"rm $(cd .. && pwd)":         "rm ..",
		"rm $(printenv HOME)":        "rm ~",
		"rm $(command echo /)":       "rm /",
		"IFS=,; a=-r,/; rm $a":       "rm -r /",
		"d=/x; rm ${d%\"$unknown\"}": "rm /x",
	} {
		s := shell.Parse(command)
		at := slices.Index(parts(s), want)
		if at < 0 {
			t.Errorf("%q: %q is not among %q", command, want, parts(s))
		} else if s.Commands[at].Link != shell.Guess {
			t.Errorf("%q: %q is more than a guess", command, want)
		}
	}
}
