package shell_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/shell"
)

// Where the command named here may run, which stands for all that is read and written.
func TestDirectoriesOfRepeatedCode(t *testing.T) {
	for command, want := range map[string]string{
		"here":                                               "",
		"cd a && here":                                       "a",
		"cd a; here":                                         "a .",
		"for i in 1 2; do here; done":                        "",
		"cd a && for i in 1 2; do here; done":                "a",
		"for i in 1 2; do (cd a && here); done":              "a",
		"for i in 1 2; do here; cd a; done":                  ". a ?",
		"for i in 1 2; do here; cd /a; done":                 ". /a",
		"for i in 1 2; do cd /a && here; done":               "/a",
		"cd /a && for i in 1; do cd b; done; here":           "/a /a/b ? .",
		"while cd ..; do :; done; here":                      ". .. ?",
		"cd a && while true; do (cd b && here); cd /c; done": "a/b /c/b",
		"f() { here; }; f":                                   "",
		"f() { here; }; cd a && f":                           ". a",
		"f() { here; }; (cd a && ls); f":                     "",
		"f() { (cd b && here); }; f":                         "b",
		"f() { (cd b && here); }; cd a && f":                 "b a/b",
		"f() { cd b; }; f; here":                             ". b ? b/b",
		"f() { cd /b; }; cd a && f && here":                  "a /b/a /b",
		"trap here EXIT; cd a":                               ". a",
		"trap 'cd a' DEBUG; cd /b && here":                   "/b ?",
		"! cd a && here":                                     "",
		"! cd a || here":                                     "a",
		"cd a && false || here":                              "a .",
		"pushd -n a && here":                                 "",
		"pushd a && pushd +1 && here":                        "?",
		"pushd a && popd +0 && here":                         "?",
		"cd -$X && here":                                     "?",
		"echo ${ cd a; }; here":                              "a .",
		"echo \"${ cd a; }\" && here":                        "a .",
		"source /dev/stdin <<< 'cd a'; here":                 "a .",
	} {
		var dirs []string
		for _, c := range shell.Parse(command).Commands {
			if c.Text() == "here" && !slices.Contains(c.Dirs, "~-") { // which a guess tries besides
				dirs = c.Dirs
			}
		}
		got := strings.NewReplacer("\xff", "?").Replace(strings.Join(dirs, " "))
		if len(dirs) > 1 {
			got = strings.TrimSpace(strings.ReplaceAll(" "+got+" ", "  ", " . "))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// bash says where each command has run; that must be among its directories.
func TestDirectoriesAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal("bash is the oracle of this test: install it")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(root, "x/y/z")
	for _, dir := range []string{"a/b/a/b", "b/a/b/a"} {
		for _, top := range []string{"", "x", "x/y", "x/y/z"} {
			if err := os.MkdirAll(filepath.Join(root, top, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	n := 150
	if os.Getenv("ASSENT_SOAK") != "" {
		n = 20_000
	}
	rng := rand.New(rand.NewPCG(3, 4))
	ran := 0
	for range n {
		g := &wanderer{rng: rng, root: start}
		script := g.list(3)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		cmd := exec.CommandContext(ctx, bash, "-c", script)
		cmd.Dir, cmd.Env = start, []string{"HOME=" + root, "FUNCNEST=5", "PATH=/nowhere"}
		out, _ := cmd.Output() // its status is that of the last cd
		cancel()
		found := shell.Parse(script)
		for line := range strings.Lines(string(out)) {
			probe, place, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if !ok || !strings.HasPrefix(probe, "P") {
				continue
			}
			ran++
			if !mayRunIn(found.Commands, probe, start, root, place) {
				t.Fatalf("bash ran %s in %s, which is not found in\n%s", probe, place, script)
			}
			var bounded []shell.Command
			for _, reading := range found.Bounded() {
				bounded = append(bounded, reading.Commands...)
			}
			if found.Bounded() != nil && !mayRunIn(bounded, probe, start, root, place) {
				t.Fatalf("bash ran %s in %s, which the second reading does not find in\n%s", probe, place, script)
			}
		}
	}
	if ran < n {
		t.Errorf("only %d commands ran in %d scripts: the generator makes nothing worth comparing", ran, n)
	}
}

func mayRunIn(commands []shell.Command, probe, start, home, place string) bool {
	for _, c := range commands {
		if len(c.Words) < 2 || c.Words[1].Text != probe {
			continue
		}
		if c.Dirs == nil && place == start {
			return true
		}
		for _, dir := range c.Dirs {
			switch {
			case strings.HasPrefix(dir, "\xff"):
				return true
			case strings.HasPrefix(dir, "~"):
				dir = home + dir[1:]
			case !filepath.IsAbs(dir):
				dir = start + "/" + dir
			}
			if filepath.Clean(dir) == place {
				return true
			}
		}
	}
	return false
}

// wanderer makes scripts that change the directory.
type wanderer struct {
	rng    *rand.Rand
	root   string
	probes int
}

func (g *wanderer) list(depth int) string {
	var all []string
	for range 1 + g.rng.IntN(4) {
		all = append(all, g.stmt(depth))
	}
	return strings.Join(all, "\n")
}

func (g *wanderer) probe() string {
	g.probes++
	return fmt.Sprintf(`echo P%d "$PWD"`, g.probes)
}

func (g *wanderer) move() string {
	dirs := []string{"a", "b", "..", "a/b", "../a", "nope", g.root, g.root + "/a", "'a'", "."}
	dir := dirs[g.rng.IntN(len(dirs))]
	return []string{"cd " + dir, "cd " + dir, "cd " + dir, `c\d ` + dir, "builtin cd " + dir, "eval 'cd " + strings.Trim(dir, "'") + "'", "pushd " + dir, "pushd -n " + dir, "pushd +1", "pushd", "popd", "popd +0", "popd -n", "cd -", "cd", "f", "g"}[g.rng.IntN(17)] + " >/dev/null 2>&1"
}

func (g *wanderer) stmt(depth int) string {
	if depth == 0 {
		if g.rng.IntN(2) == 0 {
			return g.probe()
		}
		return g.move()
	}
	switch g.rng.IntN(26) {
	case 0:
		return "for i in 1 2 3; do\n" + g.list(depth-1) + "\ndone"
	case 1:
		return "k=0; while ((k++ < 3)); do\n" + g.list(depth-1) + "\ndone"
	case 2:
		return "for ((j=0; j<2; j++)); do\n" + g.list(depth-1) + "\n" + g.move() + " && continue\n" + g.list(depth-1) + "\ndone"
	case 3:
		return "f() {\n" + g.list(depth-1) + "\n}"
	case 4:
		return "g() {\n" + g.list(depth-1) + "\n}"
	case 5:
		return "(\n" + g.list(depth-1) + "\n)"
	case 6:
		return "if " + g.move() + "; then\n" + g.list(depth-1) + "\nelse\n" + g.list(depth-1) + "\nfi"
	case 7:
		return "! " + g.move() + " && " + g.probe()
	case 8:
		return "! " + g.move() + " || " + g.probe()
	case 9:
		return g.move() + " && " + g.move() + " || " + g.probe()
	case 10:
		return g.move() + " || " + g.move() + " && " + g.probe()
	case 11:
		return "{ " + g.move() + "; " + g.probe() + "; } && " + g.probe()
	case 12:
		return "trap '" + g.probe() + "' EXIT"
	case 13:
		return "trap 'cd " + []string{"a", ".."}[g.rng.IntN(2)] + " 2>/dev/null' DEBUG"
	case 14:
		return "echo \"$(" + g.move() + "; " + g.probe() + ")\""
	case 15, 16:
		return g.move() + " && " + g.probe()
	case 17:
		return "source /dev/stdin <<< '" + strings.ReplaceAll(g.move(), "'", "") + "'"
	case 18:
		return "trap " + []string{"f", "g"}[g.rng.IntN(2)] + " " + []string{"EXIT", "DEBUG", "ERR", "EXIT ERR"}[g.rng.IntN(4)]
	case 19:
		return "true | { " + g.move() + "; " + g.probe() + "; }"
	case 20:
		return "shopt -s " + []string{"lastpipe", "cdable_vars; nope=b"}[g.rng.IntN(2)]
	case 21:
		return []string{"CDPATH=a", "CDPATH=.:b", "export CDPATH=..", "CDPATH=", "unset CDPATH", "read CDPATH <<< a", "CDPATH=b " + g.move()}[g.rng.IntN(7)]
	case 22:
		return "command_not_found_handle() {\n" + g.list(depth-1) + "\n}\n" + g.move() + "; nosuchcommand"
	case 23:
		return "PWD=a; cd ~+ 2>/dev/null"
	}
	return g.stmt(0)
}
