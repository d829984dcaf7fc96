package shell

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// The sed of this machine finds nothing in a script that runs a program, or reads or writes a
// file, where nothing of that was found here. It is told to refuse such scripts, and to run
// nothing.
func TestS5_SedFindsNoMoreInAScript(t *testing.T) {
	t.Parallel()
	if version, _ := exec.CommandContext(t.Context(), "sed", "--version").Output(); !strings.Contains(string(version), "GNU sed") {
		t.Skip("this sed cannot be told to refuse scripts")
	}
	refuses := func(script string) bool {
		said, _ := exec.CommandContext(t.Context(), "sed", "--sandbox", "-n", "-e", script, "/dev/null").CombinedOutput()
		return strings.Contains(string(said), "sandbox")
	}
	for _, script := range []string{"e date", "1{r x\n}", "s/a/b/w x", "s/a/b/e", "a\\\\\ne date", "a\\ \ne date", "R x", "W x"} {
		if !refuses(script) {
			t.Fatalf("%q is not refused: this test finds nothing", script)
		}
		if p := readSed(script); p.does == "" && !p.lost && len(p.files) == 0 {
			t.Errorf("%q only edits", script)
		}
	}
	pieces := strings.Split("e|e date|r x|w x|\n|\\|\\\n|\\\\|a|i|c|a\\|i\\|1i\\\n|a\\\n|$!|{|}|;| |\t|x|s/a/|s/a/b/|s,a,|[|]|\\n|b|b x|:x|#|#n\n|1|/a/|\\ca|y/ab/|p|\r|s/a/b\\\n|s/[/|/[|]/|\\/|&", "|")
	random := rand.New(rand.NewPCG(7, 11))
	for range 60_000 {
		var b strings.Builder
		for range 2 + random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		script := b.String()
		p := readSed(script)
		if p.does == "" && !p.lost && len(p.files) == 0 && strings.ContainsAny(script, "erw") && refuses(script) {
			t.Errorf("%q does more than edit", script)
		}
	}
}
