package session

import (
	"io"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Outline is what a depot keeps beside a transcript, so that nobody has to read it, or bring it here,
// who only wants to know how the session stands. It is kept together with what was added to the
// transcript.
type Outline struct {
	// Waits: calls wait in the session.
	Waits bool
	// Text says the rest, to this package.
	Text []byte
}

// sketch is the text of an outline.
type sketch struct {
	Start    Start              `json:"start"`
	Began    time.Time          `json:"began"`
	Mode     string             `json:"mode"`
	Prompt   string             `json:"prompt"`
	Calls    []PendingCall      `json:"calls"`
	Stages   []Stage            `json:"stages"` // those of the calls
	Answered map[string]bool    `json:"answered"`
	Findings map[string]Finding `json:"findings"`
	// Owed are the results that the model is to hear next of calls that were parked.
	Owed   []string `json:"owed"`
	Spoken bool     `json:"spoken"` // there are messages
	Cut    bool     `json:"cut"`
	Ended  bool     `json:"ended"` // and nothing has come since
}

func readSketch(text []byte) (s sketch, err error) {
	if err := strictjson.Unmarshal(text, &s); err != nil {
		return s, err
	}
	for i := range s.Calls {
		s.Calls[i].Stage = s.Stages[i]
	}
	return s, nil
}

// standing is where the session stands with the calls that were parked.
func (s *sketch) standing() Standing {
	return Standing{Start: s.Start, Mode: s.Mode, Calls: s.Calls, Answered: s.Answered, Findings: s.Findings}
}

// Left is how a session stands for whoever wants to know what a process has left in it.
type Left struct {
	// Size is how much of the transcript it is about.
	Size int64
	// Cut: the work on the last prompt has not ended. Waits: calls wait. Spoken: something was said.
	Cut, Waits, Spoken bool
	// Owed are the calls that waited once and whose results the model is to hear next.
	Owed []string
}

// Left is that of a session, which may be open.
func (s *Store) Left(id string) (Left, error) {
	if err := CheckID(id); err != nil {
		return Left{}, err
	}
	stored, there, err := s.inDepot(id)
	if err != nil {
		return Left{}, err
	}
	if there {
		k, err := s.sketch(stored)
		return k.left(stored.Size), err
	}
	v, err := s.look(id)
	if err != nil {
		return Left{}, err
	}
	defer v.disk.Close()
	o, err := v.outline()
	if err != nil {
		return Left{}, v.damaged(err)
	}
	k, err := readSketch(o.Text)
	return k.left(v.state.end.Offset), err
}

func (s *sketch) left(size int64) Left {
	return Left{Size: size, Cut: s.Cut, Waits: len(s.Calls) > 0, Spoken: s.Spoken, Owed: s.Owed}
}

// trace is what an outline needs beyond the state of a session. The zero value has seen nothing.
type trace struct {
	stand  Standing
	since  map[string]time.Time
	prompt string
	spoken bool
	owed   []string
}

// farPrompt is among how many records the first prompt is looked for.
const farPrompt = 64

// take takes in a record.
func (t *trace) take(r Record) error {
	if t.since == nil {
		t.since = map[string]time.Time{}
		t.stand.Answered, t.stand.Findings = map[string]bool{}, map[string]Finding{}
	}
	if err := t.stand.take(r, t.since); err != nil {
		return badBody(r, err)
	}
	switch r.Kind {
	case Said:
		if t.prompt == "" && r.Number <= farPrompt {
			t.prompt = promptLine(r.Body)
		}
		t.spoken, t.owed = true, nil
		if len(t.since) == 0 {
			return nil
		}
		var m model.Message
		if err := strictjson.Unmarshal(r.Body, &m); err != nil {
			return badBody(r, err)
		}
		t.owes(m)
	case Compacted:
		var c Compaction
		if err := strictjson.Unmarshal(r.Body, &c); err != nil {
			return badBody(r, err)
		}
		t.spoken, t.owed = len(c.Messages) > 0, nil
		if t.spoken {
			t.owes(c.Messages[len(c.Messages)-1])
		}
	case Started, Resumed, Moded, Ruled, Ran, Changed, Saw, Planned, Counted, Parked, Began, Unbegun, Settled, Found, Noted, Ended:
	}
	return nil
}

// owes notes the results in the last message of calls that were parked.
func (t *trace) owes(m model.Message) {
	for _, b := range m.Content {
		if _, parked := t.since[b.ToolUseID]; parked && m.Role == model.User && b.Kind == model.ToolResult {
			t.owed = append(t.owed, b.ToolUseID)
		}
	}
}

// outline is that of a session in a state.
func (t *trace) outline(s *state) (Outline, error) {
	k := sketch{
		Start: s.start, Began: s.began, Mode: s.mode, Prompt: t.prompt, Answered: t.stand.Answered, Findings: t.stand.Findings,
		Owed: t.owed, Spoken: t.spoken, Cut: s.cut, Ended: s.last == Ended,
	}
	if s.pending != nil {
		k.Calls, k.Owed = slices.Clone(s.pending.Calls), nil
		for _, settled := range s.pending.Settled {
			k.Owed = append(k.Owed, settled.ToolUseID)
		}
	}
	for i := range k.Calls {
		k.Stages = append(k.Stages, k.Calls[i].Stage)
		if k.Calls[i].Since.IsZero() {
			k.Calls[i].Since = t.since[k.Calls[i].ToolUseID]
		}
	}
	text, err := strictjson.Marshal(k)
	return Outline{Waits: len(k.Calls) > 0, Text: text}, err
}

// outlineOf is that of a transcript from its beginning.
func outlineOf(transcript io.Reader) (Outline, error) {
	var s state
	var t trace
	for e, err := range chain.NewReader(transcript, chain.Position{}).All() {
		if err != nil {
			return Outline{}, err
		}
		r, err := skim(e)
		if err != nil {
			return Outline{}, err
		}
		if err := s.take(r, e.Position); err != nil {
			return Outline{}, err
		}
		if err := t.take(r); err != nil {
			return Outline{}, err
		}
	}
	return t.outline(&s)
}
