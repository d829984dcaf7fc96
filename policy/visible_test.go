package policy

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/shell"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"git push", "git push"},
		{"größe 世界 é", "größe 世界 é"},
		{"a\u202eb", `a\u202eb`},               // right-to-left override
		{"a\u200bb\u2060c", `a\u200bb\u2060c`}, // zero-width space, word joiner
		{"a\u00a0b\u3000c", `a\u00a0b\u3000c`}, // blanks that separate no words
		{"a\u3164b\ufe0fc", `a\u3164b\ufe0fc`}, // filler, variation selector
		{"a\u2800b", `a\u2800b`},               // empty braille
		{"x\U000e0041", `x\U000e0041`},         // tag characters
		{"a\x1b[31mb\x00", `a\x1b[31mb\x00`},
		{"a\tb\r\nc", `a\tb\r\nc`},
		{"a\xffb", `a\xffb`},
		{"a\u0085\u2028", `a\u0085\u2028`},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("Visible(%+q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// Nothing that a terminal acts on, and nothing invisible, survives.
func FuzzVisible(f *testing.F) {
	f.Add("a\u202e\x1b]0;x\x07\u200d")
	f.Fuzz(func(t *testing.T, text string) {
		got := Visible(text)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is no text", got)
		}
		for _, r := range got {
			if r != ' ' && (!unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc)) {
				t.Fatalf("%U survives in %q", r, got)
			}
		}
	})
}

func TestPartTextShowsMarks(t *testing.T) {
	text := "rm " + string([]byte{shell.Unknown}) + " " + string([]byte{shell.Glob}) + ".txt"
	if got := partText(text); got != "rm … *.txt" {
		t.Errorf("got %q", got)
	}
}
