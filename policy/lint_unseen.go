package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/rule"
)

// unseen finds rules with characters that nobody sees: they match what no one
// types, or deceive whoever reviews the file.
func (l *linter) unseen(r *rule.Rule) {
	found := unseenRunes(r.Text)
	if len(found) == 0 {
		return
	}
	l.add(Warning, "invisible", r, "holds characters that cannot be seen ("+strings.Join(found, ", ")+"), and they count when it is compared",
		"type the rule anew")
}

// unseenRunes are the escapes of what cannot be seen. Tabs and line breaks can.
func unseenRunes(text string) []string {
	if plain(text) {
		return nil
	}
	var found []string
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		raw := text[i : i+size]
		escape := visibleRune(r, raw)
		if escape != raw && !strings.ContainsRune("\t\r\n", r) && !slices.Contains(found, escape) {
			found = append(found, escape)
		}
		i += size
	}
	return found
}
