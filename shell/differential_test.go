package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/shell"
)

// The oracle is bash itself: it runs harmless scripts with a PATH that holds only
// stubs, which record how they were called, and the wrappers under test. Everything
// that was executed must be among the commands that Parse found.

// wrapperPrograms are the real programs that scripts may use around the stubs.
var wrapperPrograms = []string{"env", "timeout", "nice", "nohup", "stdbuf", "xargs", "find", "sh", "bash", "setsid", "cat", "true", "false", "printf", "echo"}

// A stub writes its call with one write, because pipes run several at once.
const stub = `#!/bin/sh
line=${0##*/}
for a in "$@"; do line="$line $a"; done
printf '%s\0' "$line" >> "$STUB_LOG"
`

// oracle is the bash that tests compare with, and how many scripts they try: some, or many in a soak.
func oracle(t *testing.T, some, many int) (bash string, n int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal("bash is the oracle of this test: install it")
	}
	if os.Getenv("ASSENT_SOAK") != "" {
		return bash, many
	}
	return bash, some
}

func TestDifferentialAgainstBash(t *testing.T) {
	bash, n := oracle(t, 250, 20_000)
	bin := stubPath(t)
	rng := rand.New(rand.NewPCG(1, 2))
	ran := 0
	for range n {
		script := (&generator{rng: rng}).script()
		executed := run(t, bash, bin, script)
		found := shell.Parse(script)
		if found.Problem != nil {
			continue // never allowed, whatever it runs
		}
		ran += len(executed)
		for _, call := range executed {
			if call == "" {
				continue // a stub in a process substitution, for which bash does not wait
			}
			if !foundCall(found, call) {
				t.Errorf("bash ran %q, which Parse did not find in\n%s\nfound: %q", call, script, texts(found))
			}
		}
	}
	if ran < n {
		t.Errorf("only %d commands ran in %d scripts: the generator makes nothing worth comparing", ran, n)
	}
}

