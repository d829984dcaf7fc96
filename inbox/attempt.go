package inbox

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// tryEvery is how often the server writes something, to know whether it can.
const tryEvery = 10 * time.Second

// attempt is how the last attempt to write something has gone. Whoever asks is told that: a
// question that needs no token must not keep anybody from writing.
type attempt struct {
	mu  sync.Mutex
	at  time.Time // zero: nobody has tried yet
	err error
}

// again tries once more.
func (t *attempt) again(ctx context.Context, try func(context.Context) error, now func() time.Time) error {
	err := try(ctx)
	if err != nil && ctx.Err() != nil { // nobody wants to know any more
		return ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at, t.err = now(), err
	return err
}

// outcome is why nothing can be written; nil when it can.
func (t *attempt) outcome(ctx context.Context, try func(context.Context) error, now func() time.Time) error {
	t.mu.Lock()
	at, err := t.at, t.err
	t.mu.Unlock()
	switch since := now().Sub(at); {
	case at.IsZero():
		return t.again(ctx, try, now)
	case since > 3*tryEvery:
		return fmt.Errorf("nothing has been written for %v", since.Round(time.Second))
	}
	return err
}

// tryOften writes something now and then.
func (s *Server) tryOften(ctx context.Context) error {
	for failed := false; ctx.Err() == nil; pause(ctx, tryEvery) {
		err := s.attempt.again(ctx, s.Tickets.Try, s.now)
		if (err != nil) != failed && ctx.Err() == nil { // once, and not every time
			if failed = err != nil; failed {
				s.Log.Error("the tickets cannot be written: nobody can answer", "err", mask(err.Error()))
			} else {
				s.Log.Info("the tickets can be written again")
			}
		}
	}
	return nil
}
