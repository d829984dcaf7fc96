package launch

import (
	"fmt"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/session"
)

// recall asks the desk for the calls of the session that have a ticket.
func recall(o Options) <-chan recollection {
	known := make(chan recollection, 1)
	desk, ok := o.Desk.(agent.Recaller)
	if !ok {
		known <- recollection{}
		return known
	}
	go func() {
		calls, err := desk.Recall(o.Context, o.Resume)
		known <- recollection{calls, err}
	}()
	return known
}

// recollection is the calls that lie on the desk; with an error those that it can still tell of.
type recollection struct {
	calls []session.Ticketed
	err   error
}

// whole refuses a session that lacks the record of a call which lies on the desk: its transcript was
// cut off or replaced, and what stands there of how far it came is not so. A call that ran already
// could be made once more.
func (s *Session) whole(o Options, known recollection) error {
	lacks, found := s.lacks(o, known)
	if !found {
		return nil
	}
	return &session.Shortened{ID: o.Resume, Call: lacks}
}

// warnOfShortened says of the session of which a copy goes on what it lacks. A copy is how people go on
// with what is left: what it does is its own, and asked for anew.
func (s *Session) warnOfShortened(o Options, known recollection) {
	if lacks, found := s.lacks(o, known); found {
		o.Warn(fmt.Sprintf("the transcript of session %s was cut off or replaced: it does not have the call %s of %s, which has the ticket %s. The copy goes on with what is left, and the model does not know what came after it", o.Resume, lacks.ToolUseID, lacks.Tool, lacks.Ticket))
	}
}

// lacks is a call that lies on the desk and is not on record. A desk that cannot be asked keeps no
// session from going on: the calls that wait in it are looked at once more before anything runs.
func (s *Session) lacks(o Options, known recollection) (session.Ticketed, bool) {
	if known.err != nil {
		o.Warn(fmt.Sprintf("nobody can say whether the transcript of session %s has all calls that have a ticket: %v", o.Resume, known.err))
	}
	return s.before.Lacks(known.calls)
}
