package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
)

const sessionsResolveHelp = `Say what became of a call whose process died while it ran. Nobody but you can find out: look at what
the call would have changed. assent never runs such a call again by itself, and the session does not go
on before somebody has said it.

  assent sessions list                                 such calls come first
  assent sessions resolve ID --ran                     it ran; the model is told that its result is lost
  assent sessions resolve ID --not-run                 it did not; the call waits for an answer again
  assent sessions resolve ID --ran --note 'v12 is up'  how you know, for the record

Saying the same twice does no harm. Exit status 1: nothing is unknown about the call, somebody has said
the opposite, or a process has the session.`

func (d *counter) newResolve() *cobra.Command {
	var ran, notRun bool
	var note string
	var server remote
	cmd := &cobra.Command{
		Use:               "resolve ID --ran|--not-run",
		Short:             "Say whether a call ran whose process died",
		Long:              sessionsResolveHelp,
		Args:              exactly("the ID of a ticket or session"),
		ValidArgsFunction: d.completeIDs(isUnknown, withoutSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ran == notRun {
				return usage(cmd, "say either --ran or --not-run")
			}
			if err := validUTF8("note", []string{note}); err != nil {
				return err
			}
			if err := server.check(cmd); err != nil {
				return err
			}
			if server.given() {
				c, err := server.open()
				if err != nil {
					return err
				}
				return d.declineRemote(d.resolveAt(cmd.Context(), c, args[0], clerk.Finding{Ran: ran, Note: note}))
			}
			return d.with(cmd.Context(), func() error {
				return d.decline(d.resolve(cmd.Context(), args[0], clerk.Finding{Ran: ran, By: whoami(), Note: note}))
			})
		},
	}
	server.bind(cmd)
	cmd.Flags().BoolVar(&ran, "ran", false, "the call ran")
	cmd.Flags().BoolVar(&notRun, "not-run", false, "the call did not run")
	cmd.Flags().StringVar(&note, "note", "", "how you know, for the record")
	return cmd
}

func isUnknown(m clerk.Matter) bool { return m.Standing == clerk.Unknown }

func (d *counter) resolve(ctx context.Context, id string, f clerk.Finding) error {
	m, err := d.clerk.Resolve(ctx, id, f)
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(fmt.Sprintf("%s: %s %s", m.Name(), policy.Visible(m.Call.Tool), clerk.Describe(m.Call)))
	switch {
	case !m.Waits:
		p.line("  it " + f.String() + ", as you say; no session waits for it")
	case f.Ran:
		p.line("  it ran, as you say; " + d.saysGoesOn(m.Call.Session))
	default:
		p.line("  it did not run, as you say, and waits for an answer again: assent approve " + m.Name())
	}
	return p.flush(d.out)
}
