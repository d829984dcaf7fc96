package clerk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// Target is what an ID means: a session, or one call of it.
type Target struct {
	Session string
	// Ticket is nil for the session as a whole.
	Ticket *approval.Ticket
}

// Find says what an ID means. The beginning of one is enough as long as nothing else
// begins so. What lies in a database that nobody has named is refused with a
// [*session.Elsewhere]: the copy that is here, and tickets that were made of it, mean nothing.
func (c *Clerk) Find(ctx context.Context, id string) (Target, error) {
	t, err := c.FindToRemove(ctx, id)
	if err == nil && !t.held() {
		err = c.store.Elsewhere(t.Session)
	}
	if err != nil {
		return Target{}, err
	}
	return t, nil
}

// held: it is a call that a guard holds, in a session of another agent.
func (t Target) held() bool { return t.Ticket != nil && t.Ticket.Asker != "" }

// FindToRemove is [Clerk.Find] for whoever removes sessions, which may be copies.
func (c *Clerk) FindToRemove(ctx context.Context, id string) (Target, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	if id == "" {
		return Target{}, &Error{Kind: Invalid, Said: "the ID is empty", Way: SeeList}
	}
	if t := c.exactly(ctx, id); t != nil {
		return Target{t.Session, t}, nil
	}
	sessions, err := c.store.IDsFrom(id)
	if err != nil {
		return Target{}, err
	}
	copies, err := c.store.Copies()
	if err != nil {
		return Target{}, err
	}
	sessions = append(sessions, copies...)
	if slices.Contains(sessions, id) {
		return Target{Session: id}, nil
	}
	tickets, err := c.list(ctx, approval.Query{Prefix: id})
	if err != nil {
		return Target{}, err
	}
	for _, bad := range c.damaged {
		tickets = append(tickets, bad.Ticket)
	}
	var found []Target
	var names []string
	for _, s := range sessions {
		if strings.HasPrefix(s, id) {
			found, names = append(found, Target{Session: s}), append(names, "session "+s)
		}
	}
	for _, t := range tickets {
		if t.ID == id {
			return Target{t.Session, &t}, nil
		}
		if strings.HasPrefix(t.ID, id) {
			found, names = append(found, Target{t.Session, &t}), append(names, "ticket "+t.ID)
		}
	}
	switch len(found) {
	case 0:
		return Target{}, &Error{Kind: NotFound, Said: fmt.Sprintf("there is no session or ticket %q in %s", id, c.where()), Way: SeeList}
	case 1:
		return found[0], nil
	}
	return Target{}, &Error{Kind: Ambiguous, Said: fmt.Sprintf("%q is the beginning of several (write more of it): %s", id, listing(names))}
}

// where is what the sessions and tickets lie in: the database, or the state directory.
func (c *Clerk) where() string {
	if !RunsHere(c.store) && c.tickets != nil {
		return "the database " + c.tickets.Database().Name()
	}
	return c.dir
}

// exactly is the ticket of that name, if there is one on which one can rely. It spares
// looking at everything else that might be meant.
func (c *Clerk) exactly(ctx context.Context, id string) *approval.Ticket {
	if c.tickets == nil {
		return nil
	}
	t, err := c.tickets.Find(ctx, id)
	if err != nil {
		return nil // whatever is wrong is found out again
	}
	return &t
}

