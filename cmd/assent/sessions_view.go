package main

import (
	"context"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// callView is a call as programs get it.
type callView struct {
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
	// Policy says by which rules it was judged when it was parked.
	Policy string `json:"policy,omitempty"`
	Holder string `json:"holder,omitempty"`
	// Problem is why it cannot be answered as it stands.
	Problem string      `json:"problem,omitempty"`
	Answer  *answerView `json:"answer,omitempty"`
	History []eventView `json:"history,omitempty"`

	standing standing
	// willRun: it runs when the session goes on, although nobody has said so, unless there
	// is an obstacle.
	willRun  bool
	obstacle obstacle
}

// answerView is what somebody has said.
type answerView struct {
	Decision string         `json:"decision"`
	By       string         `json:"by"`
	At       time.Time      `json:"at"`
	Reason   string         `json:"reason,omitempty"`
	Input    strictjson.Raw `json:"input,omitempty"`
	Digest   string         `json:"digest"`
}

// eventView is a row of the history.
type eventView struct {
	At   time.Time `json:"at"`
	From string    `json:"from,omitempty"`
	To   string    `json:"to"`
	Who  string    `json:"who"`
	Note string    `json:"note,omitempty"`
}

func (c callView) name() string {
	if c.Ticket != "" {
		return c.Ticket
	}
	return c.Session
}

func viewOf(m matter) callView {
	c := callView{
		State: m.standing.String(), Tool: policy.WellFormed(m.call.Tool), Description: describe(m.call), Input: legibleInput(m.call.Input), Session: m.call.Session,
		ToolUseID: policy.WellFormed(m.call.ToolUseID), Cwd: policy.WellFormed(m.call.Cwd), Why: m.why, Since: m.since,
		Expires: m.until, Digest: m.digest(), Problem: m.problem, standing: m.standing, willRun: m.willRun(), obstacle: m.obstacle,
	}
	if !m.until.IsZero() {
		c.Outcome = m.outcome
	}
	t := m.ticket
	if t == nil {
		return c
	}
	c.Ticket, c.Policy, c.Holder = t.ID, t.Policy, t.Holder
	if m.standing == standingOver && t.State.Over() {
		c.State = string(t.State) // which says how it ended
	}
	if t.Answer != nil {
		c.Answer = &answerView{t.Answer.Behavior.String(), t.Answer.By, t.Answer.At, t.Answer.Message, t.Answer.Input, t.Answer.Digest}
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
func (d *clerk) history(ctx context.Context, ticket string) ([]eventView, error) {
	if ticket == "" || d.tickets == nil {
		return nil, nil
	}
	events, err := d.tickets.History(ctx, ticket)
	if err := d.lose(err); err != nil {
		return nil, err
	}
	var all []eventView
	for _, e := range events {
		all = append(all, eventView{e.At, string(e.From), string(e.To), e.Who, e.Note})
	}
	return all, nil
}
