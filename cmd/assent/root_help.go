package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const rootHelp = `assent is the permission runtime for AI agents: every tool call is allowed, denied, asked
about or parked until somebody has decided, by one policy that you can read, test and explain.

  assent 'mend the failing test'     let an agent work, and answer its questions here
  assent -p 'mend the failing test'  the same without a terminal; what would ask is denied
  assent explain 'Bash(git push)'    what would happen to a call, why, and what would change it
  assent init                        let the agents you have ask before every call
  assent audit log                   what was decided, by which rule`

// groups are the commands as the help lists them.
var groups = []struct {
	title    string
	commands []string
}{
	{"Policy", []string{"check", "explain", "lint", "test", "trust", "shell"}},
	{"Other agents", []string{"init", "hook", "mcp"}},
	{"Calls that wait", []string{"serve", "worker", "doctor", "inbox", "people", "sessions", "approve", "deny"}},
	{"Records", []string{"audit"}},
	{"For scripts", []string{"state", "pick", "completion", "version"}},
}

// common are the agent's flags that the help of the program shows; `assent help agent`
// has all of them.
var common = []string{
	"print", "model", "output-format", "permission-mode", "allowedTools", "disallowedTools", "settings", "resume", "continue", "max-turns",
}

// helpOfRoot is short: what there is, by what it is for.
func helpOfRoot(cmd *cobra.Command) {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "%s\n", rootHelp)
	fmt.Fprintf(w, "\nThe agent: assent [-p] [flags] [PROMPT]\n")
	printFlags(w, named(cmd.Flags(), common))
	fmt.Fprintf(w, "      `assent help agent` lists all flags\n")
	for _, g := range groups {
		fmt.Fprintf(w, "\n%s\n", g.title)
		for _, name := range g.commands {
			if c, _, err := cmd.Find([]string{name}); err == nil && c != cmd {
				fmt.Fprintf(w, "  %-12s %s\n", c.Name(), c.Short)
			}
		}
	}
	fmt.Fprintf(w, "\n`assent help COMMAND` shows how a command is used.\n")
}

// agentTopics are the flags of the agent, by what they are about.
var agentTopics = []struct {
	title string
	flags []string
}{
	{"Prompt and output", []string{
		"print", "output-format", "input-format", "verbose", "include-partial-messages", "include-hook-events", "replay-user-messages",
	}},
	{"Model", []string{"model", "system-prompt", "append-system-prompt", "max-turns"}},
	{"Permissions", []string{
		"permission-mode", "classifier", "allowedTools", "disallowedTools", "tools", "add-dir", "settings", "setting-sources", "trust-workspace",
		"permission-prompt-tool", "mcp-config", "strict-mcp-config", "agents", "dangerously-skip-permissions", "allow-dangerously-skip-permissions",
	}},
	{"Session", []string{"resume", "continue", "fork-session", "session-id", "no-session-persistence", "defer-batch", "database", "labels"}},
}

// newAgentHelp is `assent help agent`. The agent itself is the program without a command.
func newAgentHelp() *cobra.Command {
	return &cobra.Command{
		Use:    "agent",
		Short:  "All flags of the agent",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}

func helpOfAgent(root *cobra.Command) {
	w := root.OutOrStdout()
	fmt.Fprint(w, `assent [flags] [PROMPT] on a terminal is a session: prompt by prompt, and whatever the policy does not
settle is asked there. assent -p [flags] [PROMPT] lets an agent work off one prompt without a terminal;
it is an argument or comes on stdin. Every tool call is judged by the policy; what nobody can be asked
about is denied. Flags that take several values take them separated by blanks, commas, or one by one.

  assent 'mend the failing test'
  assent -p 'what does this program do?'
  assent -p --allowedTools 'Bash(go test:*)' Edit --output-format json < prompt.txt
  assent -p --resume ID 'and now the tests'
`)
	for _, topic := range agentTopics {
		fmt.Fprintf(w, "\n%s\n", topic.title)
		printFlags(w, named(root.Flags(), topic.flags))
	}
}

// named is the named flags, in that order.
func named(all *pflag.FlagSet, names []string) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	for _, name := range names {
		set.AddFlag(all.Lookup(name))
	}
	return set
}

func printFlags(w io.Writer, flags *pflag.FlagSet) {
	text := flags.FlagUsagesWrapped(110)
	fmt.Fprint(w, strings.ReplaceAll(text, "stringArray", "LIST       "))
}
