package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/policy"
)

const sessionsPruneHelp = `Remove sessions that nobody has used for a while, or those that are named, with the tickets of their
calls. The record of decisions stays (assent audit).

  assent sessions prune                      not used for 30 days
  assent sessions prune ID…                  these, however old they are
  assent sessions prune --older-than 12h     also 90d; 0d means all
  assent sessions prune --dry-run            only say what would be removed
  assent sessions prune --force              also those in which a call waits or is unknown, and damaged ones,
                                             and tickets whose session is gone
  assent sessions prune --force TICKET       the tickets of a session that is gone

A session that a process has open is never removed. Exit status 1: one that was named was kept.`

type pruneFlags struct {
	older         string
	dryRun, force bool
	age           time.Duration
	// named are the IDs of the only sessions that are meant; none means all.
	named []string
}

func (d *counter) newPrune() *cobra.Command {
	f := pruneFlags{older: "30d"}
	cmd := &cobra.Command{
		Use:               "prune [ID...]",
		Short:             "Remove old sessions in which nothing waits",
		Long:              sessionsPruneHelp,
		ValidArgsFunction: d.completeIDs(nil, withSessions),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.age, err = parseAge(f.older); err != nil {
				return usage(cmd, "--older-than "+err.Error())
			}
			if f.named = args; len(args) > 0 && cmd.Flags().Changed("older-than") {
				return usage(cmd, "--older-than and an ID exclude each other: a session that is named is meant however old it is")
			}
			return d.looking(cmd.Context(), func() error { return d.prune(cmd.Context(), f) })
		},
	}
	cmd.Flags().Var((*something)(&f.older), "older-than", "how long nobody has used them")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "remove nothing, only say what would be")
	cmd.Flags().BoolVar(&f.force, "force", false, "also what waits, is unknown or damaged")
	return cmd
}

