package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
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

func (d *clerk) newResolve() *cobra.Command {
	var ran, notRun bool
	var note string
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
			return d.with(cmd.Context(), func() error {
				return d.decline(d.resolve(cmd.Context(), args[0], session.Finding{Ran: ran, By: whoami(), Note: note}))
			})
		},
	}
	cmd.Flags().BoolVar(&ran, "ran", false, "the call ran")
	cmd.Flags().BoolVar(&notRun, "not-run", false, "the call did not run")
	cmd.Flags().StringVar(&note, "note", "", "how you know, for the record")
	return cmd
}

func isUnknown(m matter) bool { return m.standing == standingUnknown }

// resolvable: unknown, or resolved before: whoever says the same again is told so.
func resolvable(m matter) bool { return isUnknown(m) || m.finding != nil }

func (d *clerk) resolve(ctx context.Context, id string, f session.Finding) error {
	m, err := d.one(ctx, id, "has an unknown outcome", resolvable)
	if err != nil {
		return err
	}
	f.ToolUseID = m.call.ToolUseID
	if m.waits {
		err = d.resolveSession(ctx, m, f)
	} else {
		err = d.resolveTicket(ctx, m, f)
	}
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	p.line(fmt.Sprintf("%s: %s %s", m.name(), policy.Visible(m.call.Tool), describe(m.call)))
	switch {
	case !m.waits:
		p.line("  it " + didIt(f.Ran) + ", as you say; no session waits for it")
	case f.Ran:
		p.line("  it ran, as you say; go on with: assent -p --resume " + m.call.Session)
	default:
		p.line("  it did not run, as you say, and waits for an answer again: assent approve " + m.name())
	}
	return p.flush(d.out)
}

func didIt(ran bool) string {
	if ran {
		return "ran"
	}
	return "did not run"
}

// resolveSession takes the session, so that nobody runs the call meanwhile, and writes
// the finding to the transcript first: without that the session cannot go on, whatever
// the ticket says. A process that dies in between has left an unknown ticket, and whoever
// says the same again mends it.
func (d *clerk) resolveSession(ctx context.Context, m matter, f session.Finding) error {
	t, err := d.store.Resume(m.call.Session)
	if err != nil {
		return err
	}
	defer t.Close()
	d.mine = m.call.Session
	// It is looked at again, now that nobody else can change it.
	if d.tickets != nil {
		if _, err := d.tickets.Sweep(ctx, d.held); err != nil {
			return err
		}
	}
	seen, err := d.inspect(ctx, target{session: m.call.Session})
	if err != nil {
		return err
	}
	all := seen.matters
	i := slices.IndexFunc(all, func(other matter) bool { return other.waits && other.call.ToolUseID == m.call.ToolUseID })
	if i < 0 {
		return no("the session %s does not wait for that call any more", m.call.Session)
	}
	m = all[i]
	switch {
	case m.finding != nil && m.finding.Ran != f.Ran:
		return no("%s has said already that %s %s", m.finding.By, m.name(), didIt(m.finding.Ran))
	case m.finding == nil && m.standing != standingUnknown:
		return no("nothing is unknown about %s: it is %s", m.name(), m.standing)
	case m.ticket != nil && !f.Ran && (m.ticket.State == approval.Done || m.ticket.State == approval.Failed):
		return no("the ticket %s says that it ran: it is %s (say --ran)", m.ticket.ID, m.ticket.State)
	}
	if m.finding == nil {
		if err := t.Append(session.Found, f); err != nil {
			return err
		}
	}
	return d.resolveTicket(ctx, m, f)
}

// resolveTicket tells the ticket, if there is one that does not know yet.
func (d *clerk) resolveTicket(ctx context.Context, m matter, f session.Finding) error {
	switch {
	case m.ticket == nil:
		return nil
	case m.ticket.State == approval.Unknown:
		t, err := d.tickets.Resolve(ctx, m.ticket.ID, f.Ran, f.By, f.Note)
		if err != nil || m.waits || f.Ran {
			return err
		}
		return d.tickets.Cancel(ctx, t.ID, f.By, "no session waits for it") // nobody could answer it
	case !m.waits:
		return no("nothing is unknown about %s: it is %s", m.name(), m.ticket.State)
	case f.Ran && !m.ticket.State.Over(): // somebody has said the opposite to the ticket only
		var moved *approval.WrongState
		if err := d.tickets.Cancel(ctx, m.ticket.ID, f.By, "it ran: "+f.Note); err != nil && !errors.As(err, &moved) {
			return err
		}
	}
	return nil
}
