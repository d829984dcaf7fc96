package process

import (
	"slices"
	"strings"
)

// HandedOn is the environment that a program gets which works for an agent: without the
// variables that hold the token of the inbox and the address of the database, by which
// whoever has them answers in place of a person. What is handed in stays as it is.
func HandedOn(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		// Windows does not tell letters from capital ones in these names.
		return strings.EqualFold(name, "ASSENT_TOKEN") || strings.EqualFold(name, "ASSENT_DATABASE")
	})
}
