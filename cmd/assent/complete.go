package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/permission"
)

// words completes one of some words.
func words(all ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(slices.Clone(all), cobra.ShellCompDirectiveNoFileComp)
}

// completeTools completes the name of a tool as the first argument.
func completeTools(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []cobra.Completion
	for _, name := range toolNames() {
		if strings.HasPrefix(name, typed) {
			all = append(all, name)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeSources completes the last word of a list of sources.
func completeSources(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	done, last := "", typed
	if comma := strings.LastIndexByte(typed, ','); comma >= 0 {
		done, last = typed[:comma+1], typed[comma+1:]
	}
	var all []cobra.Completion
	for _, name := range sourceNames {
		if strings.HasPrefix(name, last) && !slices.Contains(strings.Split(done, ","), name) {
			all = append(all, done+name)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeAgent completes the values of the agent's own flags.
func completeAgent(a *app, root *cobra.Command) {
	for name, complete := range map[string]cobra.CompletionFunc{
		"permission-mode":        words(permission.Modes...),
		"output-format":          words("text", "json", "stream-json"),
		"input-format":           words("text", "stream-json"),
		"permission-prompt-tool": words("stdio", onTerminal),
		"setting-sources":        completeSources,
		"tools":                  words(toolNames()...),
		"allowedTools":           words(toolNames()...),
		"disallowedTools":        words(toolNames()...),
		"resume":                 (&counter{app: a}).completeIDs(nil, withSessions),
	} {
		must(root.RegisterFlagCompletionFunc(name, complete))
	}
	for _, name := range []string{"settings", "mcp-config"} {
		must(root.MarkFlagFilename(name, "json"))
	}
	must(root.MarkFlagDirname("add-dir"))
}

// completeHook completes the flags of a command that reads them itself, and their values.
func completeHook(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	last := ""
	if len(args) > 0 {
		last = args[len(args)-1]
	}
	all := []string{"--agent", "--database", "--deadline", "--help", "--project", "--settings", "--trust-workspace", "--wait"}
	switch last {
	case "--agent":
		all = agentNames()
	case "--project":
		return nil, cobra.ShellCompDirectiveFilterDirs
	case "--settings":
		return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
	case "--database", "--deadline", "--wait":
		all = nil
	}
	var fitting []cobra.Completion
	for _, word := range all {
		if strings.HasPrefix(word, typed) {
			fitting = append(fitting, word)
		}
	}
	return fitting, cobra.ShellCompDirectiveNoFileComp
}
