// Package socket is where the guards of other agents wait for people: it holds their calls
// as tickets, waits for the answers, and hands each one over once.
//
// A [Keeper] does that, for a [Server] on a socket in the state directory or for a single
// process. Neither can answer: the tickets they are given have no way to.
package socket

import (
	"context"
	"errors"
	"strings"
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
	// judge is what is found here about a call; nil means that nobody looks.
	judge func(approval.Call) (Opinion, bool)

	// requester is on whose behalf guards ask; empty when nobody knows.
	requester string

	// moved is told when somebody has stopped to wait, or waits again; nil means that nobody
	// wants to know.
	moved func(session string)

	mu      sync.Mutex
	waiters map[string]map[chan struct{}]struct{}
	// left are tickets for which somebody has waited here who does not any more.
	left map[string]struct{}
}

// NewKeeper makes a keeper over tickets. It must be told of every change of one; see
// [Keeper.Tell].
func NewKeeper(tickets Tickets) *Keeper {
	return &Keeper{tickets: tickets, waiters: map[string]map[chan struct{}]struct{}{}, left: map[string]struct{}{}}
}

// Opinion is what a server finds about a call itself: what a guard says about it may come
// from any process of the user.
type Opinion struct {
	Why  string // empty when nothing here asks for a person
	Kin  string
	Risk permission.Risk
}

// Judging lets a keeper look at calls itself. The judge is not sure about calls that it does
// not know. It must be called before the keeper is used.
func (k *Keeper) Judging(judge func(approval.Call) (found Opinion, sure bool)) *Keeper {
	k.judge = judge
	return k
}

// AskedBy says on whose behalf guards ask, as "user@host". What holds calls knows it by itself: a
// server takes only guards of its own user, and a process that holds one call is started by its
// guard. It must be called before the keeper is used.
func (k *Keeper) AskedBy(requester string) *Keeper {
	k.requester = requester
	return k
}

const (
	// longest is how long a held call can be answered, whatever its guard says.
	longest = 30 * 24 * time.Hour
	// maxWhy is how many bytes of a reason are kept.
	maxWhy = 4 << 10
)

// parking is a call as its ticket has it.
func (k *Keeper) parking(h line.Hold, call approval.Call) (approval.Parking, error) {
	risk, err := permission.ParseRisk(h.Risk)
	if err != nil {
		return approval.Parking{}, err
	}
	p := approval.Parking{
		Call: call, Policy: h.Policy, Why: clipped(h.Why), By: "the guard of " + h.Asker, Risk: risk, Kin: clipped(h.Kin), Places: h.Places, Edits: approval.Edits(h.Edits),
		Lasts: time.Duration(h.LastsMS) * time.Millisecond, Outcome: permission.Deny,
		Requester: k.requester, Terms: h.Terms,
	}
	if p.Lasts == 0 || p.Lasts > longest {
		p.Lasts = longest
	}
	if k.judge == nil {
		return p, nil
	}
	found, sure := k.judge(call)
	p.Kin = clipped(call.Tool) // any process can write a line, and calls of one sort are approved together
	if sure {
		p.Kin, p.Risk = found.Kin, max(p.Risk, found.Risk)
	}
	if p.Why = "its guard says: " + p.Why; sure && found.Why != "" {
		p.Why = found.Why
	}
	return p, nil
}

// clipped is a text that is not too long to be shown.
func clipped(text string) string {
	if len(text) <= maxWhy {
		return text
	}
	return strings.ToValidUTF8(text[:maxWhy], "") + "…"
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
	delete(k.left, ticket)
	if k.waiters[ticket] == nil {
		k.waiters[ticket] = map[chan struct{}]struct{}{}
	}
	k.waiters[ticket][wake] = struct{}{}
	return wake, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if delete(k.waiters[ticket], wake); len(k.waiters[ticket]) == 0 {
			delete(k.waiters, ticket)
			k.noteLeft(ticket)
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
		_, moved := errors.AsType[*approval.WrongState](err)
		_, anew := errors.AsType[*approval.Unsettled](err)
		_, again := errors.AsType[*approval.WaitsAgain](err)
		if (moved || anew || again) && ctx.Err() == nil {
			continue // the same call was made twice at once and the other one got the answer, or another answer was given or is needed
		}
		if err != nil {
			return line.Reply{Error: err.Error()}
		}
		return reply
	}
}

func (k *Keeper) keepOnce(ctx, until context.Context, h line.Hold) (line.Reply, error) {
	call := approval.Call{Session: h.Session, Tool: h.Tool, Input: h.Input, Cwd: h.Cwd}
	parking, err := k.parking(h, call)
	if err != nil {
		return line.Reply{}, err
	}
	if deadline, ends := until.Deadline(); ends {
		parking.Waits = time.Until(deadline)
	}
	t, err := k.tickets.Hold(ctx, h.Asker, parking)
	if err != nil {
		return line.Reply{}, err
	}
	pending := line.Reply{Ticket: t.ID, State: line.Pending}
	again := k.Patience(t.ID) == GivenUp
	wake, leave := k.join(t.ID)
	defer func() {
		leave()
		k.tellMoved(h.Session)
	}()
	if again {
		k.tellMoved(h.Session)
	}
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
		now, after := ready(t)
		if now && ctx.Err() == nil {
			return k.hand(ctx, t, h)
		}
		if !await(ctx, until, wake, after) {
			return pending, nil
		}
	}
}

// ready: the answer can be handed over now, or after so much time, when it cannot be taken
// back any more.
func ready(t approval.Ticket) (now bool, after time.Duration) {
	if t.State == approval.Pending {
		return false, 0
	}
	if until := t.UnsettledUntil(time.Now()); !until.IsZero() {
		return false, max(time.Until(until), time.Millisecond)
	}
	return true, 0
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
func (k *Keeper) hand(ctx context.Context, t approval.Ticket, h line.Hold) (line.Reply, error) {
	t, err := k.tickets.Hand(ctx, t.ID, recipient(h))
	if err != nil {
		return line.Reply{}, err
	}
	return replyOf(t)
}

// Direct holds a call in tickets that nobody serves here: it looks for the answer itself.
// requester is on whose behalf the guard asks.
func Direct(ctx context.Context, tickets *approval.Store, requester string, h line.Hold) line.Reply {
	latest, err := tickets.Settled(ctx)
	if err != nil {
		return line.Reply{Error: err.Error()}
	}
	k := NewKeeper(tickets).AskedBy(requester)
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
