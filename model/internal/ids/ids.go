// Package ids makes ids of tool calls for models that make none. They depend on the
// conversation alone: the same conversation gets the same ids.
package ids

import (
	"fmt"

	"github.com/assent-dev/assent/model"
)

// Set is the ids of a conversation.
type Set struct{ have map[string]bool }

// Of is the ids of the calls in messages.
func Of(messages []model.Message) *Set {
	s := &Set{map[string]bool{}}
	for _, m := range messages {
		for _, b := range m.Content {
			if b.Kind == model.ToolUse {
				s.have[b.ID] = true
			}
		}
	}
	return s
}

// Novelty is whether an id was known.
type Novelty uint8

// The answers of Add.
const (
	Known Novelty = iota
	New
)

// Add adds an id.
func (s *Set) Add(id string) Novelty {
	if s.have[id] {
		return Known
	}
	s.have[id] = true
	return New
}

// Make adds an id that is new: the prefix, where the conversation stands, and a
// number.
func (s *Set) Make(prefix string, at int) string {
	for n := 1; ; n++ {
		if id := fmt.Sprintf("%s_%d_%d", prefix, at, n); s.Add(id) == New {
			return id
		}
	}
}
