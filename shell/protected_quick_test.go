package shell

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The quick answer to what is protected is never another one than the long answer.
func TestQuickProtected(t *testing.T) {
	t.Parallel()
	names := append(append([]string{"x", "", "*", "a.b", ".", "..", "...", "git~1", "\u200c"}, protectedDirectories...), protectedFiles...)
	for _, below := range protectedBelow {
		names = append(names, below.parent)
		names = append(names, strings.Split(below.names, "|")...)
	}
	for range 50_000 {
		path := ""
		for range 1 + rand.IntN(3) {
			name := []byte(names[rand.IntN(len(names))])
			for range rand.IntN(3) {
				at := rand.IntN(len(name) + 1)
				mark := []byte{Unknown, Glob, 'X', '.'}[rand.IntN(4)]
				if at < len(name) && rand.IntN(2) == 0 {
					name[at] = mark
				} else {
					name = append(name[:at:at], append([]byte{mark}, name[at:]...)...)
				}
			}
			path += string(name) + "/"
		}
		path = strings.TrimSuffix(path, "/")
		if namesNone(path) && anyProtected(path) {
			t.Fatalf("%q is protected, and the quick answer is that it is not", path)
		}
		text := []string{"", "-o", "x=", "a:", "b, ", "-Wl,-M,", "+f"}[rand.IntN(7)] + path
		for name := range namesIn(text) {
			if namesNone(text) && anyProtected(name) {
				t.Fatalf("%q stands in %q, and the quick answer is that nothing does", name, text)
			}
		}
	}
}
