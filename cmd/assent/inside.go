package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/tool/builtin"
)

// notInside refuses what is a person's to say when a session has started the command: an
// agent does not answer its own questions. It hinders accidents; a program of the same
// user that wants to answer can.
func notInside(cmd *cobra.Command) error {
	if os.Getenv(builtin.SessionMark) == "" {
		return nil
	}
	switch name := strings.TrimPrefix(cmd.CommandPath(), "assent "); name {
	case "approve", "deny", "trust", "sessions resolve", "sessions prune", "sessions import":
		return fmt.Errorf("%s is for a person, and this was started by the Bash tool of a session (run it in a terminal of your own)", name)
	}
	return nil
}
