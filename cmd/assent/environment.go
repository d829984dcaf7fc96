package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/internal/process"
	"github.com/assent-dev/assent/internal/secret"
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

// What the variables said when the process was started, and whether there was one that should
// name a database.
var (
	databaseGiven, databaseMeant = secret.Take(databaseVariable)
	tokenGiven, _                = secret.Take(tokenVariable)
)

// namesDatabase refuses an empty name of a database, as a file that could not be read leaves it
// behind. Whoever sets the variable means a database: what is kept on this machine alone in its
// place nobody would find, and nobody would notice.
func namesDatabase(cmd *cobra.Command) error {
	flag := cmd.Flags().Lookup("database")
	if flag == nil || flag.Changed || !databaseMeant || strings.TrimSpace(databaseGiven) != "" {
		return nil
	}
	return fmt.Errorf("%s is set, and empty, so nobody knows which database is meant (give it the address, as in postgres://USER@HOST/NAME, or unset it to keep sessions and tickets on this machine)", databaseVariable)
}

// withhold keeps the variables with the secrets of notifications, or of a sign-in, from what
// agents start. This process itself can read them as before.
func withhold(names ...string) {
	process.Withhold(names...)
	for _, name := range names {
		secret.Take(name)
	}
}
