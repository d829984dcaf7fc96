package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

const completionHelp = `Print a script that teaches a shell to complete assent's commands, flags, tools and modes.

  bash        source <(assent completion bash)
  zsh         assent completion zsh > "${fpath[1]}/_assent"
  fish        assent completion fish > ~/.config/fish/completions/assent.fish
  powershell  assent completion powershell | Out-String | Invoke-Expression`

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "completion SHELL",
		Short:             "Print the completion script for a shell",
		Long:              completionHelp,
		Args:              atMost(1, "name one shell"),
		ValidArgsFunction: words(shells...),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			shell := strings.Join(args, "")
			switch shell {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			case "":
				return usage(cmd, "the name of the shell is missing: "+strings.Join(shells, ", "))
			}
			return usage(cmd, fmt.Sprintf("there is no script for %s: want %s", shell, strings.Join(shells, ", ")))
		},
	}
}
