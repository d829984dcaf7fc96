package shell

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWordSet(t *testing.T) {
	t.Parallel()
	words := rapid.SliceOf(rapid.StringMatching(`[-a-c/]{1,3}`))
	rapid.Check(t, func(t *rapid.T) {
		s := wordSet{list: strings.Join(words.Draw(t, "list"), " ")}
		for _, word := range append(words.Draw(t, "others"), append(strings.Fields(s.list), "")...) {
			if s.has(word) != listed(s.list, word) {
				t.Fatalf("%q holds %q: %v", s.list, word, s.has(word))
			}
		}
	})
}
