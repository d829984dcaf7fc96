package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// group is a command that only has others below it. It explains itself when none of them
// is named.
func group(use, short, long string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(cmd, fmt.Sprintf("there is no %q: want %s", args[0], either(below)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

// either names commands in a sentence.
func either(commands []*cobra.Command) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