// parseAge reads how long: 30d, 12h, 90m.
func parseAge(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < int(maxAge/day) {
			return time.Duration(n) * day, nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%s: want how long, like 30d or 12h", text)
}

const maxAge = time.Duration(1<<63 - 1)

// pruned is what became of sessions that were to be removed.
type pruned struct {
	*page
	verb          string
	removed, left int
	freed         int64
	copies        int // of those that were removed
}

func (d *counter) prune(ctx context.Context, f pruneFlags) error {
	ids, err := d.meant(ctx, f)
	if err != nil {
		return err
	}
	if !f.dryRun {
		if err := d.clerk.FinishRemovals(ctx); err != nil {
			return err
		}
	}
	p := &pruned{page: &page{painter: d.painter(d.out)}, verb: "removed"}
	if f.dryRun {
		p.verb = "would remove"
	}
	for _, id := range ids {
		if d.clerk.Sessions().Gone(id) && len(f.named) > 0 {
			continue // only its tickets are left
		}
		age, err := d.clerk.Unused(id)
		switch {
		case len(f.named) > 0 && err != nil:
			return errors.Join(p.flush(d.out), err)
		case len(f.named) == 0 && (err != nil || age < f.age):
			continue // it has gone meanwhile, or is in use
		}
		what := ""
		if d.clerk.Sessions().IsCopy(id) {
			what = "the copy of "
		}
		bytes, err := d.pruneOne(ctx, id, f)
		var keep *clerk.Kept
		switch {
		case errors.As(err, &keep):
			p.left++
			p.line(fmt.Sprintf("kept %s: %s", id, policy.Visible(d.whyKept(keep))))
		case err != nil:
			return errors.Join(p.flush(d.out), err)
		default:
			p.removed++
			p.freed += bytes
			if what != "" {
				p.copies++
			}
			p.line(fmt.Sprintf("%s %s%s, %s, not used for %s", p.verb, what, id, size(bytes), roughly(age)))
		}
	}
	if err := d.forgetGone(ctx, p, ids, f); err != nil {
		return errors.Join(p.flush(d.out), err)
	}
	line := fmt.Sprintf("%s %s, %s", p.verb, plural(p.removed, "session"), size(p.freed))
	if p.left > 0 {
		line += fmt.Sprintf("; kept %d", p.left)
	}
	p.line(line)
	if p.copies > 0 {
		p.line(aboutRemoved(p.copies))
	}
	if err := p.flush(d.out); err != nil || len(f.named) == 0 || p.left == 0 {
		return err
	}
	return errNo // the lines say why
}

// aboutRemoved says what copies are that were removed, and what they are not.
func aboutRemoved(copies int) string {
	text := fmt.Sprintf("  %d of them are copies: their sessions lie in a database, and stay there", copies)
	if copies == 1 {
		text = "  1 of them is a copy: its session lies in a database, and stays there"
	}
	return text + " (name the database with --database or " + databaseVariable + " to remove sessions)"
}

// forgetGone forgets tickets whose session is gone: those of the ids that are named, or all
// that are old enough.
func (d *counter) forgetGone(ctx context.Context, p *pruned, ids []string, f pruneFlags) error {
	if !f.force {
		return nil
	}
	all, err := d.clerk.GoneSessions(ctx)
	if err != nil {
		return err
	}
	verb := "forgot"
	if f.dryRun {
		verb = "would forget"
	}
	for _, g := range all {
		if len(f.named) > 0 && !slices.Contains(ids, g.Session) || len(f.named) == 0 && time.Since(g.Last) < f.age {
			continue
		}
		if !f.dryRun {
			if err := d.clerk.Forget(ctx, g.Session); err != nil {
				return err
			}
		}
		p.line(fmt.Sprintf("%s %s of session %s, which is gone", verb, plural(g.Tickets, "ticket"), policy.Visible(g.Session)))
	}
	return nil
}

// meant are the sessions that may be removed, the oldest first, and then those of which only a copy
// is here; those that are named are all found before anything happens to one of them.
func (d *counter) meant(ctx context.Context, f pruneFlags) ([]string, error) {
	if len(f.named) == 0 {
		ids, err := d.clerk.Sessions().IDs()
		if err != nil {
			return nil, err
		}
		copies, err := d.clerk.Sessions().Copies()
		slices.Reverse(ids)
		slices.Reverse(copies)
		return append(ids, copies...), err
	}
	var ids []string
	for _, name := range f.named {
		t, err := d.clerk.FindToRemove(ctx, name)
		switch {
		case err != nil:
			return nil, err
		case t.Ticket != nil && t.Ticket.Asker == "" && d.clerk.Sessions().Gone(t.Session):
			if !f.force {
				return nil, fmt.Errorf("%s is the ticket of a call whose session %s is gone (--force forgets it)", t.Ticket.ID, t.Session)
			}
			ids = append(ids, t.Session)
		case t.Ticket != nil:
			return nil, fmt.Errorf("%s is the ticket of a call, and sessions are removed (its session is %s)", t.Ticket.ID, t.Session)
		case !slices.Contains(ids, t.Session):
			ids = append(ids, t.Session)
		}
	}
	return ids, nil
}

// pruneOne removes a session, or says why not.
func (d *counter) pruneOne(ctx context.Context, id string, f pruneFlags) (int64, error) {
	how := clerk.Careful
	if f.force {
		how = clerk.Forced
	}
	if f.dryRun {
		return d.clerk.WouldRemove(ctx, id, how)
	}
	return d.clerk.Remove(ctx, id, how)
}

// whyKept says it with the command that helps.
func (d *counter) whyKept(k *clerk.Kept) string {
	help := ""
	switch k.Way {
	case clerk.FindOut:
		help = "assent sessions resolve " + k.ID + "; "
	case clerk.SeeCall:
		help = "assent sessions show " + k.ID + "; "
	case clerk.GoOn:
		help = d.goesOn(k.ID) + "; "
	case clerk.NoWay:
		return k.Why
	default:
	}
	return k.Why + " (" + help + "--force removes it all the same)"
}
