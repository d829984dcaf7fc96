package clerk

import (
	"context"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

// Showing is a session and calls of it, exactly.
type Showing struct {
	SessionView
	Mode  string      `json:"mode"`
	Calls []ShownCall `json:"calls"`
	// Tickets is why the tickets cannot be read, or only be looked at.
	Tickets string `json:"tickets_problem,omitempty"`
}

// ShownCall is a call with what the rules of today make of it.
type ShownCall struct {
	CallView
	// Rules is the explanation, as `assent explain` has it; nil when the call cannot be
	// judged here, and Unjudged says why.
	Rules    *policy.Explanation `json:"rules,omitempty"`
	Unjudged string              `json:"unjudged,omitempty"`
	// Change is what an edit would do: to the file as it is now, if the call runs here.
	Change *FileChange `json:"change,omitempty"`

	// Unable is the error that Unjudged tells.
	Unable error `json:"-"`
}

// Show is everything that is known about a session, or about the call of a ticket.
func (c *Clerk) Show(ctx context.Context, id string) (Showing, error) {
	t, err := c.Find(ctx, id)
	if err != nil {
		return Showing{}, err
	}
	seen, err := c.Inspect(ctx, t)
	if err != nil {
		return Showing{}, err
	}
	s := Showing{SessionView: SessionView{Session: t.Session, State: "gone"}, Mode: seen.Session.Mode, Calls: []ShownCall{}}
	if t.Ticket != nil && t.Ticket.Asker != "" {
		s.State = "of " + policy.WellFormed(t.Ticket.Asker)
	} else if sum, ok := c.store.Summary(t.Session); ok {
		s.SessionView = viewOfSession(sum)
	}
	if seen.Problem != nil {
		s.SessionView = c.viewOfUnreadable(Unreadable{t.Session, seen.Problem})
	}
	s.Tickets = c.ticketsProblem()
	for _, m := range seen.Matters {
		if m.Waits && (s.State == session.Done.String() || s.State == session.Interrupted.String()) {
			s.State = "waits"
		}
		call, err := c.shown(ctx, m)
		if err != nil {
			return s, err
		}
		s.Calls = append(s.Calls, call)
	}
	return s, nil
}

func (c *Clerk) shown(ctx context.Context, m Matter) (ShownCall, error) {
	v := ShownCall{CallView: View(m)}
	var err error
	if v.History, err = c.history(ctx, v.Ticket); err != nil {
		return v, err
	}
	c.termsAndVotes(ctx, m, &v.CallView)
	if a := m.Answer(); a != nil {
		v.Change = a.Change // as whoever approved it was shown
	}
	if !m.Waits {
		return v, nil
	}
	call := m.Runs()
	if j, err := c.judge(call, m.Mode); err != nil {
		v.Unable, v.Unjudged = err, err.Error()
	} else {
		x := Explained(j, m.Asker())
		v.Rules = &x
	}
	if v.Change = Wanted(call, Elsewhere); RunsHere(c.store) {
		v.Change = Change(call)
	}
	return v, nil
}

// Explained is what the rules make of a call. One that a guard holds runs as its agent wants it
// to, so nobody is told about it what only the agent of this program does.
func Explained(j *policy.Judgement, asker string) policy.Explanation {
	x := j.Explain()
	for i, note := range x.Notes {
		if asker != "" && note == policy.NeverAsItIs {
			x.Notes[i] = "the tool's schema refuses this input, so nobody can say here what it does; a yes lets it run as it is, as " + policy.Visible(asker) + " understands it"
		}
	}
	return x
}
