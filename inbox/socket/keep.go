// Package socket is where the guards of other agents wait for people: it holds their calls
// as tickets, waits for the answers, and hands each one over once.
//
// A [Keeper] does that, for a [Server] on a socket in the state directory or for a single
// process. Neither can answer: the tickets they are given have no way to.
package socket

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket/line"
	"github.com/assent-dev/assent/permission"
)

// Tickets is as much of the tickets as guards get. Nobody can answer with it.
type Tickets interface {
	Hold(ctx context.Context, asker string, p approval.Parking) (approval.Ticket, error)
	Find(ctx context.Context, id string) (approval.Ticket, error)
	Hand(ctx context.Context, id, to string) (approval.Ticket, error)
}

// Keeper holds calls. It is safe for concurrent use.
type Keeper struct {
	tickets Tickets
	// grace is until when an answer may still be taken back; nil means that none may.
	grace func(ticket string) time.Time

	mu      sync.Mutex
	waiters map[string]map[chan struct{}]struct{}
}

// NewKeeper makes a keeper over tickets. It must be told of every change of one; see
// [Keeper.Tell]. grace is until when nobody should act on the answer to a ticket; nil means
// that one may at once.
func NewKeeper(tickets Tickets, grace func(ticket string) time.Time) *Keeper {
	return &Keeper{tickets: tickets, grace: grace, waiters: map[string]map[chan struct{}]struct{}{}}
}

// Tell wakes those who wait for tickets that have changed.
func (k *Keeper) Tell(changes []approval.Change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range changes {
		for wake := range k.waiters[c.Ticket] {
			select {
			case wake <- struct{}{}:
			default: // it is awake already
			}
		}
	}
}

func (k *Keeper) join(ticket string) (wake chan struct{}, leave func()) {
	wake = make(chan struct{}, 1)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.waiters[ticket] == nil {
		k.waiters[ticket] = map[chan struct{}]struct{}{}
	}
	k.waiters[ticket][wake] = struct{}{}
	return wake, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if delete(k.waiters[ticket], wake); len(k.waiters[ticket]) == 0 {
			delete(k.waiters, ticket)
		}
	}
}

// Keep holds a call until people have answered, the time of its asker is over, or the
// context ends. What goes wrong is an error in the reply, which lets nothing run.
func (k *Keeper) Keep(ctx context.Context, h line.Hold) line.Reply {
	until, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Duration(h.WaitMS)*time.Millisecond)
	defer stop()
	for {
		reply, err := k.keepOnce(ctx, until, h)
		if _, moved := errors.AsType[*approval.WrongState](err); moved && ctx.Err() == nil {
			continue // the same call was made twice at once, and the other one got the answer
		}
		if err != nil {
			return line.Reply{Error: err.Error()}
		}
		return reply
	}
}

func (k *Keeper) keepOnce(ctx, until context.Context, h line.Hold) (line.Reply, error) {
	call := approval.Call{Session: h.Session, Tool: h.Tool, Input: h.Input, Cwd: h.Cwd}
	risk, err := permission.ParseRisk(h.Risk)
	if err != nil {
		return line.Reply{}, err
	}
	t, err := k.tickets.Hold(ctx, h.Asker, approval.Parking{
		Call: call, Policy: h.Policy, Why: h.Why, By: "the guard of " + h.Asker, Risk: risk, Kin: h.Kin,
		Lasts: time.Duration(h.LastsMS) * time.Millisecond, Outcome: permission.Deny,
	})
	if err != nil {
		return line.Reply{}, err
	}
	pending := line.Reply{Ticket: t.ID, State: line.Pending}
	wake, leave := k.join(t.ID)
	defer leave()
	for {
		// It is read after this has joined those who wait, so that no answer is missed.
		t, err = k.tickets.Find(ctx, pending.Ticket)
		switch {
		case err != nil && ctx.Err() != nil: // whoever waits has gone, or the server goes
			return pending, nil
		case err != nil:
			return line.Reply{}, err
		}
		if err := t.Matches(call); err != nil { // it never is another one; if it were, its yes would not count
			return line.Reply{}, err
		}
		ready, after := k.ready(t)
		if ready && ctx.Err() == nil {
			return k.hand(ctx, t, h.Asker)
		}
		if !await(ctx, until, wake, after) {
			return pending, nil
		}
	}
}

// ready: the answer can be handed over now, or after so much time.
func (k *Keeper) ready(t approval.Ticket) (now bool, after time.Duration) {
	if t.State == approval.Pending {
		return false, 0
	}
	if k.grace != nil {
		after = time.Until(k.grace(t.ID))
	}
	return after <= 0, after
}

// await waits for something to look at; false means that there is no more time.
func await(ctx, until context.Context, wake <-chan struct{}, after time.Duration) bool {
	var later <-chan time.Time
	if after > 0 {
		timer := time.NewTimer(after)
		defer timer.Stop()
		later = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-until.Done():
		return false
	case <-wake:
	case <-later:
	}
	return true
}

// hand hands an answer over. From then on it is used, whether or not it arrives.
func (k *Keeper) hand(ctx context.Context, t approval.Ticket, asker string) (line.Reply, error) {
	t, err := k.tickets.Hand(ctx, t.ID, "the guard of "+asker)
	if err != nil {
		return line.Reply{}, err
	}
	reply := line.Reply{Ticket: t.ID, State: line.Denied}
	switch a := t.Answer; {
	case a == nil:
		reply.By, reply.Reason = "assent", "nobody has answered in time"
	case a.Behavior == permission.Allow && t.State == approval.Done:
		if _, err := t.Approval(); err != nil {
			return line.Reply{}, err
		}
		reply.State, reply.By, reply.Reason, reply.Input = line.Allowed, a.By, a.Message, a.Input
	case a.Behavior == permission.Allow:
		reply.By, reply.Reason = "assent", "the yes of "+a.By+" was not fetched in time: make the call again, and somebody is asked again"
	default:
		reply.By, reply.Reason = a.By, a.Message
	}
	return reply, nil
}

// Direct holds a call in tickets that nobody serves here: it looks for the answer itself.
func Direct(ctx context.Context, tickets *approval.Store, h line.Hold) line.Reply {
	latest, err := tickets.Latest(ctx)
	if err != nil {
		return line.Reply{Error: err.Error()}
	}
	k := NewKeeper(tickets, nil)
	following, stop := context.WithCancelCause(ctx)
	var done sync.WaitGroup
	done.Go(func() { stop(tickets.Follow(following, latest, nil, k.Tell)) })
	defer done.Wait()
	defer stop(nil)
	reply := k.Keep(following, h)
	if cause := context.Cause(following); cause != nil && ctx.Err() == nil && reply.State != line.Allowed && reply.State != line.Denied {
		return line.Reply{Error: cause.Error()}
	}
	return reply
}
