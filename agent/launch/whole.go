package launch

import (
	"fmt"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/session"
)

// whole refuses a session that lacks the record of a call which lies on the desk: its transcript was
// cut off or replaced, and what stands there of how far it came is not so. A call that ran already
// could be made once more.
func (s *Session) whole(o Options) error {
	lacks, found := s.lacks(o)
	if !found {
		return nil
	}
	return &session.Shortened{ID: o.Resume, Call: lacks}
}

// warnOfShortened says of the session of which a copy goes on what it lacks. A copy is how people go on
// with what is left: what it does is its own, and asked for anew.
func (s *Session) warnOfShortened(o Options) {
	if lacks, found := s.lacks(o); found {
		o.Warn(fmt.Sprintf("the transcript of session %s was cut off or replaced: it does not have the call %s of %s, which has the ticket %s. The copy goes on with what is left, and the model does not know what came after it", o.Resume, lacks.ToolUseID, lacks.Tool, lacks.Ticket))
	}
}

// lacks is a call that lies on the desk and is not on record. A desk that cannot be asked keeps no
// session from going on: the calls that wait in it are looked at once more before anything runs.
func (s *Session) lacks(o Options) (session.Ticketed, bool) {
	desk, ok := o.Desk.(agent.Recaller)
	if !ok {
		return session.Ticketed{}, false
	}
	known, err := desk.Recall(o.Context, o.Resume)
	if err != nil {
		o.Warn(fmt.Sprintf("nobody can say whether the transcript of session %s has all calls that have a ticket: %v", o.Resume, err))
	}
	return s.before.Lacks(known)
}
