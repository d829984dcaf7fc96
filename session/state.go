package session

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
)

// state is what is known of a session after some of its records: all but the messages,
// which are read again when somebody wants them.
type state struct {
	start   Start
	mode    string
	updates []strictjson.Raw
	sights  []strictjson.Raw
	seen    map[string]int // the place of a path in sights
	// since is the place before the first record that counts for the conversation, end
	// the one behind the last record.
	since, end chain.Position
	last       Kind
}

// take takes in the next record.
func (s *state) take(r Record, end chain.Position) error {
	before := s.end
	s.end, s.last = end, r.Kind
	if (r.Kind == Started) != (r.Number == 1) {
		return fmt.Errorf("record %d is of kind %q: a session has one start, and begins with it", r.Number, r.Kind)
	}
	switch r.Kind {
	case Started, Resumed:
		var start Start
		if err := strictjson.Unmarshal(r.Body, &start); err != nil {
			return badBody(r, err)
		}
		if r.Kind == Started {
			s.start = start
		}
		if start.Mode != "" {
			s.mode = start.Mode
		}
	case Moded:
		var m Mode
		if err := strictjson.Unmarshal(r.Body, &m); err != nil {
			return badBody(r, err)
		}
		s.mode = m.Mode
	case Ruled:
		s.updates = append(s.updates, clone(r.Body))
	case Saw:
		return s.see(r)
	case Compacted:
		s.since = before
	case Said, Ran, Noted, Ended:
	}
	return nil
}

func (s *state) see(r Record) error {
	var sight struct {
		Path string `json:"path"`
	}
	if err := strictjson.Unmarshal(r.Body, &sight); err != nil {
		return badBody(r, err)
	}
	if i, again := s.seen[sight.Path]; again {
		s.sights[i] = clone(r.Body)
		return nil
	}
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	s.seen[sight.Path] = len(s.sights)
	s.sights = append(s.sights, clone(r.Body))
	return nil
}

// check refuses what is no session, or another one under a false name.
func (s *state) check(id string) error {
	switch {
	case s.end.Number == 0:
		return errors.New("it is empty")
	case s.start.Session != id:
		return fmt.Errorf("it is that of session %q", s.start.Session)
	}
	return nil
}

func badBody(r Record, err error) error {
	return fmt.Errorf("record %d of kind %q cannot be read: %w", r.Number, r.Kind, err)
}

func clone(body strictjson.Raw) strictjson.Raw { return append(strictjson.Raw(nil), body...) }
