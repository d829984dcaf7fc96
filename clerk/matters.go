package clerk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// Unreadable is a session that cannot be read, and why: a call may wait in it.
type Unreadable struct {
	Session string
	Problem error
}

// Matters are the calls that wait or are unknown, in all sessions, and the sessions of
// which nobody can say whether one does. Copies of sessions that lie in a database, which
// nobody has named, are none of them.
func (c *Clerk) Matters(ctx context.Context) ([]Matter, []Unreadable, error) {
	bySession, err := c.liveTickets(ctx)
	if err != nil {
		return nil, nil, err
	}
	sessions, err := c.store.WithCalls(slices.Collect(maps.Keys(bySession)))
	if err != nil {
		return nil, nil, err
	}
	var all []Matter
	var closed []Unreadable
	for _, one := range sessions {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		id := one.ID
		of := bySession[id]
		delete(bySession, id)
		if len(of) == 0 && !c.store.Waits(one) {
			continue
		}
		seen, err := c.ofListed(ctx, one, of)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, seen.Matters...)
		if seen.Problem != nil && !errors.Is(seen.Problem, session.ErrUnknown) { // which has gone meanwhile
			closed = append(closed, Unreadable{id, seen.Problem})
		}
	}
	for id, of := range bySession { // whose session is gone, or lies in a database
		for _, t := range of {
			if t.Asker != "" || c.store.Elsewhere(id) == nil {
				m := orphan(t)
				m.gone = true
				all = append(all, m)
			}
		}
	}
	for _, bad := range c.damaged {
		if bad.Ticket.Asker == "" && c.store.Gone(bad.Ticket.Session) {
			m := orphan(bad.Ticket)
			m.gone = true
			all = append(all, m)
		}
	}
	all = slices.DeleteFunc(all, func(m Matter) bool { return m.finished() })
	slices.SortFunc(all, compareMatters)
	return all, closed, nil
}

// liveTickets are those in which something can still happen, by their sessions.
func (c *Clerk) liveTickets(ctx context.Context) (map[string][]approval.Ticket, error) {
	tickets, err := c.list(ctx, approval.Query{States: live()})
	bySession := map[string][]approval.Ticket{}
	for _, t := range tickets {
		bySession[t.Session] = append(bySession[t.Session], t)
	}
	return bySession, err
}

// Sight is what is known about a session.
type Sight struct {
	Matters []Matter
	Session session.Standing
	// Problem is why it cannot be read; nil when it can. A call may wait in it then, and
	// nobody must say that none does.
	Problem error
}

// ofSession is what waits in one session, with its tickets. A session that cannot be read
// has only those, each with the problem; the error is one of the tickets.
//
// Transcript and tickets are read one after the other, and a process may be at work: what
// looks unknown because one of them was read too early is read once more.
func (c *Clerk) ofSession(ctx context.Context, id string, tickets []approval.Ticket) (Sight, error) {
	s, err := c.readSession(ctx, id, tickets)
	if err == nil && slices.ContainsFunc(s.Matters, func(m Matter) bool { return m.doubtful() }) {
		s, err = c.readSession(ctx, id, tickets)
	}
	return s, err
}

// ofListed is ofSession for one of many sessions, whose tickets were read a moment ago as well: nobody is
// asked for them one by one, unless something looks unknown by that.
func (c *Clerk) ofListed(ctx context.Context, one session.Listed, tickets []approval.Ticket) (Sight, error) {
	s, err := c.seen(ctx, one, tickets, tickets)
	if err == nil && slices.ContainsFunc(s.Matters, func(m Matter) bool { return m.doubtful() }) {
		s, err = c.readSession(ctx, one.ID, tickets)
	}
	return s, err
}

func (c *Clerk) readSession(ctx context.Context, id string, tickets []approval.Ticket) (Sight, error) {
	one, err := c.store.Look(id)
	if err != nil {
		return Sight{}, err
	}
	return c.seen(ctx, one, tickets, nil)
}

// seen is what waits in a session, with its tickets. Those of its calls are asked for, unless they are
// among those that are known.
func (c *Clerk) seen(ctx context.Context, one session.Listed, tickets, known []approval.Ticket) (Sight, error) {
	id := one.ID
	stand, problem := c.store.StandingOf(one)
	if c.meanwhile != nil {
		c.meanwhile()
	}
	all := Sight{Session: stand, Problem: problem}
	seen := map[string]bool{}
	for _, call := range stand.Calls {
		m, err := c.waiting(ctx, id, call, stand, known)
		if err != nil {
			return all, err
		}
		m.Labels = one.Labels()
		if m.Ticket != nil {
			seen[m.Ticket.ID] = true
		}
		all.Matters = append(all.Matters, m)
	}
	for _, t := range tickets {
		if seen[t.ID] {
			continue
		}
		m, err := c.left(ctx, t, all)
		if err != nil {
			return all, err
		}
		all.Matters = append(all.Matters, m)
	}
	return all, nil
}

