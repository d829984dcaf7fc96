// Package desk is where the parked calls of an agent lie: the tickets of a state directory,
// as an agent needs them. It joins package agent, which knows no tickets, and package
// approval, which knows no agents.
package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Desk is the tickets of a state directory, as an agent needs them. The database is
// opened when a call is parked or one that was parked is taken up; most sessions have
// none.
type Desk struct {
	dir string

	mu    sync.Mutex
	store *approval.Store
}

// New is the desk of a state directory.
func New(dir string) *Desk { return &Desk{dir: dir} }

func (d *Desk) open() (*approval.Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store != nil {
		return d.store, nil
	}
	var err error
	d.store, err = approval.Open(d.dir)
	return d.store, err
}

// Close gives back what is open. What was acknowledged is on the disk.
func (d *Desk) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store != nil {
		_ = d.store.Close()
	}
}

func ticketCall(c agent.ParkedCall) approval.Call {
	return approval.Call{Session: c.Session, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}
}

// holder says for people who runs a call.
func holder() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// Park makes a ticket, unless the call has one.
func (d *Desk) Park(ctx context.Context, c agent.ParkedCall) error {
	_, _, err := d.park(ctx, c)
	var changed *approval.Changed
	if errors.As(err, &changed) { // who looks is told
		return nil
	}
	return err
}

func (d *Desk) park(ctx context.Context, c agent.ParkedCall) (approval.Ticket, *approval.Store, error) {
	store, err := d.open()
	if err != nil {
		return approval.Ticket{}, nil, err
	}
	p := approval.Parking{Call: ticketCall(c), Policy: c.Policy, Why: c.Why, At: c.Since, Outcome: c.Outcome, By: holder()}
	if !c.Until.IsZero() {
		p.Lasts = c.Until.Sub(c.Since)
	}
	if !c.New {
		p = p.Belated()
	}
	t, err := store.Park(ctx, p)
	return t, store, err
}

// ticket finds the ticket of a call; nil means that it has none.
func (d *Desk) ticket(ctx context.Context, c agent.ParkedCall) (*approval.Ticket, *approval.Store, error) {
	if !approval.Exists(d.dir) {
		return nil, nil, nil
	}
	store, err := d.open()
	if err != nil {
		return nil, nil, err
	}
	t, err := store.OfCall(ctx, c.Session, c.ToolUseID)
	if t != nil && t.Bygone(c.Since) {
		t = nil
	}
	return t, store, err
}

// Look is what people have said about a call. A no holds for whatever the call is; a yes
// is for exactly what was shown.
func (d *Desk) Look(ctx context.Context, c agent.ParkedCall) (agent.Word, error) {
	t, store, err := d.ticket(ctx, c)
	if err != nil || t == nil {
		return agent.Word{}, err
	}
	word, err := d.said(ctx, c, t, store)
	if err == nil {
		word.Ticket, word.Said = t.ID, t.Said()
	}
	return word, err
}

func (d *Desk) said(ctx context.Context, c agent.ParkedCall, t *approval.Ticket, store *approval.Store) (agent.Word, error) {
	if t.Answer != nil && t.Answer.Behavior == permission.Deny && (t.State == approval.Denied || t.State == approval.Refused) {
		return agent.Word{Kind: agent.No, By: t.Answer.By, Message: t.Answer.Message}, nil
	}
	switch t.State {
	case approval.Denied, approval.Cancelled, approval.Refused: // who ended it died before the session knew
		return agent.Word{Kind: agent.No, Message: "Not run: the session went on without this call."}, nil
	case approval.Expired:
		if t.Outcome != permission.Allow {
			return agent.Word{Kind: agent.No, Message: "Nobody answered in time."}, nil
		}
	case approval.Running: // this process holds the session, so whoever ran it is dead
		if err := store.Lose(ctx, t.ID, t.Fence, t.Holder+" has ended without saying how the call did"); err != nil {
			return agent.Word{}, err
		}
		return agent.Word{Kind: agent.OutcomeUnknown}, nil
	case approval.Unknown:
		return agent.Word{Kind: agent.OutcomeUnknown}, nil
	case approval.Done, approval.Failed:
		return agent.Word{}, fmt.Errorf("the ticket %s is %s, and the session does not know of it (`assent sessions show %s`)", t.ID, t.State, t.ID)
	case approval.Pending, approval.Approved:
	}
	if err := t.Matches(ticketCall(c)); err != nil {
		return agent.Word{}, err
	}
	return permitted(t)
}

