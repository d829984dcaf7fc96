package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
)

// scope says whether sessions are completed besides calls.
type scope uint8

const (
	withoutSessions scope = iota
	withSessions
)

func everyMatter(matter) bool { return true }

// completeIDs completes the ID of a call that is wanted, and perhaps of a session. What
// cannot be read is no answer: a shell has no place for an error.
func (d *clerk) completeIDs(wanted func(matter) bool, s scope) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		var all []cobra.Completion
		d.lenient = true // and whatever is wrong is not said here
		defer func() { d.lenient = false }()
		_ = d.with(ctx, func() error {
			all = d.completions(ctx, typed, wanted, s)
			return nil
		})
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

func (d *clerk) completions(ctx context.Context, typed string, wanted func(matter) bool, s scope) []cobra.Completion {
	var all []cobra.Completion
	if wanted != nil {
		matters, _, _ := d.matters(ctx)
		for _, m := range matters {
			if wanted(m) && strings.HasPrefix(m.name(), typed) {
				all = append(all, cobra.CompletionWithDesc(m.name(), policy.Visible(m.call.Tool)+" "+clipped(describe(m.call), 60)))
			}
		}
	}
	if s == withoutSessions {
		return all
	}
	most := 100 // the last ones
	for sum, err := range d.store.List() {
		if err != nil || most == 0 {
			break
		}
		if most--; strings.HasPrefix(sum.ID, typed) {
			all = append(all, cobra.CompletionWithDesc(sum.ID, clipped(policy.Visible(sum.Prompt), 60)))
		}
	}
	return all
}
