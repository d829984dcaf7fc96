package permission_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/permission"
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
	many := manyDenials("Bash(*a%d*b*)", "Edit(**/s%d)")
	many.Allow = []string{"Bash(*)"}
	worlds := map[string]*world{
		"few":  newWorld(t, lists{Allow: []string{"Bash(*)"}, Deny: []string{"Bash(npm publish:*)", "Bash(*push*--force*)", "Read(**/.env)", "Edit(/a/**/b)"}}),
		"many": newWorld(t, many),
	}
	soak := os.Getenv("ASSENT_SOAK") != ""
	for i, value := range slices.Sorted(maps.Keys(values)) {
		for j, body := range slices.Sorted(maps.Keys(bodies)) {
			if !soak && (i+j)%len(values) != 0 { // each value, and each body, once or twice
				continue
			}
			for rules, w := range worlds {
				t.Run(value+"/"+body+"/"+rules, func(t *testing.T) {
					defer testlimit.Watch(t)()
					w.bash(values[value] + bodies[body])
				})
			}
		}
	}
}

// manyDenials are 1,500 rules of one kind.
func manyDenials(first, second string) lists {
	var l lists
	for i := range 750 {
		l.Deny = append(l.Deny, fmt.Sprintf(first, i), fmt.Sprintf(second, i))
	}
	return l
}

// No text takes long to judge, however often it names files and however many rules there are.
func TestHostileTextTakesNoTimeUnderManyRules(t *testing.T) {
	const size = shell.MaxSize - 4096
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	num := func(text string) string { return numbered(size/(len(text)+3), text) }
	deep := "cd " + strings.Repeat("a/", 200) + "; "
	texts := map[string]string{
		"letters":                 "foo -" + fill("x"),
		"letters for make":        "make -" + fill("x"),
		"protected values":        fill("x=.git;"),
		"values and uses":         "for x in" + strings.Repeat(" a", 4000) + "; do rm -rf" + strings.Repeat(" $x", 8000) + "; done",
		"other values":            "for x in " + numbered(4000, "a%d ") + "; do rm -rf" + strings.Repeat(" $x", 8000) + "; done",
		"values and names":        "for x in " + numbered(4000, "a%d ") + "; do rm -rf" + numbered(4000, " $x/%d") + "; done",
		"values and commands":     "for x in " + numbered(100, "a%d ") + "; do " + fill(`rm "$x"; cp $x b$x; `) + "done",
		"values of npm":           "for x in a b c; do " + fill("npm $x; ") + "done",
		"nested loops":            "for x in " + numbered(64, "a/%d ") + "; do for y in " + numbered(64, "b/%d ") + "; do " + fill("rm -r $x/$y; ") + "done; done",
		"patterns":                "ls " + fill("*a "),
		"other patterns":          "ls -R " + num("*a%d "),
		"patterns that move":      "mv " + num("a%d* ") + "d",
		"patterns for a program":  "tool700 " + fill("* "),
		"loops":                   fill("for x in a; do rm $x; done; "),
		"a loop over files":       "for x in *; do " + fill("rm $x; ") + "done",
		"one value":               "x=a; rm -rf " + fill("$x "),
		"values assigned":         numbered(100, "x=a/%d; ") + "rm -rf " + fill("$x "),
		"a value for each":        num("x=a/%d; foo $x; "),
		"redirections":            "cat " + fill(">a* "),
		"other redirections":      "cat " + num(">a%d* "),
		"mounts":                  "docker run " + num("-v ./a%d:/b ") + "x",
		"moves":                   "mv " + num("a%d ") + "d",
		"trees":                   "grep -r x " + num("a%d "),
		"code in a language":      deep + num(`python3 -c "open('a%d','w')"; `),
		"constants":               deep + `python3 -c "` + num("open('a%d');") + `"`,
		"outside":                 "cd /usr; " + deep + "cat " + num("b%d "),
		"deep removals":           deep + "rm " + num("b%d "),
		"deep files of a program": deep + "foo " + num("./b%d "),
		"deep paths":              "rm -r " + num(strings.Repeat("a/", 100)+"%d "),
	}
	kinds := map[string]lists{
		"few":             {Deny: []string{"Bash(npm publish:*)", "Read(**/.env)", "Edit(secrets/**)"}},
		"plain":           manyDenials("Bash(tool%d drop:*)", "Edit(secrets/%d/**)"),
		"stars":           manyDenials("Bash(tool%d * drop *)", "Bash(*a%d*b*)"),
		"stars and paths": manyDenials("Bash(foo *x/y%d/z*)", "Bash(* x/y%d/z*)"),
		"any depth":       manyDenials("Read(**/s%d/**/k*)", "Edit(**/*.k%d)"),
		"names":           manyDenials("Read(**/s%d/**/k)", "Edit(**/s%d)"),
		"below":           manyDenials("Read(a/**/x%d/*.k)", "Read(./a/*k%d*/**)"),
	}
	soak := os.Getenv("ASSENT_SOAK") != ""
	for i, kind := range slices.Sorted(maps.Keys(kinds)) {
		for j, text := range slices.Sorted(maps.Keys(texts)) {
			if !soak && kind != "plain" && (i+j)%len(kinds) != 0 {
				continue
			}
			t.Run(kind+"/"+text, func(t *testing.T) {
				w := newWorld(t, kinds[kind]) // in each the rules are new, as in a process for one decision
				w.engine = engine(noLink{})
				defer testlimit.Watch(t)()
				w.bash(texts[text])
			})
		}
	}
}

