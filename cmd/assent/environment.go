package main

import (
	"os"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
)

// The variables that open what is a person's. Each is taken out of the environment as soon
// as the process is there, so that nothing that an agent starts inherits it: a command of the
// Bash tool, a hook, an MCP server.
const (
	// databaseVariable names the database that several machines share. It has a password in
	// it and opens the tickets to whoever has it.
	databaseVariable = hookcmd.DatabaseVariable
	// tokenVariable holds the token of an inbox: whoever has it answers every call.
	tokenVariable = "ASSENT_TOKEN"
)

// What the variables said when the process was started.
var (
	databaseGiven = takeFromEnvironment(databaseVariable)
	tokenGiven    = takeFromEnvironment(tokenVariable)
)

// takeFromEnvironment is the value of a variable, which is gone then, also where the system
// shows with what a process was started.
func takeFromEnvironment(name string) string {
	value, given := os.LookupEnv(name)
	if given {
		_ = os.Unsetenv(name) // which cannot fail for names like these
		blankGiven(name)
	}
	return value
}
