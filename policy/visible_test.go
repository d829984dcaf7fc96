package policy

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/testlimit"
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
		{"a\U0001d159\U00016fe4\U00013441\U00013442\ufffcb", `a\U0001d159\U00016fe4\U00013441\U00013442\ufffcb`}, // graphic, and nothing to see
		{"\U00013430\U00013447x", `\U00013430\U00013447x`},                                                       // controls of hieroglyphs
		{"\U00013000 שלום", "\U00013000 שלום"},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("Visible(%+q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// In a command letters must not turn round what stands beside them.
func TestVisibleInOrder(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"rm größe 世界", "rm größe 世界"},
		{"rm א 1", `rm \u05d0 1`},
		{"rm \u0627\ufeb0\U0001e900\U00010900\u0661 x", `rm \u0627\ufeb0\U0001e900\U00010900\u0661 x`},
		{"a\u202eb\n", `a\u202eb\n`},
	} {
		if got := VisibleInOrder(c.text); got != c.want {
			t.Errorf("VisibleInOrder(%+q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// Nothing that a terminal acts on, and nothing invisible, survives.
func FuzzVisible(f *testing.F) {
	f.Add("a\u202e\x1b]0;x\x07\u200d")
	f.Fuzz(func(t *testing.T, text string) {
		defer testlimit.Watch(t)()
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
	if got := PartText(text); got != "rm … *.txt" {
		t.Errorf("got %q", got)
	}
}