// noLink is a file system without links, which has to be asked.
type noLink struct{}

func (noLink) Readlink(string) (string, error)              { return "", nil }
func (noLink) List(string, int) (permission.Listing, error) { return permission.Listing{}, nil }

// What is too much to compare is a question, also where the last word would be denied.
func TestTooMuchToCompareIsAQuestion(t *testing.T) {
	deep := "cd " + strings.Repeat("a/", 200) + "; "
	for name, c := range map[string]struct {
		rules   lists
		command string
	}{
		"trees":    {manyDenials("Read(**/s%d/**/k*)", "Edit(**/*.k%d)"), "wc -l " + numbered(6000, "a%d* ") + "x.k1"},
		"names":    {manyDenials("Read(**/s*%d/**/k*)", "Read(**/*.k%d)"), deep + "cat " + numbered(6000, "a%d ") + "x.k1"},
		"told":     {manyDenials("Read(**/s*%d/**/k*)", "Read(**/*.k%d)"), deep + numbered(2500, "foo <<< a%d; ") + "foo <<< x.k1"},
		"values":   {manyDenials("Read(**/s*%d/**/k*)", "Read(**/*.k%d)"), deep + "for x in " + numbered(4000, "a/%d ") + "x.k1; do cat $x; cat $x; done"},
		"code":     {manyDenials("Read(**/s*%d/**/k*)", "Edit(**/*.k%d)"), deep + numbered(1500, `python3 -c "open('a%d','w')"; `) + `python3 -c "open('x.k1','w')"`},
		"commands": {manyDenials("Bash(* x/y%d/z*)", "Bash(* x/z%d)"), numbered(5000, "cat a%d*; ") + "echo x/z1"},
		"a text":   {manyDenials("Bash(* x/y%d/z*)", "Bash(* x/z%d)"), "echo " + numbered(8000, "a%d* ") + "x/z1"},
	} {
		for _, mode := range []permission.Mode{permission.Default, permission.BypassPermissions} {
			c.rules.Allow = []string{"Bash(*)", "Read(//**)", "Edit(//**)"}
			w := newWorld(t, c.rules, inMode(mode))
			w.engine = engine(noLink{})
			if d := w.bash(c.command); d.Behavior == allow {
				t.Errorf("%s, mode %v: %v (%s)", name, mode, d.Behavior, d.Message())
			}
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
