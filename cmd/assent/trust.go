package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
)

const trustHelp = `Trust a workspace: let its settings grant what they say. A workspace cannot grant itself anything,
so until somebody trusts it only its deny and ask rules hold.

What it would grant is shown first, and what changed if it was trusted before. Trust is bound to
exactly that list: when it changes the workspace has to be trusted again.`

type trustFlags struct{ yes, list, revoke, json bool }

func newTrust(a *app) *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Let the settings of a workspace grant what they say",
		Long:  trustHelp,
		Args:  atMost(1, "trust takes one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list && (f.revoke || f.yes || len(args) > 0) || f.revoke && f.yes {
				return usage(cmd, "--list, --revoke and --yes exclude each other")
			}
			dir := ""
			if len(args) > 0 {
				if dir = args[0]; dir == "" {
					return usage(cmd, "the name of the directory is empty")
				}
			}
			return a.trust(f, dir)
		},
	}
	cmd.Flags().BoolVar(&f.yes, "yes", false, "trust it without asking")
	cmd.Flags().BoolVar(&f.list, "list", false, "list the workspaces that are trusted")
	cmd.Flags().BoolVar(&f.revoke, "revoke", false, "trust it no longer")
	cmd.Flags().BoolVar(&f.json, "json", false, "print it as JSON")
	return cmd
}

func (a *app) trust(f trustFlags, dir string) error {
	flags := policyFlags{sources: strings.Join(sourceNames, ",")}
	switch {
	case f.list, f.revoke && dir != "":
		flags.cwd = "/" // what is on record can be listed from anywhere, and one that is gone can still be forgotten
	case !f.revoke:
		flags.cwd = dir
	}
	o, err := flags.options()
	switch {
	case errors.Is(err, errNoCwd):
		return errors.New("the current directory does not exist any more (change to another one with cd, or name the workspace: assent trust DIR)")
	case err != nil:
		return err
	case f.list:
		return a.listTrusted(o, f.json)
	case f.revoke:
		return a.revokeTrust(o, dir, f.json)
	}
	return a.grantTrust(o, f)
}

// trustReply is what trust answers to programs.
type trustReply struct {
	Workspace string `json:"workspace"`
	Status    string `json:"status"` // trusted, untrusted, changed
	// Was is what it was before --revoke.
	Was     string   `json:"was,omitempty"`
	By      string   `json:"by,omitempty"`
	Grants  []string `json:"grants"`
	Changes []string `json:"changes,omitempty"`
}

func (a *app) grantTrust(o settings.Options, f trustFlags) error {
	grant, err := settings.Grants(o)
	if err != nil {
		return err
	}
	s, err := settings.Load(o)
	if err != nil {
		return err
	}
	state, err := s.TrustOf(o, grant)
	if err != nil {
		return err
	}
	reply := trustReply{
		Workspace: policy.WellFormed(grant.Dir), Status: state.Status.String(), By: policy.WellFormed(state.By),
		Grants: grant.All(), Changes: state.Diff,
	}
	if !f.json {
		if err := a.printGrant(reply); err != nil {
			return err
		}
	}
	if state.Status != settings.Trusted && len(reply.Grants) > 0 {
		if err := a.confirm(f, grant.Dir); err != nil {
			if f.json { // whoever cannot answer is told what the question was
				err = errors.Join(a.printJSON(reply), err)
			}
			return err
		}
		if err := settings.TrustGrant(o, grant); err != nil {
			return err
		}
		reply.Status, reply.By, reply.Changes = settings.Trusted.String(), "assent trust", nil
		if !f.json {
			_, err = fmt.Fprintf(a.out, "trusted %s\n", policy.Visible(grant.Dir))
		}
	}
	if f.json {
		return a.printJSON(reply)
	}
	return err
}

func (a *app) printGrant(r trustReply) error {
	p := &page{painter: a.painter(a.out)}
	switch {
	case len(r.Grants) == 0:
		p.line(policy.Visible(r.Workspace) + " grants nothing, so there is nothing to trust")
	case r.Status == settings.Trusted.String():
		p.line(policy.Visible(r.Workspace) + " is trusted by " + policy.Visible(r.By) + " and grants")
	default:
		p.line(policy.Visible(r.Workspace) + " would grant")
	}
	for _, line := range r.Grants {
		p.line("  " + policy.Visible(line))
	}
	if len(r.Changes) > 0 {
		p.heading("Since it was trusted, this changed")
		for _, line := range r.Changes {
			p.line("  " + p.text(changeStyle(line), policy.Visible(line)))
		}
	}
	return p.flush(a.out)
}

func changeStyle(line string) style {
	if strings.HasPrefix(line, "+") {
		return yellow
	}
	return faint
}

// confirm asks the person at the terminal. Where nobody can answer, --yes must say
// so: trust is never given by accident.
func (a *app) confirm(f trustFlags, dir string) error {
	if f.yes {
		return nil
	}
	if !a.somebodyAnswers() {
		return fmt.Errorf("trust: nobody can answer here (read what %s would grant, then pass --yes)", dir)
	}
	return a.saysYes("Trust it?", "not trusted")
}

func (a *app) listTrusted(o settings.Options, asJSON bool) error {
	all, err := settings.ListTrusted(o)
	if err != nil {
		return err
	}
	if asJSON {
		replies := []trustReply{}
		for _, w := range all {
			replies = append(replies, trustReply{Workspace: policy.WellFormed(w.Dir), Status: settings.Trusted.String(), By: "assent trust", Grants: w.Grants})
		}
		return a.printJSON(replies)
	}
	p := &page{painter: a.painter(a.out)}
	for _, w := range all {
		p.line(policy.Visible(w.Dir))
		for _, line := range w.Grants {
			p.line("  " + policy.Visible(line))
		}
	}
	if len(all) == 0 {
		p.line("no workspace is trusted")
	}
	return p.flush(a.out)
}
