package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
)

// scope says whether sessions are completed besides calls.
type scope uint8

const (
	withoutSessions scope = iota
	withSessions
)

func everyMatter(clerk.Matter) bool { return true }

// completeIDs completes the ID of a call that is wanted, and perhaps of a session. What
// cannot be read is no answer: a shell has no place for an error.
func (d *counter) completeIDs(wanted func(clerk.Matter) bool, s scope) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		var all []cobra.Completion
		_ = d.serve(ctx, clerk.Look, func() error { // and whatever is wrong is not said here
			all = d.completions(ctx, typed, wanted, s)
			return nil
		})
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

func (d *counter) completions(ctx context.Context, typed string, wanted func(clerk.Matter) bool, s scope) []cobra.Completion {
	var all []cobra.Completion
	if wanted != nil {
		matters, _, _ := d.clerk.Matters(ctx)
		for _, m := range matters {
			if wanted(m) && strings.HasPrefix(m.Name(), typed) {
				all = append(all, cobra.CompletionWithDesc(m.Name(), policy.Visible(m.Call.Tool)+" "+clerk.Clipped(clerk.Describe(m.Call), 60)))
			}
		}
	}
	if s == withoutSessions {
		return all
	}
	most := 100 // the last ones
	for sum, err := range d.clerk.Sessions().List() {
		if err != nil || most == 0 {
			break
		}
		if most--; strings.HasPrefix(sum.ID, typed) {
			all = append(all, cobra.CompletionWithDesc(sum.ID, clerk.Clipped(policy.Visible(sum.Prompt), 60)))
		}
	}
	return all
}
