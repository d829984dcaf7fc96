package builtin

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ignored is what a walk thinks of every path in a tree: those that it, or a directory
// above it, is ignored.
func ignored(t *testing.T, root string) map[string]bool {
	t.Helper()
	v := ignoreVisitor{}
	w := walk{ctx: t.Context(), visitor: v, tally: &tally{}, limit: mostVisited}
	if err := w.tree(root); err != nil {
		t.Fatal(err)
	}
	return v
}

type ignoreVisitor map[string]bool

func (v ignoreVisitor) enter(d *found) bool {
	v[strings.Join(d.below, "/")] = v.above(d) || d.ignored
	return true
}

func (v ignoreVisitor) file(f *found) error {
	v[strings.Join(f.below, "/")] = v.above(f) || f.ignored
	return nil
}

func (v ignoreVisitor) above(f *found) bool {
	return v[strings.Join(f.below[:len(f.below)-1], "/")]
}

// git runs a command of git that reads nobody's configuration.
func git(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "HOME=/nonexistent", "XDG_CONFIG_HOME=/nonexistent")
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() != 1 { // 1: no path is ignored
		t.Fatalf("git %v: %v %s", args, err, exit.Stderr)
	}
	return string(out)
}

// compareIgnores asks git and the walk about every path of a tree.
func compareIgnores(t *testing.T, root string) {
	t.Helper()
	ours := ignored(t, root)
	var all strings.Builder
	for path := range ours {
		all.WriteString(path + "\x00")
	}
	theirs := map[string]bool{}
	for path := range strings.SplitSeq(git(t, root, all.String(), "check-ignore", "--stdin", "-z", "--no-index"), "\x00") {
		theirs[path] = true
	}
	for path, got := range ours {
		if got != theirs[path] {
			text, _ := os.ReadFile(filepath.Join(root, ".gitignore"))
			t.Errorf("%q ignored: %v, git says %v; .gitignore %q", path, got, theirs[path], text)
		}
	}
}

func needsGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is not installed")
	}
}

// paths that the lines below often meet.
var ignorePaths = []string{
	"a", "b", "ab", "d/a", "d/b", "d/e/a", "d/e/f/b", "a.log", "d/x.log", "d/keep.log", "build/x", "build/y/z", "d/build/w", ".h", "d/.h/i", "ä", "a b", "a ", "#x", "!x", "[z]", "*s", "foo/bar/baz", "x/foo/bar",
	"A", "-", "]", "d/]", `q\r`, "{u}", "u",
}

func TestIgnore_SameAsGitTable(t *testing.T) {
	needsGit(t)
	root := tree(t, nil)
	git(t, root, "", "init", "-q")
	for _, path := range ignorePaths {
		plant(t, filepath.Join(root, path), path, "")
	}
	for _, text := range []string{
		"", "a", "/a", "a/", "d/", "/d", "d/a", "d/*", "d/**", "**/a", "**/e/**", "d/**/b", "**", "*", "/*", "*/", "**/", "/**", "***", "d/***", "***/a",
		"*.log\n!keep.log", "*.log\n!d/keep.log", "*.log\n!/keep.log", "build/\n!build/x", "build/*\n!build/y", "!a\na", "a\n!a\na", "d\n!d/a",
		"#x", "\\#x", "!x", "\\!x", "!\\!x", "a ", "a\\ ", "a  ", "a b", "a\\ b", "[a]", "[!a]", "[^a]*", "[[]z]", "\\[z]", "[z", "[]]", "[]-]", "[!]]", "[[:alpha:]]", "[[:nope:]]", "[a-c]b",
		"?", "??", "\\*s", "ä", "?ä", "a\\", "\\a", "foo/bar", "foo/*/baz", "foo/**/baz", "**/bar", "*/bar", "/*/bar", "bar/", "foo//bar", "./a", "../a", "d/../a", "d//", "//a", "/", "//", "!", "!/",
		"a\r\nb\r\n", "\ufeffa", "a\n\n\nb", "   ", "\ta", "*\n!*/\n!*.log", "*\n!a", ".*", ".h/", "d/.h", "**/.h/i", "{u}", "{u,a}", `q\\r`, "A", "**a", "a**", "d/**e/a", "d/e**/a", "*e/*", "\\d/a", "d\\/a", "d\\\\/a", "d\\/", "\\/a", "*\\/a",
		"[a-\\c]", "[\\]]", "[\\\\]", "[--z]", "d[/]a", "x?foo", "*/*/*", "**/**/b", "d/**/", "d/**/e/", "/**/a", "!d/a\nd/*",
	} {
		plant(t, filepath.Join(root, ".gitignore"), ".gitignore", text)
		compareIgnores(t, root)
	}
}

