package rule

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// gitCase is one pattern and the paths that git and the rule are both asked about.
type gitCase struct {
	pattern string
	paths   []string
}

func TestP16_SameAsGitTable(t *testing.T) {
	paths := []string{
		"a", "b", "ab", "a/b", "a/b/c", "b/a", "x/a", "x/y/a", "a/x/b", "a/x/y/b", ".a", "a/.b", "A", "a b", "a ", "a*", "[a]",
		"a.txt", "x/a.txt", "]", "-", "\\", "ü", "a/b/a/b", "deep/a/c/b/d", "a\tb", "!a", "#a", "**", "b/**/c",
	}
	var cases []gitCase
	for _, pattern := range []string{
		"a", "/a", "a/", "/a/", "a/b", "/a/b", "a/b/", "*", "/*", "*/", "**", "/**", "**/", "**/a", "**/a/", "a/**", "a/**/", "/a/**/b", "a/**/b",
		"**/a/**", "**/**/b", "a/**/**/b", "**/b/**/d", "a*", "*a", "a*b", "a**b", "a**", "**b", "***", "***/a", "a/***", "?", "??", "a?b", "/?/b", "*.txt", "a.*",
		"[ab]", "[!a]", "[^a]", "[a-b]", "[b-a]", "[]a]", "[!]a]", "[a-]", "[-a]", "[--a]", "[\\]]", "[\\\\]", "[[:alpha:]]", "[[:punct:]]", "[![:alpha:]]", "[[:alpha:]-]",
		"[[:upper:]]", "[[:space:]]", "a[[:space:]]b", "[[:]a]", "[a-b-c]", "\\a", "\\*", "a\\*", "\\[a\\]", "a ", "a  ", "a\\ ", "a b", "\\!a", "\\#a", "ü", "?ü", "??", "\\*\\*",
		"[[:alnum:]]", "[[:blank:]]", "a[[:blank:]]b", "a[[:cntrl:]]b", "[[:digit:]]", "[[:graph:]]", "[[:lower:]]", "[[:print:]]", "[[:xdigit:]]", "[a-\\c]", "[[a]",
		"b/\\*\\*/c", "*/b", "*/*/c", "x/*", "x/*/a", ".*", ".a", "*/.b", "a/*", "[a]*", "*[b]", "a/[bx]/*", "*\\ ", "A",
	} {
		cases = append(cases, gitCase{pattern, paths})
	}
	compareWithGit(t, cases)
}

func TestP16_SameAsGitProperty(t *testing.T) {
	n := 250
	if soak() {
		n = 8000
	}
	gen := gitCases()
	cases := make([]gitCase, n)
	for i := range cases {
		cases[i] = gen.Example(i)
	}
	compareWithGit(t, cases)
}

// gitCases draws patterns and paths from so small an alphabet that they often
// meet. Left out is what a rule refuses and git takes as "matches nothing".
func gitCases() *rapid.Generator[gitCase] {
	piece := rapid.SampledFrom([]string{
		"a", "b", "c", "ab", ".", "*", "**", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[[:alpha:]]", "\\a", "\\*", " ", "é",
	})
	component := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 4).Draw(t, "span") == 0 {
			return "**"
		}
		return strings.Join(rapid.SliceOfN(piece, 1, 3).Draw(t, "pieces"), "")
	})
	usable := component.Filter(func(c string) bool { return strings.Trim(c, ". ") != "" && !gluedSpan(c) })
	name := rapid.SampledFrom([]string{"a", "b", "c", "d", "ab", "ba", "abc", ".a", "a.b", "*", " ", "a ", "é", "aé", "bb"})
	return rapid.Custom(func(t *rapid.T) gitCase {
		pattern := strings.Join(rapid.SliceOfN(usable, 1, 4).Draw(t, "components"), "/")
		pattern = rapid.SampledFrom([]string{"", "/"}).Draw(t, "lead") + pattern + rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "trail")
		c := gitCase{pattern: pattern}
		for range 24 {
			c.paths = append(c.paths, strings.Join(rapid.SliceOfN(name, 1, 5).Draw(t, "path"), "/"))
		}
		return c
	})
}

// gluedSpan: by its manual git takes the stars of `a**/b` for one, but it cuts
// literal text off the front before it looks, and then they span. A rule goes by
// the manual.
func gluedSpan(component string) bool {
	return strings.HasSuffix(component, "**") && strings.Trim(component, "*") != ""
}

// compareWithGit gives each pattern a directory of its own with a .gitignore
// file, and asks git about all paths in one process.
func compareWithGit(t *testing.T, cases []gitCase) {
	t.Helper()
	repo := t.TempDir()
	git(t, repo, nil, "init", "-q")
	var asked []string
	for i, c := range cases {
		dir := filepath.Join(repo, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(c.pattern+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, p := range c.paths {
			asked = append(asked, fmt.Sprintf("%d/%s", i, p))
		}
	}
	ignored := askGit(t, repo, asked)
	matches := 0
	for i, c := range cases {
		matches += compareCase(t, c, ignored[:len(c.paths)], i)
		ignored = ignored[len(c.paths):]
	}
	if matches == 0 || matches == len(asked) {
		t.Errorf("%d of %d paths match: the cases say nothing", matches, len(asked))
	}
	t.Logf("%d patterns, %d paths, %d matches", len(cases), len(asked), matches)
}

func compareCase(t *testing.T, c gitCase, ignored []bool, i int) (matches int) {
	t.Helper()
	content := strings.TrimLeft(c.pattern, " ")
	r, err := Parse("Read(" + c.pattern + ")")
	if content != c.pattern || r.Bare {
		return 0 // a leading blank is trimmed in a rule, and `Read(*)` is every call
	}
	if err != nil {
		t.Errorf("pattern %q: %v", c.pattern, err)
		return 0
	}
	r.Behavior = Deny
	cwd := fmt.Sprintf("/repo/%d", i)
	s := Compile([]Rule{r}, Anchors{Root: cwd, Cwd: cwd, Home: "/home"})
	for k, p := range c.paths {
		got := s.Path(cwd+"/"+p).Read.Deny != nil
		if got != ignored[k] {
			t.Errorf("pattern %q, path %q: rule says %v, git says %v", c.pattern, p, got, ignored[k])
		}
		if ignored[k] {
			matches++
		}
	}
	return matches
}

// askGit reports for each path whether git would ignore it.
func askGit(t *testing.T, repo string, paths []string) []bool {
	t.Helper()
	out := git(t, repo, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields) != 4*len(paths) {
		t.Fatalf("git answered with %d fields for %d paths", len(fields), len(paths))
	}
	ignored := make([]bool, 0, len(paths))
	for record := range slices.Chunk(fields, 4) { // source, line, pattern, path
		ignored = append(ignored, record[0] != "")
	}
	return ignored
}

func git(t *testing.T, dir string, stdin []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
		return out // nothing is ignored
	}
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}
