package session

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/chain"
	"github.com/assent-dev/assent/internal/strictjson"
)

// state is what is known of a session after some of its records: all but the messages,
// which are read again when somebody wants them.
type state struct {
	start   Start
	mode    string
	updates []strictjson.Raw
	sights  latest // by path
	tasks   latest // by id
	refused strictjson.Raw
	pending *Pending
	parked  []Parking // all that ever were
	began   time.Time
	cut     bool // something was said, and no prompt has ended since
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
			s.start, s.began = start, r.Time
		} else { // whoever has spoken stays one who did
			s.start.Requester = account.Join(s.start.Requester, start.Requester)
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
		return s.sights.take(r, "path")
	case Planned:
		return s.tasks.take(r, "id")
	case Counted:
		s.refused = clone(r.Body)
	case Compacted:
		s.since, s.pending = before, nil
	case Parked, Began, Unbegun, Settled, Found:
		return s.park(r)
	case Said: // the model is told how the calls ended
		s.pending, s.cut = nil, true
	case Ended:
		s.cut = false
	case Ran, Changed, Noted:
	}
	return nil
}

// latest is bodies of which a later one replaces an earlier one of the same name.
type latest struct {
	bodies []string
	place  map[string]int
}

// all are the bodies, for whoever may change them.
func (l *latest) all() []strictjson.Raw {
	var all []strictjson.Raw
	for _, body := range l.bodies {
		all = append(all, strictjson.Raw(body))
	}
	return all
}

// take keeps the body of a record, whose name stands under key.
func (l *latest) take(r Record, key string) error {
	body, err := strictjson.Tree(r.Body)
	if err != nil {
		return badBody(r, err)
	}
	value := body.Member(key)
	if body.Kind != '{' || value.Kind != '"' && value.Kind != 0 {
		return badBody(r, fmt.Errorf("it is no object with a text %q", key))
	}
	name := value.Text()
	if i, again := l.place[name]; again {
		l.bodies[i] = body.Source()
		return nil
	}
	if l.place == nil {
		l.place = map[string]int{}
	}
	l.place[strings.Clone(name)] = len(l.bodies)
	l.bodies = append(l.bodies, body.Source())
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
