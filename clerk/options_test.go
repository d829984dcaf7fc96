package clerk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Whatever two rows of up to three options read alike, they are found; and where no commas are,
// nothing reads alike.
func TestD5_OptionsThatReadAlikeAreFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	alike := 0
	for range 3_000 {
		var lists []string
		for range 2 + rng.IntN(4) {
			var words []string
			for range 1 + rng.IntN(3) {
				words = append(words, string(rune('a'+rng.IntN(4))))
			}
			if list := asList(strings.Join(words, ", ")); !slices.Contains(lists, list) {
				lists = append(lists, list)
			}
		}
		_, mixed := mixedUp(lists)
		text, found := readsTwice(lists)
		if found {
			alike++
		}
		if found && !mixed {
			t.Fatalf("%q reads in two ways with %q", text, lists)
		}
		if mixed && !slices.ContainsFunc(lists, func(list string) bool { return strings.Count(list, ",") > 1 }) {
			t.Fatalf("%q are single words", lists)
		}
	}
	if alike < 300 {
		t.Errorf("only %d rows were alike", alike)
	}
}

// readsTwice tries all rows of up to three lists.
func readsTwice(lists []string) (string, bool) {
	seen := map[string]bool{}
	rows := []string{""}
	for range 3 {
		var longer []string
		for _, row := range rows {
			for _, list := range lists {
				text := row + list
				if seen[text] {
					return text, true
				}
				seen[text] = true
				longer = append(longer, text)
			}
		}
		rows = longer
	}
	return "", false
}

// The work is bounded: with very many options nobody looks for what their commas mix up.
func TestD5_VeryManyOptions(t *testing.T) {
	var lists []string
	for i := range 100_000 {
		lists = append(lists, asList(fmt.Sprint("option ", i)))
	}
	if i, mixed := mixedUp(lists); mixed {
		t.Errorf("%q is one word", lists[i])
	}
	if _, mixed := mixedUp(append(lists, asList("this, that"))); !mixed {
		t.Error("a comma among so many")
	}
	if _, mixed := mixedUp([]string{asList("a" + strings.Repeat(",", 1_000_000)), asList(","), asList("a")}); !mixed {
		t.Error("so many commas")
	}
}

// What reads an answer and what refuses options must not differ in which letters they take for the
// same: some letters have several small forms.
func TestD5_OptionsThatDifferInTheCaseOnly(t *testing.T) {
	for _, c := range []struct {
		options []string
		mixed   bool
	}{
		{[]string{"ΑΣ, b", "ας", "b"}, true}, // which ends with another sigma
		{[]string{"ſ, b", "s", "b"}, true},   // as in old print
		{[]string{"K, b", "\u212a", "b"}, true},
		{[]string{"A, b", "a", "B"}, true},
		{[]string{"ß, b", "ss", "b"}, false}, // which are not one letter
		{[]string{"ΑΣ b", "ας", "b"}, false},
	} {
		q := Question{Several: true}
		for _, label := range c.options {
			q.Options = append(q.Options, Option{Label: label})
		}
		if err := q.distinct(1); (err != nil) != c.mixed {
			t.Errorf("%q: %v", c.options, err)
		}
	}
	for _, text := range []string{"ας", "ΑΣ", "ασ", "s", "S", "ſ", "k", "K", "\u212a", "ß", "ẞ", "ss", "İ", "i", "I", "ı", "\xff", "\ufffd", "Ǆ", "ǅ", "ǆ", ""} {
		for _, other := range []string{"ας", "ΑΣ", "ασ", "s", "S", "ſ", "k", "K", "\u212a", "ß", "ẞ", "ss", "İ", "i", "I", "ı", "\xff", "\ufffd", "Ǆ", "ǅ", "ǆ", ""} {
			if (folded(text) == folded(other)) != strings.EqualFold(text, other) {
				t.Errorf("%q and %q", text, other)
			}
		}
	}
}
