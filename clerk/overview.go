package clerk

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// Overview is what waits, and the other sessions.
type Overview struct {
	// Unreadable are the sessions of which nobody can say whether a call waits.
	Unreadable []SessionView `json:"unreadable"`
	Calls      []CallView    `json:"calls"`
	Sessions   []SessionView `json:"sessions"`
	// More is how many further sessions there are.
	More int `json:"more"`
	// Copies is how many sessions lie in a database that nobody has named, so that only copies
	// are here, of which nobody can say how they stand.
	Copies int `json:"copies,omitempty"`
	// Tickets is why the tickets cannot be read, or only be looked at; empty when all is
	// well with them.
	Tickets string `json:"tickets_problem,omitempty"`
}

// SessionView is a session as programs get it.
type SessionView struct {
	Session string    `json:"session"`
	State   string    `json:"state"`
	Cwd     string    `json:"cwd"`
	Parent  string    `json:"parent,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Last    time.Time `json:"last,omitzero"`
	Prompt  string    `json:"prompt"`
	// Labels are what a machine must have to go on with it.
	Labels []string `json:"labels,omitempty"`
	// Problem is why it cannot be read.
	Problem string `json:"problem,omitempty"`
}

// Overview gathers what there is; most is how many of the sessions in which nothing waits,
// 0 for all.
func (c *Clerk) Overview(ctx context.Context, most int) (Overview, error) {
	o := Overview{Unreadable: []SessionView{}, Calls: []CallView{}, Sessions: []SessionView{}}
	matters, closed, err := c.Matters(ctx)
	if err != nil {
		return o, err
	}
	waits := map[string]bool{}
	for _, u := range closed {
		waits[u.Session] = true
		o.Unreadable = append(o.Unreadable, c.viewOfUnreadable(u))
	}
	for _, m := range matters {
		if m.Asker() == "" && !m.gone {
			waits[m.Call.Session] = true
		}
		o.Calls = append(o.Calls, c.ViewWithVotes(ctx, m))
	}
	if err := c.otherSessions(ctx, &o, most, waits); err != nil {
		return o, err
	}
	copies, err := c.store.Copies()
	if err != nil {
		return o, err
	}
	for _, id := range copies {
		elsewhere, ok := errors.AsType[*session.Elsewhere](c.store.Elsewhere(id))
		switch {
		case !ok: // it did not come after all
		case elsewhere.Mark == "":
			o.Copies++
		default:
			o.Unreadable = append(o.Unreadable, c.viewOfUnreadable(Unreadable{id, elsewhere}))
		}
	}
	o.Tickets = c.ticketsProblem()
	return o, nil
}

// otherSessions gathers sessions without some, so many at most, or all for 0.
func (c *Clerk) otherSessions(ctx context.Context, o *Overview, most int, without map[string]bool) error {
	if most > 0 {
		some, more, err := c.store.Recent(most, without)
		for _, s := range some {
			o.Sessions = append(o.Sessions, viewOfSession(s))
		}
		o.More = more
		return err
	}
	for s, err := range c.store.List() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if !without[s.ID] {
			o.Sessions = append(o.Sessions, viewOfSession(s))
		}
	}
	return nil
}

// ticketsProblem is why the tickets cannot be read, or only be looked at.
func (c *Clerk) ticketsProblem() string {
	if c.trouble == nil {
		return ""
	}
	return policy.WellFormed(c.trouble.Error())
}

// viewOfUnreadable is a session that cannot be read, with what its first records say.
func (c *Clerk) viewOfUnreadable(u Unreadable) SessionView {
	v := SessionView{Session: u.Session}
	if sum, ok := c.store.Summary(u.Session); ok {
		v = viewOfSession(sum)
	}
	v.State, v.Problem = stateOfUnreadable(u.Problem), policy.WellFormed(u.Problem.Error())
	return v
}

// stateOfUnreadable is a word for why a session cannot be read.
func stateOfUnreadable(problem error) string {
	if _, ok := errors.AsType[*session.Exposed](problem); ok {
		return "exposed"
	}
	if _, ok := errors.AsType[*session.Elsewhere](problem); ok {
		return "coming"
	}
	return session.Broken.String()
}

func viewOfSession(s session.Summary) SessionView {
	return SessionView{
		Session: s.ID, State: s.State.String(), Cwd: policy.WellFormed(s.Cwd), Parent: s.Parent, Started: s.Started, Last: s.Last, Prompt: s.Prompt, Labels: s.Labels,
	}
}
