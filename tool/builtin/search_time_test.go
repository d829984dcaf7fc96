package builtin

import (
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/tool"
)

// A search that takes too long ends with what it has, and says so.
func TestSearch_TimeLimit(t *testing.T) {
	leavesNothing(t)
	root := tree(t, files{"a": "x\n", "b": strings.Repeat("a", 4<<20)})
	const note = "stopped at its time limit and is not complete"
	glob, grep := newGlob(Options{}), newGrep(Options{})
	if glob.time != searchTime || grep.time != searchTime {
		t.Errorf("limits %v and %v", glob.time, grep.time)
	}
	glob.time, grep.time = 1, 1
	if got := runTool(t, glob, root, input{"pattern": "**"}); !strings.Contains(got, note) {
		t.Errorf("Glob: %q", got)
	}
	for _, path := range []string{".", "a"} {
		if got := runTool(t, grep, root, input{"pattern": "x", "path": path}); !strings.Contains(got, note) {
			t.Errorf("Grep in %s: %q", path, got)
		}
	}
	// Also where the time goes into one expression on one long line.
	grep.time = 500 * time.Millisecond
	for _, multiline := range []bool{false, true} {
		began := time.Now()
		got := runTool(t, grep, root, input{"pattern": "x|(a?a?a?a?){100}[ab]{400}[cd]", "output_mode": "content", "multiline": multiline})
		if took := time.Since(began); !strings.HasPrefix(got, "a:1:x\n") || !strings.Contains(got, note) || took > 10*time.Second {
			t.Errorf("multiline %v: %q after %v", multiline, got, took)
		}
	}
	wantInterrupted(t, glob, jobFor(t, glob, root, input{"pattern": "**"}))
	wantInterrupted(t, grep, jobFor(t, grep, root, input{"pattern": "x"}))
}

// Glob does not ask what git ignores: it would cost time at every name.
func TestGlob_ReadsNoIgnoreFiles(t *testing.T) {
	root := tree(t, files{".git/": "", ".gitignore": "*.log\n", "a.log": ""})
	seen := map[string]bool{}
	w := walk{ctx: t.Context(), visitor: ignoreVisitor(seen), tally: &tally{}, limit: mostVisited, view: allNames}
	if err := w.tree(root); err != nil {
		t.Fatal(err)
	}
	if ignored, found := seen["a.log"]; !found || ignored {
		t.Errorf("seen %v", seen)
	}
}

// The rules that a name is compared with are bounded, over all levels together.
func TestGrep_TooManyIgnoreRules(t *testing.T) {
	lines := strings.Repeat("never-there\n", mostRules-1)
	root := tree(t, files{".git/": "", ".gitignore": "*.log\n" + lines, "sub/.gitignore": "*.txt\n*.md\n", "a.log": "x", "sub/a.txt": "x", "sub/b.log": "x"})
	grep := newGrep(Options{})
	result := grep.Run(t.Context(), jobFor(t, grep, root, input{"pattern": "x"}))
	if want := "sub/a.txt\n\n(2 rules of .gitignore files were too many and were not heeded.)"; result.Outcome != tool.Succeeded || result.Text != want {
		t.Errorf("%q", result.Text)
	}
	if got := runTool(t, grep, root, input{"pattern": "x", "path": "sub"}); !strings.HasSuffix(got, "(2 rules of .gitignore files were too many and were not heeded.)") {
		t.Errorf("%q", got)
	}
}
