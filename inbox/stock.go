package inbox

import (
	"context"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
)

// stockEvery is how often the sessions are looked through.
const stockEvery = time.Minute

// stockOften looks through the sessions now and then.
func (s *Server) stockOften(ctx context.Context) error {
	for ; ctx.Err() == nil; pause(ctx, stockEvery) {
		if err := s.stock(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("not every call that waits has a ticket", "err", mask(approval.Plain(err)))
		}
	}
	return nil
}

// stock forgets the rules of sessions that are gone, and makes the tickets of calls that have
// none, so that people see all that waits. Whoever is employed to let sessions go on does the
// latter.
func (s *Server) stock(ctx context.Context) error {
	s.added.prune(s.Sessions.Gone)
	if s.crew != nil {
		return nil
	}
	return s.ask(ctx, func(c *clerk.Clerk) error {
		_, err := c.Recheck(ctx, &s.round)
		return err
	})
}
