package clerk

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// CallView is a call as programs get it. Its texts are well-formed, and not made visible:
// what others wrote can still hide in them.
type CallView struct {
	Ticket      string         `json:"ticket,omitempty"`
	State       string         `json:"state"`
	Tool        string         `json:"tool"`
	Description string         `json:"description"`
	Input       strictjson.Raw `json:"input"`
	Session     string         `json:"session"`
	ToolUseID   string         `json:"tool_use_id"`
	Cwd         string         `json:"cwd"`
	Why         string         `json:"why,omitempty"`
	Since       time.Time      `json:"since"`
	Expires     time.Time      `json:"expires,omitzero"`
	// Outcome is what holds when its time is over.
	Outcome string `json:"outcome,omitempty"`
	Digest  string `json:"digest"`
	// Places are the files that it led to when it was parked, with all links followed.
	Places []string `json:"places,omitempty"`
	// Policy says by which rules it was judged when it was parked.
	Policy string `json:"policy,omitempty"`
	Holder string `json:"holder,omitempty"`
	// Asker is the agent whose guard holds the call, in a session of its own.
	Asker string `json:"asker,omitempty"`
	// Problem is why it cannot be answered as it stands.
	Problem string      `json:"problem,omitempty"`
	Answer  *AnswerView `json:"answer,omitempty"`
	History []EventView `json:"history,omitempty"`
	// Requester is who wanted the call, Terms are what has to be so before a yes counts, and
	// Votes those who have said yes where several people must. Lapsed are those of them who do not
	// count any more, and stand in Votes no longer.
	Requester string       `json:"requester,omitempty"`
	Terms     *TermsView   `json:"terms,omitempty"`
	Votes     []VoteView   `json:"votes,omitempty"`
	Lapsed    []LapsedView `json:"lapsed,omitempty"`
	// Labels are what a machine must have to go on with its session.
	Labels []string `json:"labels,omitempty"`

	Standing Standing `json:"-"`
	// WillRun: it runs when the session goes on, although nobody has said so, unless there
	// is an obstacle.
	WillRun  bool     `json:"-"`
	Obstacle Obstacle `json:"-"`
	// Unread: it may have a ticket, which cannot be read.
	Unread bool `json:"-"`
	// OnlyHere: nobody answers it in the database that was named.
	OnlyHere bool `json:"-"`
	// Unheard is why only a person lets it run.
	Unheard string `json:"-"`
}

// AnswerView is what somebody has said.
type AnswerView struct {
	Decision string         `json:"decision"`
	By       string         `json:"by"`
	At       time.Time      `json:"at"`
	Reason   string         `json:"reason,omitempty"`
	Input    strictjson.Raw `json:"input,omitempty"`
	Digest   string         `json:"digest"`
	// From is the session in which it was said, if that is another: one that this one is a
	// fork of.
	From string `json:"from,omitempty"`
	// Others are those who have said yes to the same before.
	Others []VoteView `json:"others,omitempty"`
}

// EventView is a row of the history.
type EventView struct {
	At   time.Time `json:"at"`
	From string    `json:"from,omitempty"`
	To   string    `json:"to"`
	Who  string    `json:"who"`
	Note string    `json:"note,omitempty"`
	// Kind is empty for a change of state; see [approval.Event].
	Kind string `json:"kind,omitempty"`
	// Change is what somebody who has said yes was shown that the call does to its file, and Digest what that
	// yes is for.
	Change *FileChange `json:"change,omitempty"`
	Digest string      `json:"digest,omitempty"`
}

// Name is what people call it by, as [Matter.Name] has it.
func (c CallView) Name() string {
	if c.Ticket != "" {
		return c.Ticket
	}
	return c.Session
}

// View is a matter as programs get it, without its history.
func View(m Matter) CallView {
	c := CallView{
		State: m.Standing.String(), Tool: policy.WellFormed(m.Call.Tool), Description: Describe(m.Call), Input: legibleInput(m.Call.Input), Session: m.Call.Session,
		ToolUseID: policy.WellFormed(m.Call.ToolUseID), Cwd: policy.WellFormed(m.Call.Cwd), Why: m.Reason(), Since: m.Since,
		Expires: m.Until, Digest: m.Digest(), Places: m.Places(), Problem: m.Problem, Standing: m.Standing, WillRun: m.WillRun(), Obstacle: m.Obstacle, Unread: m.Unread, OnlyHere: m.OnlyHere, Unheard: policy.WellFormed(m.Unheard), Labels: m.Labels,
	}
	if !m.Until.IsZero() {
		c.Outcome = m.Outcome
	}
	c.Requester, c.Terms = policy.WellFormed(m.Requester()), ViewTerms(m.parkedTerms())
	t := m.Ticket
	if t == nil {
		return c
	}
	c.Ticket, c.Policy, c.Holder, c.Asker = t.ID, t.Policy, t.Holder, policy.WellFormed(t.Asker)
	if t.State.Over() && (m.Standing == Over || m.Standing == Denied) {
		c.State = string(t.State) // which says how it ended: refused is not denied
	}
	if t.Answer != nil {
		c.Answer = &AnswerView{t.Answer.Behavior.String(), t.Answer.By, t.Answer.At, t.Answer.Message, t.Answer.Input, t.Answer.Digest, t.Answer.From, nil}
		for _, v := range t.Answer.Others {
			c.Answer.Others = append(c.Answer.Others, ViewVote(v, v.For(t.Answer.Digest, t.Answer.Places, t.Answer.Change.Seen())))
		}
	}
	return c
}

// legibleInput is an input as JSON can hold it: one that is none stands as its text.
func legibleInput(input strictjson.Raw) strictjson.Raw {
	if strictjson.Valid(input) == nil {
		return input
	}
	text, _ := strictjson.Marshal(policy.WellFormed(string(input))) // any text can be written
	return text
}

// history is what has happened to a ticket.
func (c *Clerk) history(ctx context.Context, ticket string) ([]EventView, error) {
	if ticket == "" || c.tickets == nil {
		return nil, nil
	}
	events, err := c.tickets.History(ctx, ticket)
	if err := c.lose(err); err != nil {
		return nil, err
	}
	var all []EventView
	for _, e := range events {
		all = append(all, EventView{e.At, string(e.From), string(e.To), e.Who, e.Note, e.Kind, e.Change, e.Digest})
	}
	return all, nil
}
