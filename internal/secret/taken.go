package secret

import (
	"os"
	"sync"
)

// taken are the variables that were taken out of the environment, and what they said.
var taken sync.Map

// Take takes a variable out of the environment of this process, so that nothing that it starts
// inherits it, also where the system shows with what a process was started. What it said is the
// value; given is false where there is no such variable, and none was taken before. A [Place]
// that names it can be read as before.
func Take(name string) (value string, given bool) {
	if value, given = os.LookupEnv(name); given {
		_ = os.Unsetenv(name) // which cannot fail for a name that is there
		blankGiven(name)
		taken.Store(name, value)
		return value, true
	}
	return before(name)
}

// before is what a variable said that was taken.
func before(name string) (value string, given bool) {
	kept, given := taken.Load(name)
	if !given {
		return "", false
	}
	return kept.(string), true
}

// variable is what a variable says, or has said before it was taken.
func variable(name string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	value, _ := before(name)
	return value
}
