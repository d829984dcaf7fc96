package clerk

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// Kept is why a session was not removed.
type Kept struct {
	Why string
	// Way is what one can do about it; none, when nothing removes it as it stands.
	Way Way
	// ID is what the way out is about: a session, or the name of a call.
	ID string
}

func (e *Kept) Error() string {
	if e.Way == NoWay {
		return e.Why
	}
	return e.Why + " (" + e.Way.String() + ")"
}

// Care says what keeps a session from being removed.
type Care uint8

// How careful a removal is. A session that a process has open is never removed.
const (
	Careful Care = iota // keep what somebody may still want
	Forced              // nobody wants it
)

// Unused is how long ago a session was used: its last record, or when the file came here.
func (c *Clerk) Unused(id string) (time.Duration, error) {
	written, err := c.store.Written(id)
	return time.Since(written), err
}

// Remove removes a session with its tickets and says how many bytes it had. The error is a
// [Kept] when it stays.
func (c *Clerk) Remove(ctx context.Context, id string, how Care) (int64, error) {
	bytes, err := c.store.Remove(id, func() error {
		return c.holding(id, func() error { return c.mayRemove(ctx, id, how) })
	})
	if _, inUse := errors.AsType[*session.InUse](err); inUse {
		return 0, inUseByProcess()
	}
	if err != nil {
		return 0, err
	}
	return bytes, c.finishRemoval(ctx, id)
}

// WouldRemove says what [Clerk.Remove] would, and removes nothing.
func (c *Clerk) WouldRemove(ctx context.Context, id string, how Care) (int64, error) {
	if c.store.Held(id) {
		return 0, inUseByProcess()
	}
	return c.store.Size(id), c.mayRemove(ctx, id, how)
}

func inUseByProcess() error { return &Kept{Why: "a process has it open"} }

// mayRemove keeps what somebody may still want. Nobody does a copy: the session stays where it
// lies, unless the copy has more.
func (c *Clerk) mayRemove(ctx context.Context, id string, how Care) error {
	if how == Forced {
		return nil
	}
	if lost := c.store.Beyond(id); lost != "" {
		return &Kept{Why: "beside it lies what its database has lost, " + lost, Way: ForceIt, ID: id}
	}
	switch {
	case c.store.IsCopy(id):
		return nil
	case c.store.Elsewhere(id) != nil:
		return &Kept{Why: "it was about to come into a database, and may not be there", Way: ForceIt, ID: id}
	}
	tickets, err := c.list(ctx, approval.Query{Session: id, States: live()})
	if err != nil {
		return err
	}
	seen, err := c.ofSession(ctx, id, tickets)
	if err != nil {
		return err
	}
	for _, m := range seen.Matters {
		switch m.Standing {
		case Unknown:
			return &Kept{Why: "nobody knows whether a call of it ran", Way: FindOut, ID: m.Name()}
		case Pending:
			return &Kept{Why: "a call waits for an answer", Way: SeeCall, ID: m.Name()}
		case Expired:
			return &Kept{Why: "the time to answer a call is over and the session has not gone on", Way: GoOn, ID: id}
		case Approved, Denied, Ran, Running:
			return &Kept{Why: "a call was answered and the session has not gone on", Way: GoOn, ID: id}
		case Over:
		}
	}
	if seen.Problem != nil {
		return &Kept{Why: "it cannot be read, so nobody knows whether a call waits in it", Way: ForceIt, ID: id}
	}
	return nil
}

// finishRemoval deletes what is left of a session that is gone, and forgets its tickets. Its
// name goes last: what a process leaves that dies in between, or cannot write the tickets
// because the disk is full, is found by the next one. Answers that somebody gives to a
// session which was imported meanwhile are not forgotten.
func (c *Clerk) finishRemoval(ctx context.Context, id string) error {
	if err := c.store.Empty(id); err != nil {
		return err
	}
	if c.tickets != nil {
		err := c.Forget(ctx, id)
		if _, making := errors.AsType[*session.InUse](err); making { // the next one sees what has come of it
			return nil
		}
		if err := c.lose(err); err != nil && !errors.Is(err, session.ErrExists) {
			return err
		}
	}
	if c.trouble != nil {
		return nil
	}
	return c.store.Discard(id)
}

// neverBegan is how old a directory is in which nobody will make a session any more.
const neverBegan = time.Hour

// FinishRemovals ends what an earlier process has begun, and removes what one has left
// that died before its session had a first record.
func (c *Clerk) FinishRemovals(ctx context.Context) error {
	for _, id := range c.store.Discarded() {
		if err := c.finishRemoval(ctx, id); err != nil {
			return err
		}
	}
	for _, id := range c.store.Unbegun(neverBegan) {
		_ = c.store.RemoveUnbegun(id) // somebody may be at it; it takes no room
	}
	return nil
}
