package inbox

import (
	"context"
	"fmt"

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
)

// leftIn is what was left in a session that nobody has open.
func (s *Server) leftIn(ctx context.Context, id string) leaving {
	c, err := s.Sessions.Load(id)
	if err != nil || !c.Cut || c.Pending != nil || len(c.Messages) == 0 {
		return leftNothing
	}
	if s.owesResult(ctx, id, c) {
		return leftResult
	}
	return leftMiddle
}

// owesResult: a conversation ends with the result of a call that somebody has answered here.
func (s *Server) owesResult(ctx context.Context, id string, c session.Conversation) bool {
	last := c.Messages[len(c.Messages)-1]
	if last.Role != model.User {
		return false
	}
	for _, b := range last.Content {
		if b.Kind != model.ToolResult {
			continue
		}
		if t, err := s.Tickets.OfCall(ctx, id, b.ToolUseID); err == nil && t != nil && t.State.Over() && t.Answer != nil {
			return true
		}
	}
	return false
}

// inTheMiddle is why a session rests that somebody else had open.
func inTheMiddle(id string) string {
	return fmt.Sprintf("the process that had it open ended in the middle of its work (`assent -p --resume %s` goes on with it)", id)
}

// leave ends an errand to a session in which there is nothing to do, as far as the tickets
// say: the answer was taken back, or somebody else has acted on it. Whoever has acted on it
// may have died before the model was told.
func (c *crew) leave(ctx context.Context, id string, as errand) {
	left, others := leftNothing, as.holder != "" || as.watched
	held := c.held(id)
	if !held && c.left != nil {
		left = c.left(ctx, id)
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
func (c *crew) lookAfter(ctx context.Context) {
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
