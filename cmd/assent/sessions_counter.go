package main

import (
	"context"
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
)

// counter is where people at a terminal meet the clerk: flags in, words out.
type counter struct {
	*app
	given string // --state
	dir   string
	clerk *clerk.Clerk // while a command is at work
}

// serve does something while the clerk is there.
func (d *counter) serve(ctx context.Context, open func(context.Context, string) (*clerk.Clerk, error), do func() error) (err error) {
	if d.dir, err = stateDirectory(d.given); err != nil {
		return err
	}
	if d.clerk, err = open(ctx, d.dir); err != nil {
		return err
	}
	d.clerk.Checker = d.rulesIn
	defer func() {
		d.clerk.Close()
		d.clerk = nil
	}()
	return inFlags(do())
}

// with does something for which the tickets are needed.
func (d *counter) with(ctx context.Context, do func() error) error {
	return d.serve(ctx, clerk.Open, do)
}

// looking does something for which the sessions alone are enough, whatever is wrong with
// the tickets: that is said, and what there is is shown.
func (d *counter) looking(ctx context.Context, do func() error) error {
	return d.serve(ctx, clerk.Look, func() error {
		err := do()
		for _, warning := range d.clerk.Warnings() {
			d.warn(inFlags(warning).Error())
		}
		return err
	})
}

// rulesIn is the policy of a directory, as the commands of this program would have it
// there.
func (d *counter) rulesIn(cwd string) (*policy.Checker, error) {
	checker, err := d.checker(&policyFlags{cwd: cwd, sources: strings.Join(sourceNames, ",")})
	if err == nil && d.given != "" {
		checker.Settings.StateDir = d.dir
	}
	return checker, err
}
