package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// counter is where people at a terminal meet the clerk: flags in, words out.
type counter struct {
	*app
	joining
	state string // --state
	dir   string
	clerk *clerk.Clerk // while a command is at work
}

// serve does something while the clerk is there.
func (d *counter) serve(ctx context.Context, open func(context.Context, string) (*clerk.Clerk, error), do func() error) (err error) {
	if d.dir, err = stateDirectory(d.state); err != nil {
		return err
	}
	if d.shared() {
		s, err := d.join(ctx, d.dir)
		if err != nil {
			return err
		}
		defer s.close()
		defer context.AfterFunc(ctx, func() { s.depot.Hurry(0) })() // nobody waits any more
		s.warnBy(d.warn)
		open = func(ctx context.Context, dir string) (*clerk.Clerk, error) {
			return clerk.Among(ctx, dir, s.sessions, s.tickets)
		}
	}
	if d.clerk, err = open(ctx, d.dir); err != nil {
		return err
	}
	d.clerk.Checker, d.clerk.Still = d.rulesIn, d.stillCounts
	defer func() {
		d.clerk.Close()
		d.clerk = nil
	}()
	return d.inFlags(do())
}

// with does something for which the tickets are needed.
func (d *counter) with(ctx context.Context, do func() error) error {
	var tickets *approval.Store
	defer func() {
		if tickets != nil {
			_ = tickets.Close() // what was changed is on the disk already
		}
	}()
	return d.serve(ctx, func(ctx context.Context, dir string) (_ *clerk.Clerk, err error) {
		if !approval.Exists(dir) { // nor does anybody hear bells there
			return clerk.Open(ctx, dir)
		}
		if tickets, err = openTickets(dir); err != nil {
			return nil, err
		}
		return clerk.Among(ctx, dir, session.NewStore(filepath.Join(dir, "sessions")), tickets)
	}, do)
}

// looking does something for which the sessions alone are enough, whatever is wrong with
// the tickets: that is said, and what there is is shown.
func (d *counter) looking(ctx context.Context, do func() error) error {
	return d.serve(ctx, clerk.Look, func() error {
		err := do()
		for _, warning := range d.clerk.Warnings() {
			d.warn(d.inFlags(warning).Error())
		}
		return err
	})
}

// rulesIn is the policy of a directory, as the commands of this program would have it
// there.
func (d *counter) rulesIn(cwd string) (*policy.Checker, error) {
	checker, err := d.checker(&policyFlags{cwd: cwd, sources: strings.Join(sourceNames, ",")})
	if err == nil && d.state != "" {
		checker.Settings.StateDir = d.dir
	}
	return checker, err
}
