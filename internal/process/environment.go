package process

import (
	"slices"
	"strings"
)

// kept are the variables that no program of an agent gets.
var kept = []string{"ASSENT_TOKEN", "ASSENT_DATABASE", "CREDENTIALS_DIRECTORY"}

// HandedOn is the environment that a program gets which works for an agent: without the
// variables that hold the token of the inbox and the address of the database, and the one by which
// systemd says where it has put such secrets: whoever has them answers in place of a person. What
// is handed in stays as it is.
func HandedOn(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		// Windows does not tell letters from capital ones in these names.
		return slices.ContainsFunc(kept, func(one string) bool { return strings.EqualFold(name, one) })
	})
}
