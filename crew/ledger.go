package crew

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/session"
)

// ledger is where crews on several machines find what each of them has begun: with the sessions,
// where these lie in a depot. A crew that dies leaves no other trace that they could see.
type ledger interface {
	// Undertake says that whoever takes a session in this process does so for the crew, until
	// finish is called: with true when there is nothing more to do in it. taken is called when
	// it is taken: with true if whoever had it before has not given it back.
	Undertake(session string, taken func(died bool)) (finish func(over bool))
	// LeftBehind are the sessions that a crew has begun and not ended, and that nobody has open.
	// IsLeftBehind: one of these it is.
	LeftBehind(ctx context.Context) ([]string, error)
	IsLeftBehind(ctx context.Context, session string) (bool, error)
	// Hurry: the process is about to end, and nobody in it waits for the depot longer than this.
	Hurry(within time.Duration)
}

// undertake is one run of a session that other machines can go on with. That it goes on is only
// told when no other crew was faster.
func (c *Crew) undertake(ctx context.Context, id string) error {
	finish := c.ledger.Undertake(id, func(died bool) {
		if died {
			c.interrupted(id)
		}
		c.tell(id, "running")
	})
	err := c.run(ctx, id)
	finish(ctx.Err() == nil && over(err))
	return err
}

// over: after a run that has ended so nothing is left to do.
func over(err error) bool {
	return err == nil || errors.Is(err, ErrNothingLeft) || errors.Is(err, ErrOver) || errors.Is(err, session.ErrUnknown)
}

// pickUp finds the sessions that crews have left behind, here or elsewhere. Those with a call of
// which nobody knows whether it ran wait for a person first.
func (c *Crew) pickUp(behind []string, duties map[string]duty) {
	for _, id := range behind {
		if duties[id].kind != toBeTold && !c.busyWith(id) {
			c.want(id, time.Time{}, noticed)
		}
	}
}

// allLeftBehind are the sessions that a crew has begun and not ended. They are asked for before the
// calls are marked whose process has died: of each of these sessions it is known then whether a
// call of it was running, and nobody takes it from whom it belongs to before a person has said what
// became of that. He may come back, and tell it himself.
func (c *Crew) allLeftBehind(ctx context.Context) ([]string, error) {
	if c.ledger == nil {
		return nil, nil
	}
	return c.ledger.LeftBehind(ctx)
}

// busyWith: a session goes on here, or is about to.
func (c *Crew) busyWith(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.errands[id]
	return e != nil && (e.wanted || e.running)
}

// leftBehind: a crew has begun a session and not ended it.
func (c *Crew) leftBehind(ctx context.Context, id string) (bool, error) {
	if c.ledger == nil {
		return false, nil
	}
	return c.ledger.IsLeftBehind(ctx, id)
}
