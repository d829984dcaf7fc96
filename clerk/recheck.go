package clerk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// Round is how far a process that serves others has come with comparing sessions with their
// tickets. The first look of a process is at all sessions, part by part. After it each is at those
// of which somebody has left a note, at those with a call of which nobody knows whether it ran, and at
// the next few of the others, so that in the end nothing is missed. However many calls wait, one
// look costs the same, and none of them is kept in memory. The zero value has not begun.
//
// Where the sessions lie in a database it has the notes, and nobody goes through the others.
type Round struct {
	begun bool
	walk  *session.Walk
	// unknown are the sessions with a call of which nobody knows whether it ran, as they stood when
	// they were looked at.
	unknown map[string]int64
}

const (
	// part is how many sessions are looked at in one piece, and few how many of which nothing is
	// known each time.
	part = 500
	few  = 50
)

// Recheck makes the tickets of calls that wait and have none, as [Clerk.MakeTickets] does, and ends
// those of sessions of which only a copy is here. It returns the sessions that can go on although
// no ticket says so, because a person has found out that a call ran.
func (c *Clerk) Recheck(ctx context.Context, r *Round) (ids []string, err error) {
	if c.store.Depot != nil {
		return c.recheckShared(ctx, r)
	}
	if r.walk == nil {
		r.walk = c.store.Walk()
	}
	look := func(some []string) {
		for _, id := range some {
			on, one := c.recheck(ctx, id)
			if one != nil {
				c.store.RecheckAgain(id)
				err = errors.Join(err, fmt.Errorf("session %s: %w", id, one))
			}
			if on {
				ids = append(ids, id)
			}
		}
	}
	for !r.begun && ctx.Err() == nil {
		some, bad := r.walk.Next(part)
		if bad != nil {
			return ids, errors.Join(err, bad)
		}
		look(some)
		r.begun = len(some) == 0
	}
	some, bad := c.doubted(ctx, r)
	look(some)
	return ids, errors.Join(err, bad, ctx.Err())
}

// recheckShared is Recheck where the sessions lie in a database. It also removes the copies here of sessions
// that somebody has removed from there.
func (c *Clerk) recheckShared(ctx context.Context, r *Round) (ids []string, err error) {
	_, err = c.store.RemoveLeftovers()
	err = errors.Join(err, c.store.OutlineOlder(part))
	noted, bad := c.store.NotedInDepot(part)
	if bad != nil {
		return nil, errors.Join(err, bad)
	}
	doubted, bad := c.unknownShared(ctx, r, noted)
	if len(noted)+len(doubted) == 0 || bad != nil {
		return nil, errors.Join(err, bad)
	}
	all := slices.Concat(noted, doubted)
	tickets, bad := c.liveTicketsOf(ctx, all)
	if bad != nil {
		return nil, errors.Join(err, bad)
	}
	var done []session.Listed
	for _, one := range all {
		on, ready, bad := c.recheckOne(ctx, one, tickets[one.ID])
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("session %s: %w", one.ID, bad))
		}
		if on {
			ids = append(ids, one.ID)
		}
		if ready && !on { // else others may have to go on with it
			done = append(done, one)
		}
	}
	return ids, errors.Join(err, c.store.RecheckedInDepot(done))
}

// unknownShared are the sessions with a call of which nobody knows whether it ran that stand in another way
// than when they were looked at last.
func (c *Clerk) unknownShared(ctx context.Context, r *Round, without []session.Listed) ([]session.Listed, error) {
	tickets, err := c.list(ctx, approval.Query{States: []approval.State{approval.Unknown}})
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range tickets {
		if t.Asker == "" {
			ids = append(ids, t.Session)
		}
	}
	all, err := c.store.Those(ids)
	before := r.unknown
	r.unknown = map[string]int64{}
	for _, one := range all {
		r.unknown[one.ID] = one.Stands()
	}
	return slices.DeleteFunc(all, func(one session.Listed) bool {
		was, looked := before[one.ID]
		return looked && was == one.Stands() || slices.ContainsFunc(without, func(other session.Listed) bool { return other.ID == one.ID })
	}), err
}