func TestIgnore_SameAsGitProperty(t *testing.T) {
	needsGit(t)
	root := tree(t, nil)
	git(t, root, "", "init", "-q")
	for _, path := range ignorePaths {
		plant(t, filepath.Join(root, path), path, "")
	}
	piece := rapid.SampledFrom([]string{"a", "b", "d", "e", "x", "*", "**", "?", "/", "/", ".log", "build", "[ab]", "[!a]", "\\a", " ", "!", "#", "foo", "bar", "**/", "/**"})
	line := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces"), "")
	})
	text := rapid.Custom(func(t *rapid.T) [2]string {
		return [2]string{
			strings.Join(rapid.SliceOfN(line, 1, 4).Draw(t, "top"), "\n"),
			strings.Join(rapid.SliceOfN(line, 0, 3).Draw(t, "deeper"), "\n"),
		}
	})
	for i := range 120 {
		pair := text.Example(i)
		plant(t, filepath.Join(root, ".gitignore"), ".gitignore", pair[0])
		plant(t, filepath.Join(root, "d/.gitignore"), ".gitignore", pair[1])
		compareIgnores(t, root)
	}
}

// Files at several levels, the repository's own list, and a search that starts below
// the top.
func TestIgnore_Levels(t *testing.T) {
	needsGit(t)
	root := tree(t, files{
		".gitignore": "*.log\n/top\nsub/deep/x\n", "sub/.gitignore": "!keep.log\n/here\n", "sub/deep/.gitignore": "keep.log\n",
		"a.log": "", "top": "", "sub/top": "", "sub/keep.log": "", "sub/here": "", "sub/deep/here": "", "sub/deep/keep.log": "", "sub/deep/x": "", "sub/deep/y": "", "sub/secret": "",
	})
	git(t, root, "", "init", "-q")
	plant(t, root+"/.git/info/exclude", "exclude", "secret\n")
	compareIgnores(t, root)
	below := ignored(t, root+"/sub")
	for path, got := range ignored(t, root) {
		if rest, ok := strings.CutPrefix(path, "sub/"); ok && below[rest] != got {
			t.Errorf("%q ignored: %v from the top, %v from below", path, got, below[rest])
		}
	}
	if !below["secret"] || !below["here"] || below["keep.log"] || !below["deep/x"] {
		t.Errorf("from below: %v", below)
	}
}

// Outside of a repository nothing is ignored, and a repository inside another starts
// afresh.
func TestIgnore_Repositories(t *testing.T) {
	root := tree(t, files{".gitignore": "*", "a": "", "repo/.git/HEAD": "", "repo/.gitignore": "b\n", "repo/a": "", "repo/b": "", "repo/inner/.git": "gitdir: x", "repo/inner/b": ""})
	got := ignored(t, root)
	for path, want := range map[string]bool{"a": false, "repo": false, "repo/a": false, "repo/b": true, "repo/inner/b": false} {
		if got[path] != want {
			t.Errorf("%q ignored: %v, want %v", path, got[path], want)
		}
	}
}

// A .gitignore that is a link is not read, as git does not read it either.
func TestIgnore_Link(t *testing.T) {
	root := tree(t, files{".git/HEAD": "", "rules": "a\n", ".gitignore": "->rules", "a": ""})
	if got := ignored(t, root); got["a"] {
		t.Error("a link was followed")
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add([]byte("a/**/b\n!*.log\n[[:alpha:]-z]\\"), "a/b/c")
	f.Add([]byte("\ufeff***/[!]-\\]]/\r\n"), "x/]")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		rules := parseIgnore(text)
		if lines := bytes.Count(text, []byte{'\n'}) + 1; len(rules) > lines {
			t.Fatalf("%d rules in %d lines", len(rules), lines)
		}
		parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
		if len(parts) == 0 {
			return
		}
		level := &ignoreLevel{rules: rules}
		asFile, asDir := level.ignores(parts, false), level.ignores(parts, true)
		// A line that takes everything back behind all others always holds.
		level.rules = append(level.rules, parseIgnore([]byte("!**\n"))...)
		if level.ignores(parts, false) || level.ignores(parts, true) {
			t.Fatalf("still ignored; before: %v %v", asFile, asDir)
		}
	})
}

func FuzzPathPattern(f *testing.F) {
	f.Add("**/*.{go,c}", "a/b.go")
	f.Add("[!a-\\]]*{x,{y,z}}/**", "b/x/c")
	f.Fuzz(func(t *testing.T, text, path string) {
		if len(text) > 200 {
			t.Skip()
		}
		patterns, err := parsePatterns(text)
		if err != nil {
			return
		}
		parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
		for _, p := range patterns {
			if !p.match(parts, ofRunes) {
				continue
			}
			// What matches is reached: every directory above it is entered.
			for i := 1; i < len(parts); i++ {
				if !p.mayMatchBelow(parts[:i], ofRunes) {
					t.Fatalf("%q matches %q and %q is not entered", p, parts, parts[:i])
				}
			}
		}
	})
}
