package inbox

import "context"

// stockAlone makes the tickets of calls that have none where nobody is employed to let
// sessions go on, which includes that: people see all that waits.
func (s *Server) stockAlone(ctx context.Context) error {
	for s.crew == nil && ctx.Err() == nil {
		if _, err := s.stock(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("not every call that waits has a ticket", "err", mask(err.Error()))
		}
		pause(ctx, stockEvery)
	}
	return nil
}
