package builtin

import (
	"strings"
	"testing"
	"time"
)

func TestPlain(t *testing.T) {
	const r = "\uFFFD"
	for text, want := range map[string]string{
		"":                         "",
		"plain, Grüße, 世界":         "plain, Grüße, 世界",
		"rm -rf /\rls       \n":    "rm -rf /\nls       \n",
		"10%\r100%\r\ndone\r":      "10%\n100%\r\ndone\n",
		"a\r\r\nb":                 "a\n\r\nb",
		"a\u202eb\u202c":           "a" + r + "b" + r,
		"a\u2066b\u2069\u200f":     "a" + r + "b" + r + r,
		"a\u200bb\u00adc\ufeff":    "a" + r + "b" + r + "c" + r,
		"tag\U000e0041\U000e007f":  "tag" + r + r,
		"a\u2028b\u2029c\u0085d":   "a" + r + "b" + r + "c" + r + "d",
		"👩\u200d👧 می\u200cخواهم":   "👩\u200d👧 می\u200cخواهم",
		"\u0600\u0661":             "\u0600\u0661", // a sign of numbers, which is seen
		"\x1b]0;t\x1b]1;u\ax":      "x",
		"\x1b]0;t\n\x1b]1;u\ax":    r + "]0;t\nx",
		"\x1b]0;t\x1b\\x\x1b]1\ay": "xy",
		"\x1b]" + strings.Repeat("x", maxString) + "\a":   r + "]" + strings.Repeat("x", maxString) + r,
		"\x1b]" + strings.Repeat("x", maxString-3) + "\a": "",
		"rm\bls": "rm" + r + "ls",
	} {
		if got := plain(text); got != want {
			t.Errorf("%.60q became %.60q, want %.60q", text, got, want)
		}
	}
}

// No text takes much longer than another of its size, however many sequences it begins
// and never ends.
func TestPlain_Time(t *testing.T) {
	const size = 1 << 20
	took := func(piece string) time.Duration {
		text := strings.Repeat(piece, size/len(piece))
		start := time.Now()
		plain(text)
		return time.Since(start)
	}
	usual := took("\x01") + took("\x01") + took("\x01")
	for _, piece := range []string{"\x1b]", "\x1bP\x1b", "\x1b[", "\x1b[1;", "\x1b", "\r", "\x1b]\x1b"} {
		if got := took(piece); got > 10*usual {
			t.Errorf("%q took %v, and three usual texts %v", piece, got, usual)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"\x1b[31mred\x1b[0m", "\x1b]0;t\x07", "\x1b]0;t\x1b\\x", "\x1b(B", "\x1b", "\xff\x9b", "a\rb\tc\n", "\x1b[999", "\x1bPx", "\x1b]\x1b]\a", "\x1b]\n\x1b]0\a", "a\r\r\nb\r", "\u202ea\u2066"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plain(text)
		if strings.IndexFunc(got, isHidden) >= 0 || strings.ToValidUTF8(got, "") != got || strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\r") {
			t.Fatalf("%q became %q", text, got)
		}
		if plain(got) != got {
			t.Fatalf("%q is not stable", got)
		}
	})
}
