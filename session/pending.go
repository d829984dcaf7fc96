package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
)

// Pending is a turn of which calls wait for somebody's answer.
type Pending struct {
	// Calls are those that wait, in the order of the turn.
	Calls []PendingCall `json:"calls"`
	// Settled are the results of other calls of the turn. The model is told them when
	// all are there.
	Settled []Settlement `json:"settled,omitzero"`
}

// PendingCall is a call that waits.
type PendingCall struct {
	ToolUseID string         `json:"tool_use_id"`
	Tool      string         `json:"tool"`
	Input     strictjson.Raw `json:"input"` // the model's
	Cwd       string         `json:"cwd"`
	// Why says who wanted it to wait, and the reason.
	Why string `json:"why,omitzero"`
	// Since is when it was parked, Until the end of the time in which somebody may answer;
	// zero means that there is none. Outcome holds then: "allow", or else "deny".
	Since   time.Time `json:"since,omitzero"`
	Until   time.Time `json:"until,omitzero"`
	Outcome string    `json:"outcome,omitzero"`
	// Risk is how much harm it could do ("low", "medium", "high"), Kin what sort of call it
	// is: for people, who are shown both.
	Risk string `json:"risk,omitzero"`
	Kin  string `json:"kin,omitzero"`
	// Places are the files that it led to when it was parked, with all links followed.
	Places []string `json:"places,omitzero"`
	// Terms are what had to be so then before a person's yes counts.
	Terms permission.Terms `json:"terms,omitzero"`
	// From is the session in which it was parked; forks of that have it as well. Older versions did
	// not write it down.
	From string `json:"from,omitzero"`
	// Stage is how far it has come; the record of a parked call does not say.
	Stage Stage `json:"-"`
}

// Inherited are those of the sessions that a session is a fork of, the nearest first, from which it has
// the call: what is said about it there is about this one, too.
func (c PendingCall) Inherited(session string, forks []string) []string {
	for i := len(forks) - 1; i >= 0; i-- { // an ID may have been used before
		if forks[i] == c.From {
			return forks[:i+1]
		}
	}
	if c.From == session {
		return nil
	}
	return forks // nobody knows where it was parked
}

// Stage is how far a call that was parked has come.
type Stage uint8

// The stages. The zero value is a call that waits.
const (
	Waiting Stage = iota
	// Unsure: somebody has begun to run it, and nobody has said how that ended.
	Unsure
	// Confirmed: a person says that it ran. What it returned is lost.
	Confirmed
)

// Beginning is the intent to run a call that was parked.
type Beginning struct {
	ToolUseID string         `json:"tool_use_id"`
	Input     strictjson.Raw `json:"input"` // what runs
}

// Release says that a call has done nothing that was about to run.
type Release struct {
	ToolUseID string `json:"tool_use_id"`
}

// Settlement is a call of a parked turn that has its result.
type Settlement struct {
	ToolUseID string `json:"tool_use_id"`
	// Result is the result as the model gets it, Context what hooks want it to know.
	Result  model.Block `json:"result"`
	Context []string    `json:"context,omitzero"`
	// Halt: a hook wants the session to stop when the turn is over.
	Halt bool `json:"halt,omitzero"`
	// Ran: the result is that of a run, and no refusal. The records before it say so.
	Ran bool `json:"-"`
}

// Finding is what a person has found out about a call that somebody has begun to run.
type Finding struct {
	ToolUseID string `json:"tool_use_id"`
	Ran       bool   `json:"ran"`
	By        string `json:"by"`
	Note      string `json:"note,omitzero"`
}

// call finds a call that waits.
func (p *Pending) call(id string) *PendingCall {
	if p == nil {
		return nil
	}
	if i := slices.IndexFunc(p.Calls, func(c PendingCall) bool { return c.ToolUseID == id }); i >= 0 {
		return &p.Calls[i]
	}
	return nil
}

// clone is a copy that changes of the session do not reach.
func (p *Pending) clone() *Pending {
	if p == nil {
		return nil
	}
	return &Pending{Calls: slices.Clone(p.Calls), Settled: slices.Clone(p.Settled)}
}

// park takes in a record about calls that wait. What it changes is a copy: the record may
// not be written after all.
func (s *state) park(r Record) error {
	s.pending = s.pending.clone()
	switch r.Kind {
	case Parked:
		var p Pending
		if err := strictjson.Unmarshal(r.Body, &p); err != nil {
			return badBody(r, err)
		}
		for i := range p.Calls { // one that is parked again has not been forgotten
			before := s.pending.call(p.Calls[i].ToolUseID)
			if before != nil {
				p.Calls[i].Stage = before.Stage
			}
			switch { // everybody knows the call by one moment
			case !p.Calls[i].Since.IsZero():
			case before != nil:
				p.Calls[i].Since = before.Since
			default:
				p.Calls[i].Since = r.Time.Truncate(time.Microsecond)
			}
		}
		for _, c := range p.Calls {
			s.parked = append(s.parked, Parking{c.ToolUseID, c.Since})
		}
		s.pending = &p
		return nil
	case Began:
		var b Beginning
		if err := strictjson.Unmarshal(r.Body, &b); err != nil {
			return badBody(r, err)
		}
		return s.stage(r, b.ToolUseID, Unsure)
	case Unbegun:
		var b Release
		if err := strictjson.Unmarshal(r.Body, &b); err != nil {
			return badBody(r, err)
		}
		return s.stage(r, b.ToolUseID, Waiting)
	case Found:
		var f Finding
		if err := strictjson.Unmarshal(r.Body, &f); err != nil {
			return badBody(r, err)
		}
		if f.Ran {
			return s.stage(r, f.ToolUseID, Confirmed)
		}
		if err := s.stage(r, f.ToolUseID, Waiting); err != nil {
			return err
		}
		// It waits again for a person: the end of its time was about the run that was begun.
		call := s.pending.call(f.ToolUseID)
		call.Until, call.Outcome = time.Time{}, ""
		return nil
	case Settled:
		var settled Settlement
		if err := strictjson.Unmarshal(r.Body, &settled); err != nil {
			return badBody(r, err)
		}
		call := s.pending.call(settled.ToolUseID)
		if call == nil {
			return badBody(r, fmt.Errorf("no call %q waits", settled.ToolUseID))
		}
		settled.Ran = call.Stage != Waiting
		s.pending.Calls = slices.DeleteFunc(s.pending.Calls, func(c PendingCall) bool { return c.ToolUseID == settled.ToolUseID })
		s.pending.Settled = append(s.pending.Settled, settled)
	}
	return nil
}

func (s *state) stage(r Record, id string, stage Stage) error {
	call := s.pending.call(id)
	if call == nil {
		return badBody(r, fmt.Errorf("no call %q waits", id))
	}
	call.Stage = stage
	return nil
}

// Unfinished: a call of the session was begun, and what became of it is not known. A fork
// could run it once more.
type Unfinished struct{ ID, ToolUseID string }

func (e *Unfinished) Error() string {
	return fmt.Sprintf("the outcome of the call %s of session %s is unknown: a fork could run it a second time (`assent sessions resolve %s --ran` or `--not-run` first)", e.ToolUseID, e.ID, e.ID)
}
