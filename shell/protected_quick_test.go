package shell

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The quick answer about a name that begins with a dot is never another one than the long answer.
func TestQuickDotted(t *testing.T) {
	t.Parallel()
	dotted := []string{".items", ".env", ".x", "."}
	behind := []string{"", "x"}
	dotted = slices.Concat(dotted, protectedDirectories, protectedFiles)
	for _, below := range protectedBelow {
		dotted = append(dotted, below.parent)
		behind = append(behind, strings.Split(below.names, "|")...)
	}
	pieces := []string{"", "", ".", " ", ":x", "\u200c", "\xff", "\xfe", "\\", "\u212a", "\u017f", "K", "s", "~", "\x7f", "\t"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(dotted).Draw(t, "name")
		at := rapid.IntRange(0, len(name)).Draw(t, "at")
		upTo := rapid.IntRange(at, min(at+1, len(name))).Draw(t, "upTo")
		name = name[:at] + rapid.SampledFrom(pieces).Draw(t, "piece") + name[upTo:]
		if rapid.Bool().Draw(t, "upper") {
			name = strings.ToUpper(name)
		}
		next := rapid.SampledFrom(behind).Draw(t, "next")
		if unlikeDotted(name) && (matchesAny(name, protectedDirectories) || matchesAny(name, protectedFiles) || belowProtected(name, next)) {
			t.Fatalf("%q before %q is protected, and the quick answer is that it is not", name, next)
		}
	})
}