// recheckOne compares one session in a database with its tickets. goesOn: it can go on although no ticket
// says so. ready: nobody needs to look at it again.
func (c *Clerk) recheckOne(ctx context.Context, one session.Listed, tickets []approval.Ticket) (goesOn, ready bool, err error) {
	seen, err := c.ofListed(ctx, one, tickets)
	if err != nil || seen.Problem != nil { // somebody may put it right
		return false, false, err
	}
	for i := range seen.Matters {
		m := &seen.Matters[i]
		if m.lacksTicket() && !c.held(one.ID) {
			err = errors.Join(err, c.parkWaiting(ctx, m))
		}
	}
	return len(goingOn(seen.Matters)) > 0, err == nil, err
}

// liveTicketsOf are those of some sessions in which something can still happen, by their sessions.
func (c *Clerk) liveTicketsOf(ctx context.Context, sessions []session.Listed) (map[string][]approval.Ticket, error) {
	if len(sessions) > few { // it is less to ask for all at once
		return c.liveTickets(ctx)
	}
	bySession := map[string][]approval.Ticket{}
	for _, one := range sessions {
		tickets, err := c.list(ctx, approval.Query{Session: one.ID, States: live()})
		if err != nil {
			return nil, err
		}
		bySession[one.ID] = tickets
	}
	return bySession, nil
}

// doubted are the sessions that are looked at each time, and the next few of all.
func (c *Clerk) doubted(ctx context.Context, r *Round) (ids []string, err error) {
	noted, err := c.store.ToRecheck()
	if err != nil {
		return nil, err
	}
	unknown, err := c.list(ctx, approval.Query{States: []approval.State{approval.Unknown}})
	if err != nil {
		return nil, err
	}
	for _, t := range unknown {
		if t.Asker == "" {
			noted = append(noted, t.Session)
		}
	}
	next, err := r.walk.Next(few)
	ids = append(noted, next...)
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// recheck compares one session with its tickets. goesOn: it can go on although no ticket says so. One
// that a process has open is left to that process, and looked at again.
func (c *Clerk) recheck(ctx context.Context, id string) (goesOn bool, err error) {
	if c.held(id) {
		c.store.RecheckAgain(id)
		return false, nil
	}
	c.store.Rechecked(id) // what is written from now on leaves a note of its own
	if c.store.Elsewhere(id) != nil {
		return false, c.leaveOne(ctx, id)
	}
	tickets, err := c.list(ctx, approval.Query{Session: id, States: live()})
	if err != nil {
		return false, err
	}
	unknown := slices.ContainsFunc(tickets, func(t approval.Ticket) bool { return t.Asker == "" && t.State == approval.Unknown })
	if !unknown && !c.store.Waits(session.Listed{ID: id}) {
		return false, nil
	}
	seen, err := c.ofSession(ctx, id, tickets)
	if err != nil {
		return false, err
	}
	if seen.Problem != nil && !errors.Is(seen.Problem, session.ErrUnknown) { // somebody may put it right
		c.store.RecheckAgain(id)
		return false, nil
	}
	for i := range seen.Matters {
		m := &seen.Matters[i]
		if m.lacksTicket() {
			err = errors.Join(err, c.parkWaiting(ctx, m))
		}
	}
	return len(goingOn(seen.Matters)) > 0, err
}

// lacksTicket: people are to be asked about a call, and cannot see it.
func (m *Matter) lacksTicket() bool {
	return m.Ticket == nil && m.Waits && m.Standing == Pending
}

// goingOn are the sessions that can go on although no ticket says so: a person has found out what
// became of a call.
func goingOn(all []Matter) (ids []string) {
	for _, m := range all {
		if m.Standing == Ran && m.Waits && !slices.Contains(ids, m.Call.Session) {
			ids = append(ids, m.Call.Session)
		}
	}
	return ids
}
