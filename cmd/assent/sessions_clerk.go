package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// clerk serves people: the sessions, and the tickets of the calls that wait in them.
type clerk struct {
	*app
	given   string // --state
	dir     string
	store   *session.Store
	tickets *approval.Store // nil when there are none yet
	mine    string          // the session that this process holds itself
}

// held: another process has the session open.
func (d *clerk) held(id string) bool { return id != d.mine && d.store.Held(id) }

// open opens what is there, and makes nothing. What a process has left that died while it
// ran a call is marked first, so that nobody takes it for running.
func (d *clerk) open(ctx context.Context) (err error) {
	if d.dir, err = stateDirectory(d.given); err != nil {
		return err
	}
	d.store = session.NewStore(filepath.Join(d.dir, "sessions"))
	if !approval.Exists(d.dir) {
		return nil
	}
	if d.tickets, err = approval.Open(d.dir); err != nil {
		return err
	}
	_, err = d.tickets.Sweep(ctx, d.held)
	return err
}

// need opens the tickets to write one.
func (d *clerk) need() (err error) {
	if d.tickets == nil {
		d.tickets, err = approval.Open(d.dir)
	}
	return err
}

func (d *clerk) close() {
	if d.tickets != nil {
		_ = d.tickets.Close() // what was changed is on the disk already
		d.tickets = nil
	}
}

// with does something while everything is open.
func (d *clerk) with(ctx context.Context, do func() error) error {
	defer d.close()
	if err := d.open(ctx); err != nil {
		return err
	}
	return do()
}

// live are the states in which something can still happen.
var live = slices.DeleteFunc(slices.Clone(approval.States), approval.State.Over)

// list is tickets, none where there are none.
func (d *clerk) list(ctx context.Context, q approval.Query) ([]approval.Ticket, error) {
	if d.tickets == nil {
		return nil, nil
	}
	return d.tickets.List(ctx, q)
}

// matters are the calls that wait or are unknown, in all sessions, and those for which
// somebody has to do something first.
func (d *clerk) matters(ctx context.Context) ([]matter, error) {
	tickets, err := d.list(ctx, approval.Query{States: live})
	if err != nil {
		return nil, err
	}
	bySession := map[string][]approval.Ticket{}
	for _, t := range tickets {
		bySession[t.Session] = append(bySession[t.Session], t)
	}
	ids, err := d.store.IDs()
	if err != nil {
		return nil, err
	}
	var all []matter
	for _, id := range ids {
		of := bySession[id]
		delete(bySession, id)
		if len(of) == 0 && !d.store.Waits(id) {
			continue
		}
		found, _, err := d.ofSession(ctx, id, of)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	for _, of := range bySession { // whose session is gone
		for _, t := range of {
			all = append(all, orphan(t))
		}
	}
	all = slices.DeleteFunc(all, func(m matter) bool { return m.standing == standingOver })
	slices.SortFunc(all, compareMatters)
	return all, nil
}

// ofSession is what waits in one session, with its tickets. A session that cannot be read
// has only those, each with the problem; the error is one of the tickets.
//
// Transcript and tickets are read one after the other, and a process may be at work: what
// looks unknown because one of them was read too early is read once more.
func (d *clerk) ofSession(ctx context.Context, id string, tickets []approval.Ticket) ([]matter, session.Standing, error) {
	all, stand, err := d.readSession(ctx, id, tickets)
	if err == nil && slices.ContainsFunc(all, func(m matter) bool { return m.doubtful() }) {
		all, stand, err = d.readSession(ctx, id, tickets)
	}
	return all, stand, err
}

func (d *clerk) readSession(ctx context.Context, id string, tickets []approval.Ticket) ([]matter, session.Standing, error) {
	stand, problem := d.store.Standing(id)
	var all []matter
	seen := map[string]bool{}
	for _, call := range stand.Calls {
		m := matter{call: callOf(id, call), why: call.Why, since: call.Since, stage: call.Stage, waits: true, mode: stand.Mode}
		if f, ok := stand.Findings[call.ToolUseID]; ok {
			m.finding = &f
		}
		t, err := d.ofCall(ctx, id, call.ToolUseID)
		if err != nil {
			return nil, stand, err
		}
		m.settle(t)
		if m.doubtful() && d.held(id) {
			m.standing, m.problem = standingRunning, ""
		}
		seen[call.ToolUseID] = true
		all = append(all, m)
	}
	for _, t := range tickets {
		if seen[t.ToolUseID] {
			continue
		}
		m := orphan(t)
		m.mode = stand.Mode
		switch {
		case problem != nil:
			m.problem, m.standing = problem.Error(), standingOf(t.State)
		case t.State == approval.Unknown && stand.Answered[t.ToolUseID]:
			// The process died between the transcript and the ticket: what the call
			// returned is on record, so nobody needs to find out.
			if _, err := d.tickets.Resolve(ctx, t.ID, true, "assent", "the transcript has its result"); err != nil && !already(err) {
				return nil, stand, err
			}
			m.standing = standingOver
		case t.State.Over():
			m.problem = ""
		default:
			m.problem = "the session has gone on without it"
		}
		all = append(all, m)
	}
	return all, stand, nil
}

// already: somebody else was faster.
func already(err error) bool {
	var moved *approval.WrongState
	return errors.As(err, &moved)
}

func (d *clerk) ofCall(ctx context.Context, session, toolUseID string) (*approval.Ticket, error) {
	if d.tickets == nil {
		return nil, nil
	}
	return d.tickets.OfCall(ctx, session, toolUseID)
}

// callOf is what the transcript says would run.
func callOf(id string, c session.WaitingCall) approval.Call {
	return approval.Call{Session: id, ToolUseID: c.ToolUseID, Tool: c.Tool, Input: c.Input, Cwd: c.Cwd}
}

func compareMatters(a, b matter) int {
	if a.standing != b.standing {
		return int(a.standing) - int(b.standing)
	}
	if c := a.since.Compare(b.since); c != 0 {
		return c
	}
	return strings.Compare(a.call.Session+a.call.ToolUseID, b.call.Session+b.call.ToolUseID)
}