// waiting is a call that the session waits for.
func (c *Clerk) waiting(ctx context.Context, id string, call session.PendingCall, stand session.Standing, known []approval.Ticket) (Matter, error) {
	m := onRecord(id, call, stand)
	if f, ok := stand.Findings[call.ToolUseID]; ok {
		m.Finding = &f
	}
	t, err := c.ofCall(ctx, id, call, known)
	if err != nil {
		return m, err
	}
	m.settle(t)
	if bad := c.damagedTicket(t); bad != nil && m.Stage == session.Waiting && m.Standing != Unknown && m.Standing != Running {
		m.Standing, m.Problem = Pending, bad.Error()
	}
	if m.WillRun() {
		m.Obstacle = c.obstacle(m)
	}
	if m.begun() && c.held(id) {
		m.Standing, m.Problem = Running, ""
	}
	switch {
	case c.unread() && m.Problem == "":
		m.Problem, m.Unread = "the tickets cannot be read, so nobody can say whether it was answered", true
	case c.trouble != nil && m.Standing == Running && !c.held(id): // no sweep could mark it
		m.Standing = Unknown
	}
	return m, c.heed(ctx, &m, call.Since)
}

// onRecord is a call that a session waits for as its transcript has it.
func onRecord(id string, call session.PendingCall, stand session.Standing) Matter {
	m := Matter{
		Call: approval.Call{Session: id, ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input, Cwd: call.Cwd},
		Why:  call.Why, Since: call.Since, Until: call.Until, Outcome: call.Outcome, Stage: call.Stage, Waits: true, Mode: stand.Mode, Forks: call.Inherited(id, stand.Start.Forks()), kin: call.Kin, places: call.Places, requester: stand.Start.Requester, terms: call.Terms,
	}
	m.risk, _ = permission.ParseRisk(call.Risk) // one that is not on record counts as high
	return m
}

// heed looks what was said about a call that nobody has answered in the sessions that this
// one is a fork of, or before it comes into a database: a no counts here as well.
func (c *Clerk) heed(ctx context.Context, m *Matter, since time.Time) error {
	if m.Standing != Pending || m.Problem != "" {
		return nil
	}
	if c.tickets == nil {
		m.Unheard = c.unheard(m.Call.Session, len(m.Forks))
		return nil
	}
	for _, id := range m.Forks {
		no, err := c.tickets.NoIn(ctx, id, m.Call.ToolUseID, since)
		bad, damaged := errors.AsType[*approval.Damaged](err)
		if damaged {
			c.distrust(bad)
		}
		_, lost := errors.AsType[*approval.LostNo](err)
		switch {
		case damaged || lost:
			m.Problem = fmt.Sprintf("nobody can say whether it was denied in session %s, which this one is a fork of: %v", id, err)
			return nil
		case err != nil:
			return c.lose(err)
		case no != nil:
			m.Problem = fmt.Sprintf("%s has denied it in session %s, which this one is a fork of, so it is refused when the session goes on", no.By, id)
			return nil
		}
	}
	if len(m.Forks) == 0 && !c.store.OnlyHere(m.Call.Session) { // its ticket knows of it
		return nil
	}
	switch said, err := c.tickets.Before(ctx, m.parking()); {
	case err != nil:
		m.Problem = err.Error()
	case said.No != nil:
		m.Problem = fmt.Sprintf("%s has denied it on this machine, and that holds in the database as well, so it is refused when the session goes on", said.No.By)
	case c.store.OnlyHere(m.Call.Session):
		m.OnlyHere, m.Problem = true, "its session lies on this machine only, so it is answered without naming the database, also not in the environment"
	default:
		m.Unheard = c.unheard(m.Call.Session, len(m.Forks))
	}
	return nil
}

// unheard says why nobody can tell whether a call was denied in one of the nearest sessions of which its
// own is a fork; empty when somebody can.
func (c *Clerk) unheard(session string, forks int) string {
	if err := c.store.Answers(session, forks); err != nil {
		return fmt.Sprintf("it may have been denied in a session of which this one is a fork, and nobody can say that here (%v), so only a person lets it run", err)
	}
	return ""
}

// left is a ticket of a session that does not wait for its call.
func (c *Clerk) left(ctx context.Context, t approval.Ticket, of Sight) (Matter, error) {
	m := orphan(t)
	if t.Asker != "" { // which only calls its session by the same name
		return m, nil
	}
	if of.Problem == nil && !t.State.Over() && c.tickets != nil { // it was read before the transcript was
		if now, err := c.tickets.Find(ctx, t.ID); err == nil {
			t = now
			m = orphan(t)
		}
	}
	m.Mode = of.Session.Mode
	switch {
	case of.Problem != nil:
		m.Problem, m.Standing = of.Problem.Error(), standingOf(t.State)
	case t.State == approval.Unknown && of.Session.Answered[t.ToolUseID]:
		// The process died between the transcript and the ticket: what the call
		// returned is on record, so nobody needs to find out.
		_, err := c.tickets.Resolve(ctx, t.ID, true, "assent", "the transcript has its result")
		if _, already := errors.AsType[*approval.WrongState](err); err != nil && !already && c.trouble == nil {
			return m, err
		}
		m.Standing = Over
	case t.State.Over():
		m.Problem = ""
	case t.State == approval.Running: // its ticket is told last; a sweep has marked those whose process is dead
		m.Standing, m.Problem = Running, ""
	default:
		m.Problem = "the session has gone on without it"
	}
	return m, nil
}
