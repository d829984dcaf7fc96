package shell_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// The oracle is bash: what a pattern in the value of a variable finds must be among what the
// reading with that value has.
func TestS03_PatternsInValuesAgainstBash(t *testing.T) {
	bash, n := oracle(t, 1_000, 50_000)
	dir := t.TempDir()
	makeNames(t, dir)
	pieces := []string{"[", "[", "]", "]", "a", "b", "c", "-", "!", "^", "*", "?", ".", "/", "d/", `\a`, `\]`, `\[`, "[:lower:]", "[=a=]", "[.b.]", "[a-c]", "[!a]", "[^.]", "[]a]", " ", `"`}
	rng := rand.New(rand.NewPCG(5, 6))
	scripts := make([]string, 0, n)
	var all bytes.Buffer
	for len(scripts) < n {
		var value strings.Builder
		for range 1 + rng.IntN(6) {
			value.WriteString(pieces[rng.IntN(len(pieces))])
		}
		script := "x='" + value.String() + "'; cat " + []string{"$x", "d/$x", "${x}b", "[$x", "$x]", "./$x/a", "$x*"}[rng.IntN(7)]
		scripts = append(scripts, script)
		all.WriteString(strings.Replace(script, "cat ", `printf '%s\0' `, 1) + "; printf '\\n\\0'\n")
	}
	cmd := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile")
	cmd.Dir, cmd.Stdin, cmd.Env = dir, &all, []string{"LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bash: %v", err)
	}
	found := 0
	for i, answer := range strings.Split(strings.TrimSuffix(string(out), "\n\x00"), "\n\x00") {
		var words []shell.Word
		for _, c := range shell.Parse(scripts[i]).Commands {
			if c.Program() == "cat" && c.Link == shell.Guess {
				words = append(words, c.Words[1:]...)
			}
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(answer, "\x00"), "\x00") {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil || name == "" {
				continue // it has found nothing
			}
			found++
			if !anyMayBe(words, name) {
				t.Errorf("%s finds %q in bash, but is read as %q", scripts[i], name, wordTexts(words))
			}
		}
	}
	if found < n/4 {
		t.Errorf("only %d names were found: the patterns are not worth comparing", found)
	}
}
