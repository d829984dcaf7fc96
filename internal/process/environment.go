package process

import (
	"slices"
	"strings"
	"sync"
)

// kept are the variables that no program of an agent gets.
var kept = []string{"ASSENT_TOKEN", "ASSENT_DATABASE", "CREDENTIALS_DIRECTORY"}

// withheld are those of which this process has learned that they hold secrets.
var withheld struct {
	mu    sync.RWMutex
	names []string
}

// Withhold adds variables to those that no program of an agent gets, for as long as this process
// lives: settings say that they hold the secrets of notifications, or of a sign-in.
func Withhold(names ...string) {
	withheld.mu.Lock()
	defer withheld.mu.Unlock()
	for _, name := range names {
		if !slices.Contains(withheld.names, name) {
			withheld.names = append(withheld.names, name)
		}
	}
}

// Withheld reports whether a variable is one that no program of an agent gets.
func Withheld(name string) bool {
	withheld.mu.RLock()
	defer withheld.mu.RUnlock()
	// Windows does not tell letters from capital ones in these names.
	same := func(one string) bool { return strings.EqualFold(name, one) }
	return slices.ContainsFunc(kept, same) || slices.ContainsFunc(withheld.names, same)
}

// HandedOn is the environment that a program gets which works for an agent: without the
// variables that hold the token of the inbox and the address of the database, the one by which
// systemd says where it has put such secrets, and those that were withheld: whoever has them
// answers in place of a person, or speaks to people in the name of the server. What is handed in
// stays as it is.
func HandedOn(environment []string) []string {
	return slices.DeleteFunc(slices.Clone(environment), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return Withheld(name)
	})
}
