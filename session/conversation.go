package session

import (
	"iter"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Conversation is what an agent needs to go on where a session stands.
type Conversation struct {
	// Start is how the session began, with everybody who has spoken in it since, and Began when.
	Start Start
	Began time.Time
	// Messages are those since the last compaction.
	Messages []model.Message
	// Mode is the permission mode that held last, as the file says; see Updates.
	Mode string
	// Updates are the permission updates of the session, in their order. They are what
	// the file says, and the file is no proof that a person has agreed to them: its chain
	// has no key, so whoever can write the file can put one in. The caller decides which
	// of them hold again; one that permits more than the settings do should be asked for
	// anew.
	Updates []strictjson.Raw
	// Sights are the files that the model has seen, each as it was seen last.
	Sights []strictjson.Raw
	// Pending is the turn whose calls wait for an answer; nil when none does.
	Pending *Pending
	// Parked are all calls that ever waited for an answer in the session, whatever became of them.
	Parked []Parking
	// Cut: the work on the last prompt has not ended; the process that did it died.
	Cut bool
	// Tasks are those on the list of the session, in the order in which they came.
	Tasks []strictjson.Raw
	// Refusals are those of the classifier, as they were counted last; nil when there were
	// none.
	Refusals strictjson.Raw
}

// Conversation reads it.
func (t *Transcript) Conversation() (Conversation, error) {
	t.mu.Lock()
	c, since, end := t.state.settled(), t.state.since, t.state.end
	t.mu.Unlock()
	return c.with(t.between(since, end))
}

// settled is the conversation without its messages.
func (s *state) settled() Conversation {
	return Conversation{
		Start: s.start, Began: s.began, Mode: s.mode, Updates: slices.Clone(s.updates), Sights: s.sights.all(), Tasks: s.tasks.all(),
		Pending: s.pending.clone(), Parked: slices.Clone(s.parked), Cut: s.cut, Refusals: clone(s.refused),
	}
}

// with adds the messages, which are among the records since the last compaction.
func (c Conversation) with(since iter.Seq2[Record, error]) (Conversation, error) {
	for r, err := range since {
		if err != nil {
			return Conversation{}, err
		}
		switch r.Kind {
		case Said:
			var m model.Message
			if err := strictjson.Unmarshal(r.Body, &m); err != nil {
				return Conversation{}, badBody(r, err)
			}
			c.Messages = append(c.Messages, m)
		case Compacted:
			var compaction Compaction
			if err := strictjson.Unmarshal(r.Body, &compaction); err != nil {
				return Conversation{}, badBody(r, err)
			}
			c.Messages = compaction.Messages
		}
	}
	return c, nil
}
