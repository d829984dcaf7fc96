package crew

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/session"
)

// records are what the tickets and the transcripts say.
type records struct {
	Config
	// round is how far the sessions were looked through.
	round *clerk.Round
}

// resume lets a session go on, unless people use other tickets by now, and as long as no other
// machine has taken it over. The error is a [*session.Taken] when one has.
func (r records) resume(ctx context.Context, id string) error {
	if r.Tickets.Moved() {
		return approval.ErrMoved
	}
	ctx, stop := r.Sessions.Keeping(ctx, id)
	defer stop()
	err := r.Resume(ctx, id)
	if taken, lost := errors.AsType[*session.Taken](context.Cause(ctx)); err != nil && lost {
		return taken // whatever could not be done because of that
	}
	return err
}

// dutyKind is what there is to do in a session.
type dutyKind uint8

const (
	noDuty   dutyKind = iota // nothing, as far as its tickets say
	toGoOn                   // somebody has answered, or the time is over
	toBeTold                 // nobody knows whether a call ran; a person has to say so first
)

// duty is what the tickets say about a session.
type duty struct {
	kind dutyKind
	// print stands for all that they say; other words have another one.
	print string
	// from is when one may act on it; zero means at once.
	from time.Time
	// running: somebody runs a call of it, or did when he was last heard of. Only who asks about one
	// session that machines share is told.
	running bool
}

// wordsOf are the changes after which a session may go on.
func wordsOf(list []approval.Change) []word {
	var all []word
	for _, c := range list {
		switch {
		case c.Kind == approval.KindSent: // what was said holds now
			all = append(all, word{c.Ticket, spoken})
		case !c.Moves(): // somebody has written something about it
		case c.To == approval.Approved || c.To == approval.Denied || c.To == approval.Expired:
			all = append(all, word{c.Ticket, spoken})
		case c.From == approval.Unknown && c.To == approval.Pending: // nothing is unknown any more
			all = append(all, word{c.Ticket, spoken})
		case c.From == approval.Unknown && c.Who == "assent": // whoever ran it was not dead, and goes on by itself
			all = append(all, word{c.Ticket, spoken})
		case c.From == approval.Unknown:
			all = append(all, word{c.Ticket, certain})
		}
	}
	return all
}

// sessionOf is the session of a ticket; empty for a call that a guard holds, whose agent
// goes on by itself.
func (r records) sessionOf(ctx context.Context, id string) (string, time.Time, error) {
	t, err := r.Tickets.Find(ctx, id)
	if damaged, bad := errors.AsType[*approval.Damaged](err); bad {
		t, err = damaged.Ticket, nil
	}
	if _, gone := errors.AsType[*approval.NoTicket](err); gone || err == nil && t.Asker != "" {
		return "", time.Time{}, nil
	}
	return t.Session, t.UnsettledUntil(r.Now()), err
}

// answered are the states of tickets after which a session has something to do, or must
// not go on.
var answered = []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Unknown}

func (r records) dutyOf(ctx context.Context, id string) (duty, error) {
	all, err := r.dutiesOf(ctx, id)
	return all[id], err
}

// duties are those of all sessions. Calls are marked first whose process has died.
func (r records) duties(ctx context.Context) (map[string]duty, error) {
	if err := r.mark(ctx); err != nil {
		return nil, err
	}
	return r.dutiesOf(ctx, "")
}

// mark marks the calls whose process has died while they ran. Where that was on another machine nobody
// else would say so.
func (r records) mark(ctx context.Context) error {
	lost, err := r.Tickets.Sweep(ctx, r.Sessions.Held)
	if err != nil {
		return err
	}
	if r.Sessions.Depot != nil { // a person takes such a session before a crew does, and gives it back
		for _, t := range lost {
			r.Interrupted(t.Session)
			r.Warn("nobody knows whether a call ran", t.Session, fmt.Errorf("%s is not heard of any more, and has not said how the call of ticket %s did (find out whether it ran, and say `assent sessions resolve %s --ran` or `--not-run`)", t.Holder, t.ID, t.ID))
		}
	}
	return nil
}

// dutiesOf are those of one session, or of all when it is empty.
func (r records) dutiesOf(ctx context.Context, id string) (map[string]duty, error) {
	states := answered
	if id != "" && r.Sessions.Depot != nil {
		states = append(slices.Clip(states), approval.Running)
	}
	tickets, err := r.Tickets.Standings(ctx, id, states...)
	if err != nil {
		return nil, err
	}
	all, prints := map[string]duty{}, map[string]hash.Hash{}
	for _, t := range tickets {
		if t.Asker != "" {
			continue
		}
		d, print := all[t.Session], prints[t.Session]
		if t.State == approval.Running { // nobody has to do anything after it
			d.running = true
			all[t.Session] = d
			continue
		}
		if print == nil {
			print = sha256.New()
			prints[t.Session] = print
		}
		_, _ = io.WriteString(print, t.ID+" "+string(t.State)+" "+t.Print+"\n") // which never fails
		switch {
		case t.State == approval.Unknown:
			d.kind = toBeTold
		case d.kind == noDuty:
			d.kind = toGoOn
		}
		if t.Settles.After(d.from) {
			d.from = t.Settles
		}
		all[t.Session] = d
	}
	for id, print := range prints {
		d := all[id]
		d.print = string(print.Sum(nil))
		all[id] = d
	}
	return all, nil
}

// stock makes tickets of the calls that wait and have none, so that people see them, and
// finds the sessions that can go on although no ticket says so: a person has found out what
// became of a call.
func (r records) stock(ctx context.Context) ([]string, error) {
	var ids []string
	err := r.Ask(ctx, func(c *clerk.Clerk) (err error) {
		ids, err = c.Recheck(ctx, r.round)
		return err
	})
	return ids, err
}
