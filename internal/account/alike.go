package account

import (
	"slices"
	"strings"
)

// Alike: two names of accounts or people could be those of one person. Of an account the part
// before the host counts, without the domain that some systems put before it, and of a person who
// is called by an address the part before the @.
func Alike(a, b string) bool {
	names := namesIn(b)
	return slices.ContainsFunc(namesIn(a), func(name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(name, other) })
	})
}

// namesIn are a name and those that are a part of it, none of them empty.
func namesIn(name string) []string {
	name = strings.TrimSpace(name)
	_, account, domain := strings.Cut(name, `\`)
	if !domain {
		account = name
	}
	first, _, _ := strings.Cut(account, "@")
	last := account
	if i := strings.LastIndex(account, "@"); i >= 0 {
		last = account[:i]
	}
	return slices.DeleteFunc([]string{name, account, first, last}, func(part string) bool { return part == "" })
}