// permitted is what permits the call of a ticket to run, if something does.
func permitted(t *approval.Ticket) (agent.Word, error) {
	switch t.State {
	case approval.Approved:
		_, err := t.Approval()
		return agent.Word{Kind: agent.Yes, By: t.Answer.By, Message: t.Answer.Message, Input: t.Answer.Input}, err
	case approval.Expired:
		return agent.Word{Kind: agent.Lapsed}, nil
	default:
		return agent.Word{}, nil
	}
}

// Claim makes the call this process's own to run.
func (d *Desk) Claim(ctx context.Context, c agent.ParkedCall, runs strictjson.Raw) (agent.Claim, error) {
	t, store, err := d.park(ctx, c) // it may come from another machine
	if err != nil {
		return nil, err
	}
	fence, err := store.Claim(ctx, t.ID, ticketCall(c), runs, holder())
	if err != nil {
		return nil, answered(err)
	}
	return claim{store, t.ID, fence}, nil
}

// answered tells the caller that somebody was faster, where that is why something cannot
// be done.
func answered(err error) error {
	var other *approval.NotApproved
	var overtaken *approval.Overtaken
	var moved *approval.WrongState
	switch {
	case errors.As(err, &other), errors.As(err, &overtaken):
		return fmt.Errorf("%w: %w", agent.ErrAnswered, err)
	case errors.As(err, &moved):
		switch moved.State {
		case approval.Approved, approval.Denied, approval.Expired, approval.Cancelled, approval.Refused:
			return fmt.Errorf("%w: %w", agent.ErrAnswered, err)
		case approval.Pending, approval.Running, approval.Done, approval.Failed, approval.Unknown:
		}
	}
	return err
}

type claim struct {
	store *approval.Store
	id    string
	fence int64
}

func (c claim) Finish(ctx context.Context, ok bool) error {
	return c.store.Finish(ctx, c.id, c.fence, ok, "")
}

// Refuse tells that the call is not run, unless something was said since the caller looked.
func (d *Desk) Refuse(ctx context.Context, c agent.ParkedCall, seen agent.Word, why string) error {
	return answered(d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error {
		return s.RefuseSeen(ctx, t.ID, seen.Said, holder(), why)
	}))
}

// Cancel tells that the session goes on without calls, because nobody has answered: without
// all of them, or none. Of a call that ran it does not.
func (d *Desk) Cancel(ctx context.Context, calls []agent.ParkedCall, why string) error {
	var open []string
	var store *approval.Store
	for _, c := range calls {
		t, s, err := d.ticket(ctx, c)
		if err != nil {
			return err
		}
		if t != nil {
			open, store = append(open, t.ID), s
		}
	}
	if store == nil {
		return nil
	}
	return answered(store.CancelAll(ctx, open, holder(), why))
}

// Settle tells that the outcome of the call is on record.
func (d *Desk) Settle(ctx context.Context, c agent.ParkedCall, ok bool) error {
	const note = "found in the transcript"
	return d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error {
		switch t.State {
		case approval.Running:
			return s.Finish(ctx, t.ID, t.Fence, ok, note)
		case approval.Unknown:
			_, err := s.Resolve(ctx, t.ID, true, holder(), note)
			return err
		default: // as far as these tickets know nobody has claimed it; they may be older than the run
			if ok {
				return s.Record(ctx, t.ID, holder(), note)
			}
			return s.Refuse(ctx, t.ID, holder(), note)
		}
	})
}

// end ends a ticket that is not over yet.
func (d *Desk) end(ctx context.Context, c agent.ParkedCall, do func(*approval.Store, *approval.Ticket) error) error {
	t, store, err := d.ticket(ctx, c)
	if err != nil || t == nil || t.State.Over() {
		return err
	}
	err = do(store, t)
	var moved *approval.WrongState
	if errors.As(err, &moved) && moved.State.Over() {
		return nil // somebody was faster
	}
	return err
}
