package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// app is what the commands share.
type app struct {
	in       io.Reader
	out, err io.Writer
	colors   string // --color
}

// newRoot makes the command line. agent: it is that of the agent itself, where no word
// is the name of a command.
func newRoot(a *app, agent bool) *cobra.Command {
	root := &cobra.Command{
		Use:           "assent",
		Short:         "The permission runtime for AI agents",
		Long:          rootHelp,
		Version:       thisBuild().Version,
		SilenceUsage:  true,
		SilenceErrors: true,

		SuggestionsMinimumDistance: 2,

		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := &agentFlags{}
	flags.bind(root.Flags())
	if !agent {
		completeAgent(a, root)
	}
	if agent {
		root.Args = cobra.ArbitraryArgs
		root.RunE = func(cmd *cobra.Command, args []string) error { return a.runAgent(cmd, flags, args) }
	}
	usual := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		switch {
		case cmd == root:
			helpOfRoot(cmd)
		case cmd.Name() == "agent":
			helpOfAgent(root)
		default:
			usual(cmd, args)
		}
	})
	root.SetVersionTemplate("assent {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usage(cmd, err.Error()) })
	root.PersistentFlags().StringVar(&a.colors, "color", "auto", "when to use colour: auto, always or never")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := a.checkColor(cmd); err != nil {
			return err
		}
		if err := namesDatabase(cmd); err != nil {
			return err
		}
		return notInside(cmd)
	}
	must(root.RegisterFlagCompletionFunc("color", words("auto", "always", "never")))
	if agent {
		return root
	}
	root.AddCommand(
		newHook(), newCheck(a), newExplain(a), newShell(a), newLint(a), newTest(a), newTrust(a), newInit(a), newState(a), newAudit(a), newPick(a), newCompletion(a), newVersion(a),
	)
	root.AddCommand(newServe(a), newWorker(a), newDoctor(a), newMCP(a), newInbox(a), newPeople(a), newSessions(a), newApprove(a), newDeny(a))
	root.AddCommand(newAgentHelp())
	root.SetHelpCommand(newHelp())
	return root
}

// noSuchCommand answers a word that is no command.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see `assent help`"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("there is no command %q (%s)", args[0], hint)
}

// usage is the error for a command that was called wrongly.
func usage(cmd *cobra.Command, problem string) error {
	name := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "assent"), " ")
	if name != "" {
		problem = name + ": " + problem
	}
	return fmt.Errorf("%s (see `%s --help`)", problem, cmd.CommandPath())
}

// atMost limits the number of arguments.
func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			verb := "are"
			if len(args) == 1 {
				verb = "is"
			}
			return usage(cmd, fmt.Sprintf("%s %s too many: %s", plural(len(args), "argument"), verb, what))
		}
		return nil
	}
}

// must is for what only a mistake in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