func stubPath(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range stubs {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range wrapperPrograms {
		program := name
		if name == "sh" {
			program = "bash" // code for sh is read as bash; dash knows less
		}
		real, err := exec.LookPath(program)
		if err != nil {
			t.Fatalf("%s is missing: %v", name, err)
		}
		if err := os.Symlink(real, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

// run executes a script and returns what the stubs recorded.
func run(t *testing.T, bash, bin, script string) []string {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	if err := os.Mkdir(filepath.Join(dir, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "work", "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "--norc", "--noprofile", "-c", script)
	cmd.WaitDelay = time.Second
	cmd.Dir = filepath.Join(dir, "work")
	cmd.Env = []string{"PATH=" + bin, "STUB_LOG=" + log, "HOME=~", "FUNCNEST=20"} // "~" stays "~", and no function calls itself for ever
	_ = cmd.Run()                                                                 // a script may well fail; what it ran counts
	data, err := os.ReadFile(log)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

func foundCall(s *shell.Script, call string) bool {
	for i := range s.Commands {
		c := &s.Commands[i]
		if covers(c.Text(), call) || c.Opaque == shell.OpaqueShell && !c.Evaluated { // which may run anything
			return true
		}
	}
	return false
}

// covers matches a text with marks against a concrete call. Empty words vanish on
// both sides, because the log cannot show them.
func covers(text, call string) bool {
	return wild(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(call), " "))
}

func wild(pattern, text string) bool {
	if pattern == "" {
		return text == ""
	}
	if pattern[0] == shell.Unknown || pattern[0] == shell.Glob {
		for i := 0; i <= len(text); i++ {
			if wild(pattern[1:], text[i:]) {
				return true
			}
		}
		// An unknown word may be empty: its blank goes with it.
		return strings.HasPrefix(pattern[1:], " ") && wild(pattern[2:], text)
	}
	if text == "" {
		return strings.Trim(string(bytes.Map(unmark, []byte(pattern))), " ?") == ""
	}
	return pattern[0] == text[0] && wild(pattern[1:], text[1:])
}

func texts(s *shell.Script) []string {
	var out []string
	for i := range s.Commands {
		out = append(out, s.Commands[i].Text())
	}
	return out
}

var stubs = []string{"alpha", "beta", "gamma", "delta", "omega"}

// generator writes random harmless scripts.
type generator struct {
	rng   *rand.Rand
	depth int
}

func (g *generator) pick(options ...string) string { return options[g.rng.IntN(len(options))] }

func (g *generator) script() string {
	lines := make([]string, 1+g.rng.IntN(3))
	for i := range lines {
		lines[i] = g.list()
	}
	return strings.Join(lines, g.pick("\n", "; ", "\n"))
}

func (g *generator) list() string {
	if g.depth > 3 {
		return g.simple()
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.rng.IntN(22) {
	case 0:
		return g.list() + g.pick(" && ", " || ", " | ", "; ", " |& ", "&&", ";") + g.list()
	case 1:
		return "( " + g.list() + " )"
	case 2:
		return "{ " + g.list() + "; }"
	case 3:
		return "if " + g.list() + "; then " + g.list() + "; else " + g.list() + "; fi"
	case 4:
		return "for v in " + g.word() + " " + g.word() + "; do " + g.simple() + " \"$v\"; " + g.pick("$v x", "true", g.simple()) + "; done"
	case 5:
		return "case x in x) " + g.list() + ";; *) " + g.list() + ";; esac"
	case 6:
		return "f() { " + g.list() + "; }; f"
	case 7:
		return "X=" + g.pick(stubs...) + "; $X " + g.word()
	case 8:
		return "arr=(" + g.pick(stubs...) + " " + g.word() + "); \"${arr[@]}\""
	case 9:
		return "eval " + quote(g.simple())
	case 10:
		return g.pick("sh -c ", "bash -c ", "bash -e -c ", "bash --norc -c ", "sh -ec ") + quote(g.list())
	case 11:
		return "! " + g.list()
	case 12:
		return "bash <<'END'\n" + g.simple() + "\nEND\n"
	case 13:
		return "echo " + quote(g.simple()) + " | sh"
	case 14:
		return "trap " + quote(g.simple()) + " EXIT"
	case 15:
		return "set -- " + g.pick(stubs...) + " " + g.word() + "; \"$@\""
	case 16:
		return "while " + g.simple() + "; do " + g.simple() + "; break; done"
	case 17:
		return "cat <<END\n$(" + g.simple() + ")\nEND\n"
	case 18:
		return "time " + g.simple()
	default:
		return g.simple()
	}
}

// simple is a call of a stub, perhaps behind wrappers.
func (g *generator) simple() string {
	var b strings.Builder
	for g.rng.IntN(3) == 0 {
		b.WriteString(g.pick("env ", "env FOO=1 ", "env -u FOO ", "env -- ", "timeout 5 ", "timeout -k 1 5s ", "timeout --signal=KILL 5 ",
			"nice ", "nice -n 5 ", "nice -5 ", "nohup ", "stdbuf -oL ", "command ", "command -p ", "FOO=1 ", "A=1 B=2 ", "setsid -w "))
		if strings.HasSuffix(b.String(), "=1 ") || strings.HasSuffix(b.String(), "=2 ") {
			break // an assignment stands only before a command that is no wrapper word
		}
	}
	switch g.rng.IntN(12) {
	case 0:
		fmt.Fprintf(&b, "find . -name file -exec %s {} %s", g.call(), g.pick("\\;", "+", "';'"))
	case 1:
		return fmt.Sprintf("echo %s | xargs %s%s", g.word(), g.pick("", "-n 1 ", "-I{} ", "-0 "), g.call())
	case 2:
		return fmt.Sprintf("echo $(%s) >/dev/null", g.call())
	case 3:
		return fmt.Sprintf("echo `%s` >/dev/null", g.call())
	case 4:
		return fmt.Sprintf("echo \"${x:-$(%s)}\" >/dev/null", g.call())
	case 5:
		return fmt.Sprintf("cat <(%s) >/dev/null", g.call())
	default:
		b.WriteString(g.call())
	}
	return b.String()
}

func (g *generator) call() string {
	name := g.pick(stubs...)
	spelled := g.pick(name, name, "\\"+name, name[:1]+"''"+name[1:], "\""+name+"\"", "$'"+name+"'", fmt.Sprintf("$'\\x%x'%s", name[0], name[1:]), name[:2]+"\\\n"+name[2:])
	var b strings.Builder
	b.WriteString(spelled)
	for range g.rng.IntN(3) {
		b.WriteByte(' ')
		b.WriteString(g.word())
	}
	if g.rng.IntN(6) == 0 {
		b.WriteString(g.pick(" 2>/dev/null", " >/dev/null", " </dev/null", " 2>&1"))
	}
	return b.String()
}

func (g *generator) word() string {
	return g.pick("a", "b c", "'b c'", "--flag=x", "-v", "{x,y}", "a{1..3}", "\"d $UNSET e\"", "*", "f*", "~", "$((1+2))", "'$(alpha no)'", "\\$x", "\"q\\\"r\"", "é")
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
