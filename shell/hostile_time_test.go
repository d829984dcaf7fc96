package shell_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/shell"
)

// No text of the largest size takes long to judge, or needs much of the stack: the judgement
// would keep the agent waiting, or end the process.
func TestHostileTextTakesNoTime(t *testing.T) {
	const size = shell.MaxSize - 2048
	full := func(text string) string { return strings.Repeat(text, size/len(text)) }
	half := func(text string) string { return strings.Repeat(text, size/2/len(text)) }
	deep := func(open, inner, end string) string {
		n := size / (len(open) + len(end))
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	texts := map[string]string{
		"values that double":      "a=x;" + full("a=$a$a;rm $a;"),
		"values that grow":        "a0=aaaa;" + numbered(300, "a%d=$a%d$a%[2]d;") + "cat $a300",
		"a value in many words":   "d=" + half("/x") + ";" + half("cat $d;"),
		"a value of many words":   "x='" + half("a ") + "'; cp b " + half("$x "),
		"values that are taken":   numbered(2500, "a%d=a;unset a%[1]d;"),
		"values in a ring":        "a=$b;b=$a;" + full("a=$b$b;b=$a;rm $a;"),
		"a variable that is code": "a='eval $a';" + full("eval $a;"),
		"two that are code":       "a='eval $b';b='eval $a';" + full("eval $a;"),
		"many values":             full("a=b;rm $a;a=c;"),
		"many names":              full("export a=b;rm $a;"),
		"long values":             "d=" + half("/x") + ";" + half("rm ${d%/*};"),
		"longer values":           "d=" + half("/x") + ";" + half("rm ${d//x/yyyyy};"),
		"arrays":                  "a=(" + half("b ") + ");" + half("rm ${a[@]};"),
		"positional":              "set -- " + half("a ") + ";" + half("shift;rm $1;"),
		"locals":                  "f() { " + full("local a=b;rm $a;") + "}; f",
		"unknown words":           "a=b; cat " + full("$a$c "),
		"lists in files":          half("{ ls a;} >l;") + half("xargs rm <l;"),
		"lists of lists":          numbered(2500, "sort l%d >l%[2]d;") + "xargs rm <l2500",
		"removed in pieces":       "xargs -I{} sh -c 'rm {} " + half("x ") + "' " + half("a "),
		"moved in pieces":         "ls|xargs -I{} sh -c 'mv {} " + full("x ") + " /tmp'",
		"many removers":           "parallel " + full("rm "),
		"many targets":            "date " + half("a ") + half(">* "),
		"scripts of sed":          "sed -i '" + half("/a/d;") + "' " + half("a.db "),
		"words of a listing":      "ls|while read f;do " + full("cat $f;") + "done",
		"programs that run":       "x=1; " + full("ssh h ssh h $x; "),
		"xargs":                   "x=1; " + full("xargs xargs $x; "),
		"sources of a copy":       "cp " + full("a/a ") + "d",
		"archives in a pipe":      "tar c " + half(".a/b ") + "| { " + half("tar x; ") + "}",
		"beside what is found":    "find . " + half("-name a.b ") + half("-execdir x \\; "),
		"programs behind a pipe":  "echo " + half("a.b ") + "| { " + half("mytool; ") + "}",
		"sources of a move":       "mv " + full("a ") + "d/",
		"braces":                  "rm " + full("{a,b} "),
		"open braces":             "rm " + full("{a,"),
		"nested braces":           deep("{a,", "b", "}"),
		"integers":                "declare -i a; a='" + full("$a+") + "1'; echo $a",
		"nested index":            deep("${a[", "1", "]}"),
		"few nested indexes":      full(strings.Repeat("a[", 40) + "1" + strings.Repeat("]", 40) + "=1;"),
		"nested slice":            deep("${a:", "1", "}"),
		"nested arithmetic":       "echo $((" + deep("(", "1", ")") + "))",
		"old arithmetic":          deep("$[", "1", "]"),
		"arithmetic":              "echo $((" + full("a+") + "1))",
		"ternaries":               "echo $((" + full("a?") + "1))",
		"substitutions":           deep("echo $(", "ls", ")"),
		"unclosed substitutions":  full("$("),
		"subshells":               deep("(", "ls", ")"),
		"hidden subshells":        full("(echo };"),
		"negations":               "[[ " + full("! ") + "a ]]",
		"tests":                   "[[ a" + full(" && a") + " ]]",
		"times":                   full("time ") + "ls",
		"coprocesses":             full("coproc ") + "ls",
		"conditions":              deep("if a; then ", "b", "; fi"),
		"lists":                   "ls" + full(" && cd a"),
		"pipes":                   "ls" + full(" | cat"),
		"evals":                   full("eval ") + "ls",
		"watches":                 full("watch ") + "ls",
		"sudos":                   full("sudo ") + "ls",
		"xargs in xargs":          full("xargs ") + "ls",
		"env in env":              full("env ") + "ls",
		"command in command":      full("command ") + "ls",
		"files that run":          full("echo ls >> a; . a;"),
		"here-documents":          full("cat <<E\n$a\nE\n"),
		"links":                   full("ln -s a b;cat b/x;"),
		"homes":                   "cat " + full("~root/* "),
		"directories":             full("cd a||cd b;cat x;"),
		"functions":               full("f() { cd a; f; f; };"),
		"loops over a function":   "f() { " + half("x;") + "};" + half("while :;do f;done;"),
		"ways back":               full("cd .git;cd /b;cd -;"),
		"case patterns":           "case $x in " + full("a|") + "b) ls;; esac",
		"awk":                     "awk 'BEGIN{print " + deep("(", "1", ")") + "}'",
		"sed":                     "sed '" + deep("{", "p", "}") + "'",
		"jq":                      "jq '" + deep("(", "1", ")") + "'",
	}
	for name, src := range texts {
		t.Run(name, func(t *testing.T) {
			defer testlimit.Watch(t)()
			s := shell.Parse(src[:min(len(src), shell.MaxSize)])
			for range s.Bounded() {
			}
			s.Accesses()
			s.Danger()
			s.Floor()
			s.ReadOnly()
			for i := range min(len(s.Commands), 3) {
				s.PartReadOnly(i)
			}
		})
	}
}

// numbered repeats a text, each time with the next number and the one before it.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, text, i, i-1)
	}
	return b.String()
}

// What is long but ordinary is still understood.
func TestLongTextIsUnderstood(t *testing.T) {
	for name, src := range map[string]string{
		"many commands":      strings.Repeat("echo a; cat src/a.go\n", 2000),
		"one variable":       "d=src\n" + strings.Repeat("cat $d/a.go; grep -n x $d/b.go\n", 500),
		"loops":              strings.Repeat("for f in a b c; do cat $f; done\n", 100),
		"a file":             "cat > a.json <<'EOF'\n" + strings.Repeat("{\"a\": [1, {\"b\": (2)}]}\n", 2000) + "EOF",
		"expressions":        "echo " + strings.Repeat("$((1 + 2)) ", 1000),
		"indexes":            strings.Repeat("echo ${a[b[1]]}\n", 500),
		"brace choices":      strings.Repeat("mkdir -p src/{a,b,c}/{x,y}\n", 200),
		"nested, but not so": strings.Repeat("(", 12) + "ls" + strings.Repeat(")", 12),
	} {
		if s := shell.Parse(src); s.Problem != nil {
			t.Errorf("%s: %s", name, s.Problem.Text)
		}
	}
}
