package inbox

import (
	"context"
	"time"

	"github.com/assent-dev/assent/approval"
)

// follow tells every change of a ticket to whoever wants to know. A disk that fails for a
// moment does not end it: it goes on where it stood.
func (s *Server) follow(ctx context.Context) error {
	defer s.following.Store(false)
	var after int64
	for begun := false; ctx.Err() == nil; {
		var err error
		if !begun {
			after, err = s.Tickets.Settled(ctx)
			begun = err == nil
		}
		if err == nil {
			s.following.Store(true)
			err = s.Tickets.Follow(ctx, after, s.wake, func(list []approval.Change) {
				after = list[len(list)-1].Resume
				s.tell(list)
			})
			s.following.Store(false)
		}
		if err != nil && ctx.Err() == nil {
			s.Log.Error("changes of tickets cannot be followed", "err", mask(err.Error()))
			pause(ctx, time.Second)
		}
	}
	return nil
}

func (s *Server) tell(list []approval.Change) {
	for _, listener := range s.listeners {
		listener(list)
	}
	s.events.tell(framesOf(list))
}

// expire ends the time of tickets that nobody has answered, so that it ends also while
// nobody looks.
func (s *Server) expire(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := s.Tickets.Expire(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("the tickets cannot be looked through", "err", mask(err.Error()))
		}
		pause(ctx, time.Second)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
