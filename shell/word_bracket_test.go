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

// A bracket expression is read as a pattern however it is written. What is plain keeps its
// end; what is not reaches to the last bracket that may end it.
func TestS03_BracketExpressions(t *testing.T) {
	glob, unknown := string([]byte{shell.Glob}), string([]byte{shell.Unknown})
	for command, want := range map[string]string{
		"cat file[0-9].txt":          "file" + glob + ".txt",
		"cat a[0-9]b[!x].txt":        "a" + glob + "b" + glob + ".txt",
		`cat ["s"]ecret/key`:         glob + "ecret/key",
		"cat ['s']ecret/key":         glob + "ecret/key",
		"cat [$'s']ecret/key":        glob + "ecret/key",
		`cat ["a-z"s]ecret/key`:      glob + "ecret/key",
		`cat [\s]ecret/key`:          glob + "ecret/key",
		"cat [[:lower:]]ecret/key":   glob + "ecret/key",
		"cat [[=s=]]ecret/[[.k.]]ey": glob + "ecret/" + glob + "ey",
		"cat [!]x]ecret/key":         glob + "ecret/key",
		"cat [^]x]ecret/key":         glob + "ecret/key",
		"cat []s]ecret/key":          glob + "ecret/key",
		"cat [a-]s]ecret":            glob + "ecret",
		`cat .["e"]nv`:               "." + glob + "nv",
		"cat [{s,t}]x":               glob + "x",
		`cat [$X]ecret`:              unknown + "ecret",
		`cat ["$X"]ecret`:            unknown + "ecret",
		`cat $X]ecret`:               unknown + "ecret",
		`cat [s$X`:                   unknown,
		`cat [s$X]"e"cret]x/[b`:      unknown + "x/[b",
		`cat $HOME]x`:                unknown + "x",
		`cat $HOME/[a]x`:             unknown + "/" + glob + "x",
		"cat [s/key]":                "[s/key]",
		"cat [a/../../etc/x]":        "[a/../../etc/x]",
		`cat "[s]"ecret`:             "[s]ecret",
		`cat \[s]ecret`:              "[s]ecret",
		`cat [s`:                     "[s",
		`cat []`:                     "[]",
		`cat $X{a,b}`:                unknown,
		`cat "[$X]"`:                 "[" + unknown + "]",
		`cat x["a"b/c["d"]e`:         `x[ab/c` + glob + "e",
	} {
		words := shell.Parse(command).Commands[0].Words
		if got := words[1].Text; got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// The oracle is bash: what a pattern finds must be among what the word may be, and so must the
// pattern itself, which stays as it is when it finds nothing.
func TestS03_BracketsAgainstBash(t *testing.T) {
	bash, n := oracle(t, 1_500, 100_000)
	dir := t.TempDir()
	makeNames(t, dir)
	rng := rand.New(rand.NewPCG(3, 4))
	found := 0
	for n > 0 {
		const batch = 500
		patterns := make([]string, 0, batch)
		var script bytes.Buffer
		for len(patterns) < batch {
			pattern := randomPattern(rng)
			if parsed := shell.Parse("cat " + pattern); parsed.Problem != nil || len(parsed.Commands) != 1 {
				continue
			}
			patterns = append(patterns, pattern)
			script.WriteString(`printf '%s\0' ` + pattern + "; printf '\\n\\0'\n")
		}
		n -= batch
		cmd := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile")
		cmd.Dir, cmd.Stdin, cmd.Env = dir, &script, []string{"LC_ALL=C.UTF-8", "A=a", "O=[a", "C=b]"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("bash: %v", err)
		}
		answers := strings.Split(string(out), "\n\x00")
		if len(answers) != len(patterns)+1 {
			t.Fatalf("bash answered %d patterns of %d", len(answers)-1, len(patterns))
		}
		for i, pattern := range patterns {
			words := shell.Parse("cat " + pattern).Commands[0].Words[1:]
			for _, name := range strings.Split(strings.TrimSuffix(answers[i], "\x00"), "\x00") {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil && name != "" {
					found++
				}
				if !anyMayBe(words, name) {
					t.Errorf("%s finds %q in bash, but is read as %q", pattern, name, wordTexts(words))
				}
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d names were found: the patterns are not worth comparing", found)
	}
}

func makeNames(t *testing.T, dir string) {
	t.Helper()
	names := []string{".a", ".b", "..a", "A", "-", "]", "[", "[a]", "a]", "b-", "!a", "^", `\`, `\a`, "[ab", ":", "=a", ".]"}
	for _, x := range "abc" {
		names = append(names, string(x))
		for _, y := range "abc-]" {
			names = append(names, string(x)+string(y))
		}
	}
	for _, sub := range []string{".", "d", "[a", ".g", "ad"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			_ = os.WriteFile(filepath.Join(dir, sub, name), nil, 0o644) // one may be a directory already
		}
	}
}

// randomPattern makes words of brackets, quotes and few letters.
func randomPattern(rng *rand.Rand) string {
	pieces := []string{
		"[", "[", "[", "]", "]", "]", "a", "b", "c", "a", "b", "-", "!", "^", "*", "?", ".", "/", "d/", ":", "=", `"a"`, "'b'", `"]"`, `"["`, `\]`, `\[`, `\a`, `"a-c"`, `"-"`, `"!"`, `\!`, "[:lower:]", "[:alpha:]", "[=a=]", "[.b.]", "[.-.]", "[:", ":]", "[=", "[.", ".]", "$'a'", `""`, "{a,b}", "{[,a}", "$A", `"$A"`, "$O", "$C", `"$C"`, `\\`, "[a-c]", "[!a]", "[^]a]", "[]a]", `["a"]`, `[a"b"]`, "[a",
	}
	var b strings.Builder
	for range 1 + rng.IntN(7) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

// anyMayBe: one of the words may be the name.
func anyMayBe(words []shell.Word, name string) bool {
	for _, word := range words {
		if mayBe(word.Text, name) || mayBe(oneSlash(word.Text), oneSlash(name)) || word.Split && name == "" {
			return true
		}
	}
	return len(words) == 0 && name == ""
}

// oneSlash: bash writes d//a as it likes.
func oneSlash(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	return path
}

// mayBe matches a name with a text that has marks in it.
func mayBe(text, name string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case shell.Unknown, shell.Glob:
			for end := 0; end <= len(name); end++ {
				if (i > 0 && text[i-1] != '/' || end == 0 || name[0] != '.' || text[i] == shell.Unknown) && mayBe("\x00"+text[i+1:], "\x00"+name[end:]) {
					return true
				}
				if end < len(name) && text[i] == shell.Glob && name[end] == '/' {
					return false
				}
			}
			return false
		}
		if name == "" || name[0] != text[i] {
			return false
		}
		name = name[1:]
	}
	return name == ""
}

func wordTexts(words []shell.Word) (out []string) {
	for _, word := range words {
		out = append(out, word.Text)
	}
	return out
}
