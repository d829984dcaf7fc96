package permission_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/shell"
)

// No text takes long to judge under rules, in whatever way a long value gets into many commands.
func TestHostileTextTakesNoTimeUnderRules(t *testing.T) {
	const size = shell.MaxSize - 2048
	half := func(text string) string { return strings.Repeat(text, size/2/len(text)) }
	values := map[string]string{
		"words":       "x='" + half("a ") + "'; ",
		"folders":     "x=" + half("a/") + "; ",
		"slashes":     "x=" + half("/") + "; ",
		"ways up":     "x=" + half("../") + "; ",
		"commands":    "x='" + half("a;") + "'; ",
		"quotes":      "x='" + half(`"a" `) + "'; ",
		"patterns":    "x='" + half("*/") + "'; ",
		"brackets":    "x='" + half("[a]") + "'; ",
		"lines":       "x='" + half("a\n") + "'; ",
		"many values": numbered(size/2/7, "x=a%d; "),
		"parameters":  "set -- " + half("a ") + "; x=$1; ",
		"an array":    "x=(" + half("a ") + "); ",
	}
	bodies := map[string]string{
		"programs":    half("$x "),
		"commands":    half("$x;"),
		"operands":    "mytool " + half("$x "),
		"quoted":      "mytool " + half(`"$x" `),
		"copies":      "cp b " + half("$x "),
		"removals":    half("rm $x;"),
		"options":     "mytool " + half("--o=$x "),
		"fields":      half("cut -d/ -f1 <<< $x;"),
		"shells":      half(`sh -c "$x";`),
		"evals":       half("eval $x;"),
		"scripts":     half(`awk "$x" a;`),
		"variables":   half("OUT=$x mytool;"),
		"redirects":   half("mytool >$x;"),
		"directories": half("cd $x;") + "mytool a",
		"gits":        half("git add $x;"),
		"loops":       half("for y in $x;do mytool $y;done;"),
		"texts":       half("mytool <<< $x;"),
	}
	w := newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)", "Bash(*push*--force*)", "Read(**/.env)", "Edit(/a/**/b)"}})
	soak := os.Getenv("ASSENT_SOAK") != ""
	for i, value := range slices.Sorted(maps.Keys(values)) {
		for j, body := range slices.Sorted(maps.Keys(bodies)) {
			if !soak && (i+j)%len(values) != 0 { // each value, and each body, once or twice
				continue
			}
			t.Run(value+"/"+body, func(t *testing.T) {
				defer testlimit.Watch(t)()
				w.bash(values[value] + bodies[body])
			})
		}
	}
}

// numbered repeats a text, each time with the next number.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, text, i)
	}
	return b.String()
}
