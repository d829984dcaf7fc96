package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
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
