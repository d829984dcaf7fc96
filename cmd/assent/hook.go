package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
)

// newHook lists the command among the others. It is run before any of them is made
// (see run): an agent starts this program for every call.
func newHook() *cobra.Command {
	cmd := &cobra.Command{
		Use:                "hook",
		Short:              "Guard an agent: answer its hook events",
		DisableFlagParsing: true,
		ValidArgsFunction:  completeHook,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage(cmd, "write its flags behind it and nothing before it: assent hook --agent codex")
		},
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), hookcmd.Help) })
	return cmd
}
