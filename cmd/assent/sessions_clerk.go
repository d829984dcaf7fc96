package main

import (
	"context"
	"errors"
	"maps"
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
	// lenient: somebody only looks, and is shown what there is; trouble is then why the
	// tickets cannot be read, or only be looked at.
	lenient bool
	trouble error
	// damaged are the tickets on which nobody can rely, by their names.
	damaged map[string]*approval.Damaged
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
		return d.openToLook(err)
	}
	_, err = d.tickets.Sweep(ctx, d.held)
	return d.lose(err)
}

// openToLook opens tickets that cannot be written, for whoever only looks.
func (d *clerk) openToLook(why error) error {
	if !d.lenient {
		return why
	}
	d.trouble = why
	d.tickets, _ = approval.Look(d.dir, why) // the first reason says more
	return nil
}

// lose goes on without the tickets, which cannot be read, where somebody only looks.
func (d *clerk) lose(err error) error {
	if err == nil || !d.lenient {
		return err
	}
	d.close()
	d.trouble = err
	return nil
}

// unread: there are tickets, and nobody can say what is in them.
func (d *clerk) unread() bool { return d.trouble != nil && d.tickets == nil }

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

// looking does something for which the sessions alone are enough, whatever is wrong with
// the tickets: that is said, and what there is is shown.
func (d *clerk) looking(ctx context.Context, do func() error) error {
	d.lenient = true
	defer func() { d.lenient, d.trouble = false, nil }()
	return d.with(ctx, func() error {
		err := do()
		if d.trouble != nil {
			d.warn(d.trouble.Error())
		}
		for _, id := range slices.Sorted(maps.Keys(d.damaged)) {
			d.warn(d.damaged[id].Error())
		}
		return err
	})
}

// live are the states in which something can still happen.
var live = slices.DeleteFunc(slices.Clone(approval.States), approval.State.Over)

// list is tickets, none where there are none. One that is damaged keeps nobody from the
// others.
func (d *clerk) list(ctx context.Context, q approval.Query) ([]approval.Ticket, error) {
	if d.tickets == nil {
		return nil, nil
	}
	tickets, err := d.tickets.List(ctx, q)
	if bad, ok := errors.AsType[approval.Damages](err); ok {
		for _, one := range bad {
			d.distrust(one)
		}
		return tickets, nil
	}
	return tickets, d.lose(err)
}

// distrust remembers a ticket on which nobody can rely.
func (d *clerk) distrust(one *approval.Damaged) {
	if d.damaged == nil {
		d.damaged = map[string]*approval.Damaged{}
	}
	d.damaged[one.Ticket.ID] = one
}

// unreadable is a session that cannot be read, and why: a call may wait in it.
type unreadable struct {
	session string
	problem error
}

// matters are the calls that wait or are unknown, in all sessions, and the sessions of
// which nobody can say whether one does.
func (d *clerk) matters(ctx context.Context) ([]matter, []unreadable, error) {
	tickets, err := d.list(ctx, approval.Query{States: live})
	if err != nil {
		return nil, nil, err
	}
	bySession := map[string][]approval.Ticket{}
	for _, t := range tickets {
		bySession[t.Session] = append(bySession[t.Session], t)
	}
	ids, err := d.store.IDs()
	if err != nil {
		return nil, nil, err
	}
	var all []matter
	var closed []unreadable
	for _, id := range ids {
		of := bySession[id]
		delete(bySession, id)
		if len(of) == 0 && !d.store.Waits(id) {
			continue
		}
		seen, err := d.ofSession(ctx, id, of)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, seen.matters...)
		if seen.problem != nil && !errors.Is(seen.problem, session.ErrUnknown) { // which has gone meanwhile
			closed = append(closed, unreadable{id, seen.problem})
		}
	}
	for _, of := range bySession { // whose session is gone
		for _, t := range of {
			all = append(all, orphan(t))
		}
	}
	all = slices.DeleteFunc(all, func(m matter) bool { return m.standing == standingOver })
	slices.SortFunc(all, compareMatters)
	return all, closed, nil
}

// sight is what is known about a session.
type sight struct {
	matters []matter
	stand   session.Standing
	// problem is why it cannot be read; nil when it can. A call may wait in it then, and
	// nobody must say that none does.
	problem error
}

// ofSession is what waits in one session, with its tickets. A session that cannot be read
// has only those, each with the problem; the error is one of the tickets.
//
// Transcript and tickets are read one after the other, and a process may be at work: what
// looks unknown because one of them was read too early is read once more.
func (d *clerk) ofSession(ctx context.Context, id string, tickets []approval.Ticket) (sight, error) {
	s, err := d.readSession(ctx, id, tickets)
	if err == nil && slices.ContainsFunc(s.matters, func(m matter) bool { return m.doubtful() }) {
		s, err = d.readSession(ctx, id, tickets)
	}
	return s, err
}

func (d *clerk) readSession(ctx context.Context, id string, tickets []approval.Ticket) (sight, error) {
	stand, problem := d.store.Standing(id)
	all := sight{stand: stand, problem: problem}
	seen := map[string]bool{}
	for _, call := range stand.Calls {
		m := matter{
			call: callOf(id, call), why: call.Why, since: call.Since, until: call.Until, outcome: call.Outcome, stage: call.Stage, waits: true, mode: stand.Mode,
		}
		if f, ok := stand.Findings[call.ToolUseID]; ok {
			m.finding = &f
		}
		t, err := d.ofCall(ctx, id, call.ToolUseID)
		if err != nil {
			return all, err
		}
		if t != nil && t.Bygone(call.Since) { // that of an earlier call with the same id
			t = nil
		}
		m.settle(t)
		if bad := d.damagedTicket(t); bad != nil && m.stage == session.Waiting {
			m.standing, m.problem = standingPending, bad.Error()
		}
		if m.willRun() {
			m.obstacle = d.obstacle(m)
		}
		if m.doubtful() && d.held(id) {
			m.standing, m.problem = standingRunning, ""
		}
		switch {
		case d.unread() && m.problem == "":
			m.problem = "the tickets cannot be read, so nobody can say whether it was answered"
		case d.trouble != nil && m.standing == standingRunning && !d.held(id): // no sweep could mark it
			m.standing = standingUnknown
		}
		if t != nil {
			seen[t.ID] = true
		}
		all.matters = append(all.matters, m)
	}
	for _, t := range tickets {
		if seen[t.ID] {
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
			if _, err := d.tickets.Resolve(ctx, t.ID, true, "assent", "the transcript has its result"); err != nil && !already(err) && d.trouble == nil {
				return all, err
			}
			m.standing = standingOver
		case t.State.Over():
			m.problem = ""
		default:
			m.problem = "the session has gone on without it"
		}
		all.matters = append(all.matters, m)
	}
	return all, nil
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
	t, err := d.tickets.OfCall(ctx, session, toolUseID)
	if bad, ok := errors.AsType[*approval.Damaged](err); ok {
		d.distrust(bad)
		return &bad.Ticket, nil
	}
	return t, d.lose(err)
}

// damagedTicket is why nobody can rely on a ticket; nil when one can.
func (d *clerk) damagedTicket(t *approval.Ticket) *approval.Damaged {
	if t == nil {
		return nil
	}
	return d.damaged[t.ID]
}

// callOf is what the transcript says would run.
func callOf(id string, c session.PendingCall) approval.Call {
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
