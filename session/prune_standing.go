package session

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Standing is where a session stands with the calls that were parked in it.
type Standing struct {
	// Start is how the session began, with everybody who has spoken in it since; Mode is the
	// permission mode that held last.
	Start Start
	Mode  string
	// Calls are those that wait, in the order of their turn.
	Calls []PendingCall
	// Answered are the calls that were parked once and have a result: the model was told,
	// or will be. One that was parked again since, in a later turn, is not among them.
	Answered map[string]bool
	// Findings are what persons have said about calls since they were begun last.
	Findings map[string]Finding
}

// Call is a call that waits; nil means that it does not.
func (s Standing) Call(toolUseID string) *PendingCall {
	for i := range s.Calls {
		if s.Calls[i].ToolUseID == toolUseID {
			return &s.Calls[i]
		}
	}
	return nil
}

// Standing reads where a session stands that may be open elsewhere.
func (s *Store) Standing(id string) (Standing, error) {
	if err := CheckID(id); err != nil {
		return Standing{}, err
	}
	stored, there, err := s.inDepot(id)
	if err != nil {
		return Standing{}, err
	}
	if there {
		return s.StandingOf(Listed{ID: id, stored: &stored})
	}
	v, err := s.look(id)
	if err != nil {
		return Standing{}, err
	}
	defer v.disk.Close()
	stand := Standing{Start: v.state.start, Mode: v.state.mode, Answered: map[string]bool{}, Findings: map[string]Finding{}}
	since := map[string]time.Time{}
	for r, err := range v.records(chain.Position{}) {
		if err != nil {
			return Standing{}, err
		}
		if err := stand.take(r, since); err != nil {
			return Standing{}, v.damaged(badBody(r, err))
		}
	}
	if v.state.pending != nil {
		for _, call := range v.state.pending.Calls {
			if call.Since.IsZero() {
				call.Since = since[call.ToolUseID]
			}
			stand.Calls = append(stand.Calls, call)
		}
	}
	return stand, nil
}

// StandingOf is [Store.Standing] for a session in a list, as it stood then.
func (s *Store) StandingOf(one Listed) (Standing, error) {
	if one.stored == nil {
		return s.Standing(one.ID)
	}
	k, err := s.sketch(*one.stored)
	return k.standing(), err
}

// take takes in a record; since is when each call was parked first. A call that has had
// its result and is parked is another one, of a model that uses ids again.
func (s *Standing) take(r Record, since map[string]time.Time) error {
	switch r.Kind {
	case Parked:
		var p Pending
		if err := strictjson.Unmarshal(r.Body, &p); err != nil {
			return err
		}
		for _, call := range p.Calls {
			if _, again := since[call.ToolUseID]; !again || s.Answered[call.ToolUseID] {
				since[call.ToolUseID] = r.Time
				delete(s.Answered, call.ToolUseID)
				delete(s.Findings, call.ToolUseID)
			}
		}
	case Began:
		var b Beginning
		if err := strictjson.Unmarshal(r.Body, &b); err != nil {
			return err
		}
		delete(s.Findings, b.ToolUseID)
	case Found:
		var f Finding
		if err := strictjson.Unmarshal(r.Body, &f); err != nil {
			return err
		}
		s.Findings[f.ToolUseID] = f
	case Settled:
		var settled Settlement
		if err := strictjson.Unmarshal(r.Body, &settled); err != nil {
			return err
		}
		s.Answered[settled.ToolUseID] = true
	case Said:
		if len(since) == len(s.Answered) { // no call waits for a result: most messages
			return nil
		}
		var m model.Message
		if err := strictjson.Unmarshal(r.Body, &m); err != nil {
			return err
		}
		for _, b := range m.Content {
			if _, parked := since[b.ToolUseID]; parked && b.Kind == model.ToolResult {
				s.Answered[b.ToolUseID] = true
			}
		}
	case Started, Resumed, Compacted, Moded, Ruled, Ran, Changed, Saw, Planned, Counted, Unbegun, Noted, Ended:
	}
	return nil
}

// Waits reports whether calls of a session wait, judged in haste by its last records: it
// may say so of a session that only [Store.Standing] can judge, and never forgets one: of
// what the depot has and this machine does not, it knows nothing.
func (s *Store) Waits(one Listed) bool {
	id := one.ID
	if CheckID(id) != nil {
		return false
	}
	if one.stored == nil && s.Depot != nil {
		stored, there, err := s.inDepot(id)
		if err != nil {
			return !errors.Is(err, ErrUnknown)
		}
		if there {
			one.stored = &stored
		}
	}
	if one.stored != nil {
		return one.stored.Outline == nil || one.stored.Outline.Waits
	}
	known, err := readHead(s.path(id)) // before the transcript, which is never behind it
	if err != nil {
		return true
	}
	disk, err := chain.OpenToRead(filepath.Join(s.path(id), transcriptName))
	if err != nil {
		return true
	}
	defer disk.Close()
	info, err := disk.Stat()
	if err != nil {
		return true
	}
	end, first := info.Size(), true
	const far = 1000 // records; a session has hardly ever more of them after its last message
	for range far {
		e, ok, err := chain.Last(disk, end)
		if !ok || err != nil || first && (e.Offset != end || e.Number < known.Number) { // behind it stands a part of a line, or stood more
			return true
		}
		first = false
		r, err := unwrap(e)
		if err != nil {
			return true
		}
		switch r.Kind {
		case Said, Compacted, Started:
			return false
		case Parked, Began, Unbegun, Settled, Found:
			return true
		case Resumed, Moded, Ruled, Ran, Changed, Saw, Planned, Counted, Noted, Ended:
			end = e.Offset - 1 // without its line feed the line before is the last
		}
	}
	return true
}
