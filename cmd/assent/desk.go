package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
)

// desk is the tickets of the state directory, as an agent needs them. The database is
// opened when a call is parked or one that was parked is taken up; most sessions have
// none.
type desk struct {
	dir string

	mu    sync.Mutex
	store *approval.Store
}

func newDesk(o launch.Options) *desk { return &desk{dir: launch.StateDir(o.Settings)} }

func (d *desk) open() (*approval.Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store != nil {
		return d.store, nil
	}
	var err error
	d.store, err = approval.Open(d.dir)
	return d.store, err
}

func (d *desk) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.store != nil {
		_ = d.store.Close() // what was acknowledged is on the disk
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

// Park makes a ticket.
func (d *desk) Park(ctx context.Context, c agent.ParkedCall) error {
	store, err := d.open()
	if err != nil {
		return err
	}
	_, err = store.Park(ctx, approval.Parking{
		Call: ticketCall(c), Policy: c.Policy, Why: c.Why, Lasts: c.Lasts, Outcome: c.Outcome, By: holder(),
	})
	return err
}

// ticket finds the ticket of a call; nil means that it has none.
func (d *desk) ticket(ctx context.Context, c agent.ParkedCall) (*approval.Ticket, *approval.Store, error) {
	if !approval.Exists(d.dir) {
		return nil, nil, nil
	}
	store, err := d.open()
	if err != nil {
		return nil, nil, err
	}
	t, err := store.OfCall(ctx, c.Session, c.ToolUseID)
	return t, store, err
}

// Look is what people have said about a call.
func (d *desk) Look(ctx context.Context, c agent.ParkedCall) (agent.Word, error) {
	t, store, err := d.ticket(ctx, c)
	if err != nil || t == nil {
		return agent.Word{}, err
	}
	if err := t.Matches(ticketCall(c)); err != nil {
		return agent.Word{}, err
	}
	switch t.State {
	case approval.Approved, approval.Denied:
		word := agent.Word{Kind: agent.No, By: t.Answer.By, Message: t.Answer.Message, Input: t.Answer.Input}
		if t.State == approval.Approved {
			word.Kind = agent.Yes
		}
		return word, nil
	case approval.Expired:
		if t.Outcome == permission.Allow {
			return agent.Word{Kind: agent.Yes, By: "the end of its time"}, nil
		}
		return agent.Word{Kind: agent.No, By: "the end of its time", Message: "Nobody answered in time."}, nil
	case approval.Running: // this process holds the session, so whoever ran it is dead
		if err := store.Lose(ctx, t.ID, t.Fence, "the process "+t.Holder+" has ended without saying how the call did"); err != nil {
			return agent.Word{}, err
		}
		return agent.Word{Kind: agent.OutcomeUnknown}, nil
	case approval.Unknown:
		return agent.Word{Kind: agent.OutcomeUnknown}, nil
	case approval.Pending:
		return agent.Word{}, nil
	case approval.Done, approval.Failed, approval.Refused, approval.Cancelled:
	}
	return agent.Word{}, fmt.Errorf("the ticket %s is %s, and the session does not know of it (`assent sessions show %s`)", t.ID, t.State, t.ID)
}

// Claim makes the call this process's own to run.
func (d *desk) Claim(ctx context.Context, c agent.ParkedCall) (agent.Claim, error) {
	if err := d.Park(ctx, c); err != nil { // it may come from another machine
		return nil, err
	}
	t, store, err := d.ticket(ctx, c)
	if err != nil {
		return nil, err
	}
	fence, err := store.Claim(ctx, t.ID, ticketCall(c), holder(), "")
	if err != nil {
		return nil, err
	}
	return claim{store, t.ID, fence}, nil
}

type claim struct {
	store *approval.Store
	id    string
	fence int64
}

func (c claim) Finish(ctx context.Context, ok bool) error {
	return c.store.Finish(ctx, c.id, c.fence, ok, "")
}

// Refuse tells that the call was not run.
func (d *desk) Refuse(ctx context.Context, c agent.ParkedCall, why string) error {
	return d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error { return s.Refuse(ctx, t.ID, holder(), why) })
}

// Cancel tells that the session goes on without the call.
func (d *desk) Cancel(ctx context.Context, c agent.ParkedCall, why string) error {
	return d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error { return s.Cancel(ctx, t.ID, holder(), why) })
}

// Settle tells that the outcome of the call is on record.
func (d *desk) Settle(ctx context.Context, c agent.ParkedCall, ok bool) error {
	const note = "found in the transcript"
	return d.end(ctx, c, func(s *approval.Store, t *approval.Ticket) error {
		switch t.State {
		case approval.Running:
			return s.Finish(ctx, t.ID, t.Fence, ok, note)
		case approval.Unknown:
			_, err := s.Resolve(ctx, t.ID, true, holder(), note)
			return err
		default: // nobody has claimed it, so it was not run
			return s.Refuse(ctx, t.ID, holder(), note)
		}
	})
}

// end ends a ticket that is not over yet.
func (d *desk) end(ctx context.Context, c agent.ParkedCall, do func(*approval.Store, *approval.Ticket) error) error {
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
