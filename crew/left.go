package crew

import (
	"context"
	"fmt"
	"slices"
)

// leaving is what a process has left in a session that it had open.
type leaving uint8

const (
	// leftNothing: it came to an end, or a person has interrupted it, and that is on record.
	leftNothing leaving = iota
	// leftResult: it died after it had run a call that somebody has answered, and before the
	// model could say anything about the result.
	leftResult
	// leftMiddle: it died in the middle of something else.
	leftMiddle
	// stillOpen: nobody can say yet, because somebody has the session open again.
	stillOpen
)

// leftIn is what was left in a session that nobody has open. Another crew may take it up at
// any moment, and what it is about to write is not what somebody has left: so the transcript
// must say the same before and after a look at who has it.
func (r records) leftIn(ctx context.Context, id string) leaving {
	for before := int64(-1); ; {
		left, err := r.Sessions.Left(id)
		switch {
		case err != nil || !left.Cut || left.Waits || !left.Spoken:
			return leftNothing
		case left.Size == before && r.answeredOne(ctx, id, left.Owed):
			return leftResult
		case left.Size == before:
			return leftMiddle
		case r.Sessions.Held(id):
			return stillOpen
		}
		before = left.Size
	}
}

// answeredOne: somebody has answered one of some calls here.
func (r records) answeredOne(ctx context.Context, id string, calls []string) bool {
	return slices.ContainsFunc(calls, func(call string) bool {
		t, err := r.Tickets.OfCall(ctx, id, call)
		return err == nil && t != nil && t.State.Over() && t.Answer != nil
	})
}

// inTheMiddle is why a session rests that somebody else had open.
func inTheMiddle(id string) string {
	return fmt.Sprintf("the process that had it open ended in the middle of its work (`assent -p --resume %s` goes on with it)", id)
}

// leave ends an errand to a session in which there is nothing to do, as far as the tickets
// say: the answer was taken back, or somebody else has acted on it. Whoever has acted on it
// may have died before the model was told. What a person has left in the middle is theirs.
func (c *Crew) leave(ctx context.Context, id string, as errand) {
	left, others := leftNothing, as.holder != "" || as.watched
	held := c.held(id)
	if !held && c.left != nil {
		left = c.left(ctx, id)
		held = left == stillOpen
	}
	stays := left == leftMiddle && others
	c.settle(id, func(e *errand) {
		e.holder, e.problem, e.watched = "", "", held
		switch {
		case held:
			c.again(id, e, sweepEvery, false)
		case left == leftResult: // it was to go on, so it does
			e.sure = true
			c.enqueue(id, e)
		case stays:
			e.problem = inTheMiddle(id)
		}
	})
	if stays {
		c.warn("a session does not go on", id, fmt.Errorf("%s", inTheMiddle(id)))
	}
	if others {
		c.tell(id, "ended")
	}
}

// lookAfter forgets why sessions rest with which somebody has gone on since.
func (c *Crew) lookAfter(ctx context.Context) {
	for id := range c.resting() {
		c.mu.Lock()
		e := c.errands[id]
		rests := e != nil && e.problem == inTheMiddle(id)
		c.mu.Unlock()
		if !rests || !c.held(id) && c.left(ctx, id) == leftMiddle {
			continue
		}
		c.mu.Lock()
		if e := c.errands[id]; e != nil && e.problem == inTheMiddle(id) {
			if e.problem = ""; e.idle() {
				delete(c.errands, id)
			}
		}
		c.mu.Unlock()
	}
}
