package account

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Several accounts are one text, as "ann@desk, ben@server", because that is how people read them
// and where there was one before. No name holds the comma; [Check] sees to it.
const comma = ","

const (
	// Most is how many names one text holds.
	Most = 16
	// Others stands for the names for which there was no room. Nobody knows whose they are.
	Others = "…"
)

// Check refuses a name that could not be told from several, or that no record could hold.
func Check(name string) error {
	why := ""
	switch {
	case strings.Contains(name, comma):
		why = "a comma stands between two accounts"
	case strings.TrimSpace(name) == Others:
		why = "that stands for accounts of which nobody knows the names"
	case !utf8.ValidString(name):
		why = "it is not valid UTF-8"
	default:
		return nil
	}
	return fmt.Errorf("%q cannot be the name of an account: %s (write it as user@host)", name, why)
}

// Split are the names in a text; none in an empty one.
func Split(text string) []string {
	var names []string
	for name := range strings.SplitSeq(text, comma) {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Join is one text for all names of several texts, each once and in their order. Of more than
// [Most] the first one and the latest are kept, and [Others] says that there were more: who
// adds names to a text can never make it look as if it held all of them.
func Join(texts ...string) string {
	var names []string
	for _, text := range texts {
		for _, name := range Split(text) {
			if !slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(name, other) }) {
				names = append(names, name)
			}
		}
	}
	all := len(names)
	names = slices.DeleteFunc(names, func(name string) bool { return name == Others })
	missing := len(names) < all
	if over := len(names) - Most; over > 0 {
		names, missing = slices.Delete(names, 1, 1+over), true
	}
	if missing {
		names = slices.Insert(names, min(1, len(names)), Others)
	}
	return strings.Join(names, comma+" ")
}
