package shell_test

import (
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/shell"
)

// Words with braces are what bash makes of them, or cannot be understood: all short ones, and random ones
// with quotes and expansions.
func TestBracesAsBashReadsThem(t *testing.T) {
	t.Parallel()
	var words []string
	var grow func(word string, n int)
	grow = func(word string, n int) {
		if words = append(words, word); n > 0 {
			for _, piece := range []string{"{", "}", ",", "..", "a", "1"} {
				grow(word+piece, n-1)
			}
		}
	}
	grow("", 6)
	plain := []string{"{", "{", "}", "}", ",", ",", "..", "a"}
	pieces := append(plain, `"x"`, "'}'", "'{'", `"}"`, `","`, "${v-}", "${v-{}", "${v-}}", `${v-"}"}`, `"${v-}"`, `"${v-}}"`, `"${v-"}"}"`, `"${v-","}"`, `$'\''`, "$'}'", `$'\'}'`,
		`$'\',\''`, `\{`, `\}`, `\,`, `\\`, "$(echo ,)", "$(echo })", "$(echo {)", "`echo }`", "`echo ,`", "$((1))", "$v", "${v-,}", "${v:-a,b}", `"${v-'}'}"`, "${v-'}'}", `${v-\}}`, "''", "1", "~", "~/")
	for range 15_000 {
		word := ""
		for range 3 + rand.IntN(8) {
			if rand.IntN(3) > 0 {
				word += plain[rand.IntN(len(plain))]
			} else {
				word += pieces[rand.IntN(len(pieces))]
			}
		}
		words = append(words, word)
	}
	words = slices.DeleteFunc(words, func(word string) bool {
		return !strings.Contains(word, "{") || shell.Parse("echo "+word).Problem != nil
	})
	bash := exec.Command("bash", "-c", `set -f; while IFS= read -r word; do set --; eval "set -- $word" 2>/dev/null; printf '%s\1' "$@"; printf '\2'; done`)
	bash.Stdin, bash.Env = strings.NewReader(strings.Join(words, "\n")+"\n"), []string{"PATH=/nonexistent", "HOME=/home/dev"}
	out, err := bash.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\x02"), "\x02")
	if len(answers) != len(words) {
		t.Fatalf("bash has read %d words of %d", len(answers), len(words))
	}
	for i, word := range words {
		script := shell.Parse("echo " + word)
		for _, got := range strings.Split(strings.TrimSuffix(answers[i], "\x01"), "\x01") {
			if !slices.ContainsFunc(script.Commands, func(c shell.Command) bool { return spells(c.Args(), got) }) {
				t.Errorf("%s: bash reads %q, which is no word of %v", word, got, texts(script))
			}
		}
	}
}

// spells: one of the words may be this one.
func spells(words []shell.Word, want string) bool {
	return want == "" || slices.ContainsFunc(words, func(w shell.Word) bool {
		if strings.HasPrefix(w.Text, "~") && strings.HasPrefix(want, "/home/dev") {
			return true
		}
		parts := strings.FieldsFunc(strings.ReplaceAll(w.Text, "\xfe", "\xff"), func(r rune) bool { return r == '\uFFFD' })
		if len(parts) == 1 && parts[0] == w.Text {
			return w.Text == want
		}
		rest := want
		for _, part := range parts {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				return false
			}
			rest = after
		}
		return true
	})
}
