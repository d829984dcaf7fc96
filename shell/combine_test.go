package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// Each variable has each of its values with each value of the others, and runs wherever a
// cd before it leads to with any of them.
func TestBoundedCombinations(t *testing.T) {
	for command, want := range map[string]string{
		"for a in x/1 y/2; do for b in p/3 q/4; do cat $a/$b; done; done":         "x/1/p/3|y/2/p/3|x/1/q/4|y/2/q/4",
		"for a in x/1 y/2; do for b in p/3 q/4; do cat $a; cat $b; done; done":    "p/3|q/4",
		"for a in x/1 y/2; do for b in p/3 q/4; do (cd $a && cat $b); done; done": "x/1/p/3 y/2/p/3|y/2/q/4 x/1/q/4",
		"F=x/1; cd $F && F=y/2 && cat $F":                                         "x/1/x/1 y/2/x/1|y/2/y/2 x/1/y/2",
		"for d in ./x ./y; do (cd $d && cat z); done":                             "./x/z|./y/z",
		"for a in 1/ 2/ 3/ 4/ 5/ 6/; do for b in 1/ 2/ 3/ 4/ 5/ 6/; do cat $a$b; done; done": strings.TrimSuffix(
			strings.Repeat("anything|", 6), "|"),
	} {
		if got := strings.Join(readings(command), "|"); got != want {
			t.Errorf("%s: %s, not %s", command, got, want)
		}
	}
}

func TestFoldsCombinations(t *testing.T) {
	for command, want := range map[string][]string{
		"for a in / src; do for b in x etc; do rm $a$b; done; done":               {"rm /x", "rm /etc", "rm srcx", "rm srcetc"},
		"for a in / src; do for b in x etc; do c=$a$b; rm $c; done; done":         {"rm /x", "rm /etc", "rm srcx", "rm srcetc"},
		"for a in / src; do for b in x etc; do rm $a$(echo $b); done; done":       {"rm /x", "rm /etc", "rm srcx", "rm srcetc"},
		"for a in / src; do b=x; rm $a${b:-etc}; done":                            {"rm /x", "rm /etc", "rm srcx", "rm srcetc"},
		"d=src; unset d; rm $d/etc":                                               {"rm src/etc", "rm /etc"},
		"d=src; d=; rm $d/etc":                                                    {"rm src/etc", "rm /etc"},
		"f() { local d; rm $d/etc; }; d=src; f":                                   {"rm src/etc", "rm /etc"},
		"set -- a b; rm \"$@\"":                                                   {"rm a b"},
		"x=(a b); x=(c); for y in / z; do rm \"${x[0]}$y\"; rm \"${x[@]}\"; done": {"rm a/", "rm az", "rm c/", "rm cz", "rm a b", "rm c"},
	} {
		found := parts(shell.Parse(command))
		for _, part := range want {
			if !slices.Contains(found, part) {
				t.Errorf("%s: %q is not among %q", command, part, found)
			}
		}
	}
}

// A script that is too long for all combinations is not judged by some of them.
func TestFoldsTooManyCombinations(t *testing.T) {
	loops := `for a in / p q r; do for b in x y z etc; do rm "$a$b"; done; done; `
	if p := shell.Parse(strings.Repeat(loops, 10)).Problem; p != nil {
		t.Errorf("ten loops: %s", p.Text)
	}
	if p := shell.Parse(loops + strings.Repeat("true; ", 1000)).Problem; p == nil || p.Kind != shell.TooDeep {
		t.Errorf("among a thousand commands: %v", p)
	}
	if p := shell.Parse(`for a in / p q r; do rm "$a"; done; ` + strings.Repeat("true; ", 1000)).Problem; p != nil {
		t.Errorf("one variable among a thousand commands: %s", p.Text)
	}
}
