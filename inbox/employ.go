package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/session"
)

// Employ lets sessions go on by themselves when somebody has answered, so many at once. It
// must happen before [Server.Run], and needs [Config.Resume].
func (s *Server) Employ(most int) {
	s.crew = crew.New(crew.Config{
		Dir: s.Dir, Tickets: s.Tickets, Sessions: s.Sessions, Most: most, Ask: s.ask, Serves: s.Serves,
		Resume: s.letGoOn, Interrupted: s.Interrupted,
		Tell: func(session, state string) {
			s.poke() // a run changes tickets
			s.announce(session, state)
		},
		Warn: func(what, session string, err error) {
			s.Log.Warn(what, "session", session, "err", mask(err.Error()))
		},
		Now: func() time.Time { return s.now() },
	})
	s.listeners = append(s.listeners, s.crew.Hear)
	s.jobs = append(s.jobs, s.crew.Work)
	s.ailments = append(s.ailments, s.crew.Sick)
}

// TakeUp lets the session of an answered call go on, if it can here; see [crew.Crew.TakeUp].
func (s *Server) TakeUp(ctx context.Context, t approval.Ticket) (bool, error) {
	return s.crew.TakeUp(ctx, t)
}

// letGoOn lets a session go on, and writes down how far that was. A run that fails is in the
// log by the words of the crew.
func (s *Server) letGoOn(ctx context.Context, id string) error {
	began := s.now()
	err := s.Resume(ctx, id, s.added.of(ctx, id))
	stands := ""
	if sum, known := s.Sessions.Summary(id); known {
		stands = sum.State.String()
	}
	took := s.now().Sub(began).Round(time.Millisecond)
	_, taken := errors.AsType[*session.Taken](context.Cause(ctx))
	switch {
	case taken:
		s.Log.Info("a session was taken over by another machine", "session", id, "took", took)
	case ctx.Err() != nil:
		s.Log.Info("a session was stopped, because the server ends", "session", id, "state", stands, "took", took)
	case err == nil:
		s.Log.Info("a session went on", "session", id, "state", stands, "took", took)
	}
	return err
}

// Progress tells whoever follows that something has happened in a session that goes on.
func (s *Server) Progress(session string) {
	s.poke()
	s.announce(session, "running")
}
