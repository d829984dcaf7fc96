package shell_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// A text of the largest size must not make the analysis look at much more than
// itself. Work is counted in words, because the clock of a busy machine proves
// nothing.
func TestHostileTextIsBounded(t *testing.T) {
	for name, src := range map[string]string{
		"loose wrapper":    "strace " + strings.Repeat("a ", 30000),
		"wrappers":         strings.Repeat("env ", 15000) + "ls",
		"shells":           strings.Repeat("bash -c ", 8000) + "ls",
		"evals":            strings.Repeat("eval ", 12000) + "ls",
		"container":        "docker exec " + strings.Repeat("x ", 25000),
		"options":          "kubectl " + strings.Repeat("-n x ", 12000) + "delete",
		"parallel":         "parallel rm ::: " + strings.Repeat("a ", 20000),
		"braces":           "echo " + strings.Repeat("{a,b}", 3000),
		"sequences":        "echo " + strings.Repeat("{1..99999}", 3000),
		"assignments":      strings.Repeat("A=1;", 15000),
		"loops":            strings.Repeat("for i in 1 2 3; do echo $i; done;", 1500),
		"values":           "for i in " + strings.Repeat("a ", 25000) + "; do rm $i; done",
		"directories":      strings.Repeat("cd a;", 12000),
		"wandering":        strings.Repeat("f() { cd a; f; };", 3500),
		"wandering loops":  strings.Repeat("cd /a; while cd b; do f() { (cd c; f; trap f DEBUG); }; f; done;", 900),
		"nested wandering": strings.Repeat("cd /b; for i in 1; do cd a; ", 20) + strings.Repeat("(cd c; ls);", 3000) + strings.Repeat("done;", 20),
		"nested functions": strings.Repeat("f() { cd a; ", 20) + strings.Repeat("f;", 20000) + strings.Repeat("};", 20),
		"array":            "a=(" + strings.Repeat("x ", 25000) + "); \"${a[@]}\"",
		"remote":           "ssh h " + strings.Repeat("'rm x' ", 8000),
		"functions":        strings.Repeat("f() { ls; };", 4000),
		"substitutions":    "echo " + strings.Repeat("$(ls) ", 9000),
		"find":             "find . " + strings.Repeat("-exec rm {} + ", 4000),
		"nested echo":      "echo " + strings.Repeat("$(echo ", 15) + "x" + strings.Repeat(")", 15),
		"nested sudo -s":   strings.Repeat("sudo -s ", 16) + "ls",
		"nested watch":     strings.Repeat("watch ", 16) + "ls",
		"nested bisect":    strings.Repeat("git -C a bisect run ", 16) + "ls",
		"nested container": strings.Repeat("docker -x exec ", 14) + "ls",
		"nested parallel":  strings.Repeat("parallel ", 16) + "ls ::: a b",
		"plus options":     "bash " + strings.Repeat("+x ", 20000),
		"many braces":      strings.Repeat("{1..255} ", 5000),
		"aliases":          "alias a='b b' b='c c' c='d d' d='e e' e='f f' f='g g' g='h h' h='i i' i='j j'; " + strings.Repeat("a;", 20000),
		"many aliases":     "alias " + strings.Repeat("a='a a' ", 7000) + "; a",
		"trimmed value":    "d=" + strings.Repeat("/x", 25000) + "; rm ${d%%*y*z*} ${d##*y*z*}",
		"many trims":       "d=/x; " + strings.Repeat("rm ${d%x};", 5000),
		"appended file":    strings.Repeat("echo ls >> a;", 4000) + strings.Repeat("sh a;", 1000),
		"growing file":     strings.Repeat("echo ls >> a;sh a;", 3000),
		"bindings":         "fzf --bind '" + strings.Repeat("a(", 25000) + "'",
		"escapes":          "ed x <<'EOF'\n" + strings.Repeat("!ls\n", 12000) + "EOF",
		"crontab":          "crontab <<'EOF'\n" + strings.Repeat("@daily ls\n", 5000) + "EOF",
		"run options":      "rg " + strings.Repeat("--pre x ", 8000),
		"git aliases":      "git " + strings.Repeat("-c alias.a='!git a' ", 2500) + "a",
		"hidden":           "echo " + strings.Repeat("${x:-<(ls)}", 5000),
		"backticks":        strings.Repeat("`\\`\\\\\\`", 5000),
		"images":           strings.Repeat("docker run x ", 4000),
		"one-line program": "python3 -c '" + strings.Repeat(`system("rm x");`, 4000) + "'",
	} {
		s := shell.Parse(src)
		words := 0
		for i := range s.Commands {
			words += 1 + len(s.Commands[i].Words)
		}
		if limit := 30_000 + 100*len(src); words > limit || len(s.Accesses()) > limit {
			t.Errorf("%s: %d bytes became %d commands with %d words and %d accesses", name, len(src), len(s.Commands), words, len(s.Accesses()))
		}
	}
}
