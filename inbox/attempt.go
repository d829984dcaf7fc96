package inbox

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// tryEvery is how often the server writes something, to know whether it can.
	tryEvery = 10 * time.Second
	// tryAgain is how often it does so as long as it cannot: people wait for that to end.
	tryAgain = time.Second
)

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

// often tries until the context ends, and tells when writing begins to fail, with the reason,
// and when it works again, with nil: once each, and not every time.
func (t *attempt) often(ctx context.Context, try func(context.Context) error, now func() time.Time, tell func(error)) {
	every := tryEvery
	for ; ctx.Err() == nil; pause(ctx, every) {
		err := t.again(ctx, try, now)
		failed := every == tryAgain
		if ctx.Err() != nil || (err != nil) == failed {
			continue
		}
		if every = tryEvery; err != nil {
			every = tryAgain
		}
		tell(err)
	}
}

// tryOften writes something now and then. As long as that fails nobody is told that he follows
// what happens: a page that looks alive would let people believe that they can answer.
func (s *Server) tryOften(ctx context.Context) error {
	s.attempt.often(ctx, s.Tickets.Try, s.now, func(err error) {
		if err != nil {
			s.Log.Error("the tickets cannot be written: nobody can answer", "err", mask(err.Error()))
			s.events.halt()
		} else {
			s.Log.Info("the tickets can be written again")
			s.events.resume()
		}
	})
	return nil
}
