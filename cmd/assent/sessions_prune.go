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

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

const sessionsPruneHelp = `Remove sessions that nobody has used for a while, or those that are named, with the tickets of their
calls. The record of decisions stays (assent audit).

  assent sessions prune                      not used for 30 days
  assent sessions prune ID…                  these, however old they are
  assent sessions prune --older-than 12h     also 90d; 0d means all
  assent sessions prune --dry-run            only say what would be removed
  assent sessions prune --force              also those in which a call waits or is unknown, and damaged ones

A session that a process has open is never removed. Exit status 1: one that was named was kept.`

type pruneFlags struct {
	older         string
	dryRun, force bool
	age           time.Duration
	// named are the IDs of the only sessions that are meant; none means all.
	named []string
}

func (d *clerk) newPrune() *cobra.Command {
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

// kept is why a session was not removed.
type keptError struct{ why string }

func (e *keptError) Error() string { return e.why }

// pruned is what became of sessions that were to be removed.
type pruned struct {
	*page
	verb          string
	removed, left int
	freed         int64
}

func (d *clerk) prune(ctx context.Context, f pruneFlags) error {
	ids, err := d.meant(ctx, f)
	if err != nil {
		return err
	}
	if !f.dryRun {
		if err := d.finishRemovals(ctx); err != nil {
			return err
		}
	}
	p := &pruned{page: &page{painter: d.painter(d.out)}, verb: "removed"}
	if f.dryRun {
		p.verb = "would remove"
	}
	for _, id := range ids {
		age, err := d.unused(id)
		switch {
		case len(f.named) > 0 && err != nil:
			return errors.Join(p.flush(d.out), err)
		case len(f.named) == 0 && (err != nil || age < f.age):
			continue // it has gone meanwhile, or is in use
		}
		bytes, err := d.pruneOne(ctx, id, f)
		var keep *keptError
		switch {
		case errors.As(err, &keep):
			p.left++
			p.line(fmt.Sprintf("kept %s: %s", id, policy.Visible(keep.why)))
		case err != nil:
			return errors.Join(p.flush(d.out), err)
		default:
			p.removed++
			p.freed += bytes
			p.line(fmt.Sprintf("%s %s, %s, not used for %s", p.verb, id, size(bytes), roughly(age)))
		}
	}
	line := fmt.Sprintf("%s %s, %s", p.verb, plural(p.removed, "session"), size(p.freed))
	if p.left > 0 {
		line += fmt.Sprintf("; kept %d", p.left)
	}
	p.line(line)
	if err := p.flush(d.out); err != nil || len(f.named) == 0 || p.left == 0 {
		return err
	}
	return errNo // the lines say why
}

// meant are the sessions that may be removed, the oldest first; those that are named are
// all found before anything happens to one of them.
func (d *clerk) meant(ctx context.Context, f pruneFlags) ([]string, error) {
	if len(f.named) == 0 {
		ids, err := d.store.IDs()
		slices.Reverse(ids)
		return ids, err
	}
	var ids []string
	for _, name := range f.named {
		t, err := d.find(ctx, name)
		switch {
		case err != nil:
			return nil, err
		case t.ticket != nil:
			return nil, fmt.Errorf("%s is the ticket of a call, and sessions are removed (its session is %s)", t.ticket.ID, t.session)
		case !slices.Contains(ids, t.session):
			ids = append(ids, t.session)
		}
	}
	return ids, nil
}

// unused is how long ago a session was used: its last record, or when the file came here.
func (d *clerk) unused(id string) (time.Duration, error) {
	written, err := d.store.Written(id)
	return time.Since(written), err
}

// pruneOne removes a session, or says why not.
func (d *clerk) pruneOne(ctx context.Context, id string, f pruneFlags) (int64, error) {
	if f.dryRun {
		if d.store.Held(id) {
			return 0, &keptError{"a process has it open"}
		}
		return d.store.Size(id), d.mayRemove(ctx, id, f)
	}
	bytes, err := d.store.Remove(id, func() error {
		d.mine = id
		defer func() { d.mine = "" }()
		return d.mayRemove(ctx, id, f)
	})
	var inUse *session.InUse
	if errors.As(err, &inUse) {
		return 0, &keptError{"a process has it open"}
	}
	if err != nil {
		return 0, err
	}
	return bytes, d.finishRemoval(ctx, id)
}

// mayRemove keeps what somebody may still want, unless --force says that nobody does.
func (d *clerk) mayRemove(ctx context.Context, id string, f pruneFlags) error {
	if f.force {
		return nil
	}
	tickets, err := d.list(ctx, approval.Query{Session: id, States: live})
	if err != nil {
		return err
	}
	seen, err := d.ofSession(ctx, id, tickets)
	if err != nil {
		return err
	}
	for _, m := range seen.matters {
		switch m.standing {
		case standingUnknown:
			return &keptError{"nobody knows whether a call of it ran (assent sessions resolve " + m.name() + "; --force removes it all the same)"}
		case standingPending:
			return &keptError{"a call waits for an answer (assent sessions show " + m.name() + "; --force removes it all the same)"}
		case standingExpired:
			return &keptError{"the time to answer a call is over and the session has not gone on (assent -p --resume " + id + "; --force removes it all the same)"}
		case standingApproved, standingDenied, standingRan, standingRunning:
			return &keptError{"a call was answered and the session has not gone on (assent -p --resume " + id + "; --force removes it all the same)"}
		case standingOver:
		}
	}
	if seen.problem != nil {
		return &keptError{"it cannot be read, so nobody knows whether a call waits in it (--force removes it all the same)"}
	}
	return nil
}

// finishRemoval deletes what is left of a session that is gone, and forgets its tickets. Its
// name goes last: what a process leaves that dies in between, or cannot write the tickets
// because the disk is full, is found by the next one.
func (d *clerk) finishRemoval(ctx context.Context, id string) error {
	if err := d.store.Empty(id); err != nil {
		return err
	}
	if d.tickets != nil {
		if err := d.lose(d.tickets.Forget(ctx, id)); err != nil {
			return err
		}
	}
	if d.trouble != nil {
		return nil
	}
	return d.store.Discard(id)
}

// neverBegan is how old a directory is in which nobody will make a session any more.
const neverBegan = time.Hour

// finishRemovals ends what an earlier process has begun, and removes what one has left
// that died before its session had a first record.
func (d *clerk) finishRemovals(ctx context.Context) error {
	ids, err := d.store.IDs()
	if err != nil {
		return err
	}
	for _, id := range d.store.Discarded() {
		if slices.Contains(ids, id) { // it was imported again meanwhile: only the rest goes
			err = d.store.Discard(id)
		} else {
			err = d.finishRemoval(ctx, id)
		}
		if err != nil {
			return err
		}
	}
	for _, id := range d.store.Unbegun(neverBegan) {
		_ = d.store.RemoveUnbegun(id) // somebody may be at it; it takes no room
	}
	return nil
}
