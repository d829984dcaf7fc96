package crew

import (
	"context"
	"fmt"
	"slices"

	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
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
	for before := -1; ; {
		c, err := r.Sessions.Load(id)
		switch {
		case err != nil || !c.Cut || waits(c) || len(c.Messages) == 0:
			return leftNothing
		case len(c.Messages) == before && r.owesResult(ctx, id, c):
			return leftResult
		case len(c.Messages) == before:
			return leftMiddle
		case r.Sessions.Held(id):
			return stillOpen
		}
		before = len(c.Messages)
	}
}

// waits: a call of the session waits for an answer. Where only results are on record, of which the
// model is to be told, none does.
func waits(c session.Conversation) bool { return c.Pending != nil && len(c.Pending.Calls) > 0 }

// owesResult: a conversation ends with the result of a call that somebody has answered here.
func (r records) owesResult(ctx context.Context, id string, c session.Conversation) bool {
	return slices.ContainsFunc(lastResults(c), func(call string) bool {
		t, err := r.Tickets.OfCall(ctx, id, call)
		return err == nil && t != nil && t.State.Over() && t.Answer != nil
	})
}

// lastResults are the calls whose results the model is to hear next.
func lastResults(c session.Conversation) (calls []string) {
	if c.Pending != nil {
		for _, settled := range c.Pending.Settled {
			calls = append(calls, settled.ToolUseID)
		}
		return calls
	}
	last := c.Messages[len(c.Messages)-1]
	if last.Role != model.User {
		return nil
	}
	for _, b := range last.Content {
		if b.Kind == model.ToolResult {
			calls = append(calls, b.ToolUseID)
		}
	}
	return calls
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