// listing is names in a sentence, not too many.
func listing(names []string) string {
	const most = 10
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Inspect is what is known about a target: the matters of its session, or the one of its
// ticket.
func (c *Clerk) Inspect(ctx context.Context, t Target) (Sight, error) {
	tickets, err := c.list(ctx, approval.Query{Session: t.Session})
	if err != nil {
		return Sight{}, err
	}
	for _, bad := range c.damaged {
		if bad.Ticket.Session == t.Session {
			tickets = append(tickets, bad.Ticket)
		}
	}
	var seen Sight
	if !c.store.Gone(t.Session) {
		if seen, err = c.ofSession(ctx, t.Session, tickets); err != nil {
			return seen, err
		}
	} else {
		for _, one := range tickets {
			seen.Matters = append(seen.Matters, orphan(one))
		}
	}
	if t.Ticket != nil {
		seen.Matters = slices.DeleteFunc(seen.Matters, func(m Matter) bool { return m.Ticket == nil || m.Ticket.ID != t.Ticket.ID })
	}
	slices.SortFunc(seen.Matters, compareMatters)
	return seen, nil
}

// One is the matter that an ID means to a purpose: a ticket is it whatever it is, and a
// session means the only call in it that the purpose is for.
func (c *Clerk) One(ctx context.Context, id string, p Purpose) (Matter, error) {
	t, err := c.Find(ctx, id)
	if err != nil {
		return Matter{}, err
	}
	seen, err := c.Inspect(ctx, t)
	if err != nil {
		return Matter{}, err
	}
	all := seen.Matters
	if !t.held() && p != ToResolve && slices.ContainsFunc(all, p.Fits) {
		if err := c.answerable(t.Session); err != nil {
			return Matter{}, err
		}
	}
	if t.Ticket != nil && len(all) == 1 {
		return all[0], nil
	}
	some := slices.DeleteFunc(slices.Clone(all), func(m Matter) bool { return !p.Fits(m) })
	switch {
	case len(some) == 1:
		return some[0], nil
	case len(some) > 1:
		return Matter{}, c.several(ctx, t.Session, p, some)
	}
	if waiting := slices.DeleteFunc(all, func(m Matter) bool { return !m.Waits }); len(waiting) == 1 {
		return waiting[0], nil // whoever answers it is told why not
	}
	if seen.Problem != nil {
		return Matter{}, seen.Problem
	}
	return Matter{}, &Error{Kind: Refused, Said: fmt.Sprintf("no call of session %s %s", t.Session, p.verb()), Way: SeeSession, ID: t.Session}
}

// answerable refuses answers in a database to the calls of a session that lies on this machine only:
// whoever goes on with it here would not know of them.
func (c *Clerk) answerable(session string) error {
	if !c.store.OnlyHere(session) {
		return nil
	}
	return &Error{Kind: Refused, Said: fmt.Sprintf("session %s lies on this machine only, and who goes on with it here would not know what is said about it in the database", session), Way: AnswerHere, ID: session}
}

// several refuses a session of which more than one call could be meant. Each needs an ID
// of its own then, so tickets are made of those that have none.
func (c *Clerk) several(ctx context.Context, session string, p Purpose, some []Matter) error {
	var names []string
	for i := range some {
		m := &some[i]
		if err := c.park(ctx, m); err != nil {
			return err
		}
		names = append(names, fmt.Sprintf("%s (%s %s)", m.Name(), policy.Visible(m.Call.Tool), Describe(m.Call)))
	}
	return &Error{Kind: Ambiguous, Said: fmt.Sprintf("%d calls of session %s %s: name one of them: %s", len(some), session, p.verbs(), strings.Join(names, ", "))}
}

// park makes the ticket of a call that has none, because it was parked on another machine,
// or when there were none. That of a fork hears what was denied where it comes from.
func (c *Clerk) park(ctx context.Context, m *Matter) error {
	if m.Ticket != nil && (len(m.Forks) == 0 || m.Ticket.State != approval.Pending) {
		return nil
	}
	if err := c.need(); err != nil {
		return err
	}
	t, err := c.tickets.Park(ctx, m.parking())
	if err != nil {
		return err
	}
	m.Ticket = &t
	return nil
}

// parking is what its session knows of a call for which a ticket is made only now.
func (m *Matter) parking() approval.Parking {
	p := approval.Parking{Call: m.Call, Why: m.Why, At: m.Since, By: "the transcript", Risk: m.Risk(), Kin: m.kin, Places: m.places, Requester: m.requester, Terms: m.terms, Forks: m.Forks}
	if !m.Until.IsZero() {
		p.Lasts = m.Until.Sub(m.Since)
	}
	if m.Outcome == permission.Allow.String() {
		p.Outcome = permission.Allow
	}
	return p.Belated()
}
