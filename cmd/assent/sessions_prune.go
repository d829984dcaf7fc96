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

const sessionsPruneHelp = `Remove sessions that nobody has used for a while, with the tickets of their calls. The record of
decisions stays (assent audit).

  assent sessions prune                      not used for 30 days
  assent sessions prune --older-than 12h     also 90d; 0d means all
  assent sessions prune --dry-run            only say what would be removed
  assent sessions prune --force              also those in which a call waits or is unknown, and damaged ones

A session that a process has open is never removed.`

type pruneFlags struct {
	older         string
	dryRun, force bool
	age           time.Duration
}

func (d *clerk) newPrune() *cobra.Command {
	f := pruneFlags{older: "30d"}
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove old sessions in which nothing waits",
		Long:  sessionsPruneHelp,
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if f.age, err = parseAge(f.older); err != nil {
				return usage(cmd, "--older-than "+err.Error())
			}
			return d.with(cmd.Context(), func() error { return d.prune(cmd.Context(), f) })
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

func (d *clerk) prune(ctx context.Context, f pruneFlags) error {
	if !f.dryRun {
		if err := d.finishRemovals(ctx); err != nil {
			return err
		}
	}
	ids, err := d.store.IDs()
	if err != nil {
		return err
	}
	p := &page{painter: d.painter(d.out)}
	removed, left, freed := 0, 0, int64(0)
	verb := "removed"
	if f.dryRun {
		verb = "would remove"
	}
	for _, id := range slices.Backward(ids) { // the oldest first
		age, err := d.unused(id)
		if err != nil || age < f.age {
			continue // it has gone meanwhile, or is in use
		}
		bytes, err := d.pruneOne(ctx, id, f)
		var keep *keptError
		switch {
		case errors.As(err, &keep):
			left++
			p.line(fmt.Sprintf("kept %s: %s", id, policy.Visible(keep.why)))
		case err != nil:
			return errors.Join(p.flush(d.out), err)
		default:
			removed++
			freed += bytes
			p.line(fmt.Sprintf("%s %s, %s, not used for %s", verb, id, size(bytes), roughly(age)))
		}
	}
	line := fmt.Sprintf("%s %s, %s", verb, plural(removed, "session"), size(freed))
	if left > 0 {
		line += fmt.Sprintf("; kept %d", left)
	}
	p.line(line)
	return p.flush(d.out)
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
	all, _, err := d.ofSession(ctx, id, tickets)
	if err != nil {
		return err
	}
	for _, m := range all {
		switch m.standing {
		case standingUnknown:
			return &keptError{"nobody knows whether a call of it ran (assent sessions resolve " + m.name() + "; --force removes it all the same)"}
		case standingPending:
			return &keptError{"a call waits for an answer (assent sessions show " + m.name() + "; --force removes it all the same)"}
		case standingExpired, standingApproved, standingDenied, standingRan, standingRunning:
			return &keptError{"a call was answered and the session has not gone on (assent -p --resume " + id + "; --force removes it all the same)"}
		case standingOver:
		}
	}
	if _, err := d.store.Standing(id); err != nil {
		return &keptError{"it cannot be read, so nobody knows whether a call waits in it (--force removes it all the same)"}
	}
	return nil
}

// finishRemoval forgets the tickets of a session that is gone, and deletes what is left of
// it. In this order: what a process leaves that dies in between is found by the next one.
func (d *clerk) finishRemoval(ctx context.Context, id string) error {
	if d.tickets != nil {
		if err := d.tickets.Forget(ctx, id); err != nil {
			return err
		}
	}
	return d.store.Discard(id)
}

// finishRemovals ends what an earlier process has begun.
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
	return nil
}
