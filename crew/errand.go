package crew

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/session"
)

// errand is what the crew knows of a session: what is wanted, and how it went last time.
type errand struct {
	wanted, running bool
	// sure: there is something to do, whatever the tickets say. Fresh: they say so.
	sure, fresh bool
	// grace is until when an answer may be taken back, retry until when a session rests
	// that could not go on.
	grace, retry time.Time
	failures     int
	// tried is what the tickets said when the session had gone on as far as it could. The
	// same is not tried again.
	tried string
	// problem is why the session does not go on, and holder who has it open.
	problem, holder string
	// watched: somebody else has it open, and there is nothing to do; whether they have left
	// something is looked at when they are gone.
	watched bool
}

// due is when it may go on.
func (e *errand) due() time.Time {
	if e.grace.After(e.retry) {
		return e.grace
	}
	return e.retry
}

// afresh: somebody has said something new, which may be what the session lacked.
func (e *errand) afresh() {
	e.retry, e.failures, e.tried = time.Time{}, 0, ""
	if e.problem == unknownOutcome { // unless it still holds
		e.problem = ""
	}
}

// idle: nobody needs to remember it.
func (e *errand) idle() bool { return !e.wanted && !e.running && e.tried == "" && e.problem == "" }

const (
	firstRest = 5 * time.Second
	longRest  = 5 * time.Minute
)

// rest is how long a session rests that has failed so often.
func rest(failures int) time.Duration {
	d := firstRest
	for i := 1; i < failures && d < longRest; i++ {
		d *= 2
	}
	return min(d, longRest)
}

// unknownOutcome is why a session rests until a person has said something.
const unknownOutcome = "nobody knows whether a call of it ran: somebody has to find out, and say so"

// do lets a session go on, if it can here and there is something to do.
func (c *Crew) do(ctx context.Context, id string, as errand) {
	defer c.nudge()
	if (as.holder != "" || as.watched) && c.held(id) { // as the last time, of which everybody was told
		c.settle(id, func(e *errand) { c.again(id, e, sweepEvery, as.sure) })
		return
	}
	if serves, err := c.serves(ctx, id); err != nil || !serves {
		c.pass(ctx, id, as, err)
		return
	}
	d, behind, err := c.findDuty(ctx, id, as.fresh)
	sure := as.sure || behind // what a crew has left is gone on with, whatever the tickets say
	switch {
	case err != nil && ctx.Err() == nil:
		c.askAgain(id, as, err)
		return
	case err != nil:
	case d.kind == toBeTold:
		c.settle(id, func(e *errand) {
			e.holder, e.watched, e.problem, e.tried, e.sure = "", false, unknownOutcome, d.print, e.sure || as.sure
		})
		return
	case d.from.After(c.now()): // another answer of the session may still be taken back
		c.settle(id, func(e *errand) { e.grace, e.sure = d.from, e.sure || as.sure; c.enqueue(id, e) })
		return
	case d.kind == noDuty && !sure: // the answer was taken back, or somebody else has acted on it
		c.leave(ctx, id, as)
		return
	case d.running, c.ledger != nil && c.held(id): // whoever has it goes on with it
		err = &session.InUse{ID: id}
	default:
		err = c.attempt(ctx, id, sure)
	}
	if ctx.Err() != nil {
		c.settle(id, func(*errand) {}) // the note says that somebody has to go on with it
		return
	}
	after, _ := c.look(ctx, id) // at worst it is looked at once more
	c.settle(id, func(e *errand) { c.ended(id, e, sure, after, err) })
	if state := ending(err); state != "" {
		c.tell(id, state)
	}
}

// findDuty is what there is to do in a session, and whether a crew has begun it and not ended it:
// calls of it that were running are marked first then, and also where it was no crew that ran them.
// Nobody takes it from whom it belongs to before a person has said what became of them, because he
// may come back, and tell it himself.
func (c *Crew) findDuty(ctx context.Context, id string, fresh bool) (d duty, behind bool, err error) {
	if behind, err = c.leftBehind(ctx, id); err == nil && behind {
		err = c.mark(ctx)
	}
	if err != nil || fresh && c.ledger == nil { // where others work as well nobody knows without a look what became of their calls
		return duty{kind: toGoOn}, behind, err
	}
	d, err = c.look(ctx, id)
	if err == nil && d.running && d.kind == toGoOn && !behind { // whoever runs it may not be heard of any more
		if err = c.mark(ctx); err == nil {
			d, err = c.look(ctx, id)
		}
	}
	return d, behind, err
}

// askAgain waits until it can be learnt what there is to do. Whose the session is stays as open as
// it was.
func (c *Crew) askAgain(id string, as errand, why error) {
	isNew := false
	c.settle(id, func(e *errand) {
		isNew = e.problem != why.Error()
		e.problem = why.Error()
		c.again(id, e, sweepEvery, as.sure)
	})
	if isNew {
		c.warn("a session does not go on", id, why)
	}
}

// attempt is one run of a session. That it was begun stays on record until nothing is left.
func (c *Crew) attempt(ctx context.Context, id string, sure bool) error {
	if c.ledger != nil {
		return c.undertake(ctx, id)
	}
	begun, err := c.notes.begin(id)
	if err != nil {
		return err
	}
	defer begun.keep()
	c.tell(id, "running")
	err = c.run(ctx, id)
	if ctx.Err() == nil && done(err, sure || !begun.made) {
		begun.strike()
	}
	return err
}

// done: nobody needs to know any more that the session was begun. What another process has
// open is theirs, and what they leave open as well, unless a crew had begun it before.
func done(err error, before bool) bool {
	if _, isHeld := errors.AsType[*session.InUse](err); isHeld {
		return !before
	}
	return over(err)
}

// ended is what follows from how a run has ended.
func (c *Crew) ended(id string, e *errand, sure bool, after duty, err error) {
	inUse, isHeld := errors.AsType[*session.InUse](err)
	taken, isTaken := errors.AsType[*session.Taken](err)
	e.holder, e.watched = "", false
	switch {
	case err == nil, errors.Is(err, ErrNothingLeft): // why it failed before does not hold any more
		e.problem, e.failures, e.tried = "", 0, after.print
	case errors.Is(err, ErrOver):
		e.problem, e.failures, e.tried = err.Error(), 0, after.print
		c.warn("a session has not come to a good end", id, err)
	case errors.Is(err, session.ErrUnknown):
		e.problem, e.tried = err.Error(), after.print
	case isHeld: // who has it may do what there is to do, or leave it
		e.holder = inUse.Error()
		c.again(id, e, sweepEvery, sure)
	case isTaken:
		e.holder = taken.Error()
		c.again(id, e, sweepEvery, false)
		c.warn("a session goes on elsewhere", id, err)
	default:
		e.failures++
		e.problem = err.Error()
		c.again(id, e, rest(e.failures), true)
		c.warn("a session does not go on", id, err)
	}
}

// pass leaves a session to others that cannot go on here, until its tickets say something
// else. Where nobody can say whether it can, that is asked again later.
func (c *Crew) pass(ctx context.Context, id string, as errand, err error) {
	if err != nil && ctx.Err() == nil {
		c.settle(id, func(e *errand) {
			e.failures++
			e.problem = err.Error()
			c.again(id, e, rest(e.failures), as.sure)
		})
		c.warn("nobody can say whether a session can go on here", id, err)
		return
	}
	d, _ := c.look(ctx, id) // at worst it is asked once more
	c.settle(id, func(e *errand) { e.problem, e.holder, e.watched, e.failures, e.tried = "", "", false, 0, d.print })
}

// again puts a session back into the line, for later.
func (c *Crew) again(id string, e *errand, in time.Duration, sure bool) {
	e.retry, e.sure = c.now().Add(in), e.sure || sure
	c.enqueue(id, e)
}

// enqueue puts a session into the line, unless it is there.
func (c *Crew) enqueue(id string, e *errand) {
	if !e.wanted {
		e.wanted = true
		c.line = append(c.line, id)
	}
}

// ending is what is told of a run that has ended so. Nothing is told of a session that somebody
// else has, or has removed: it goes on there, and nothing has failed.
func ending(err error) string {
	_, isHeld := errors.AsType[*session.InUse](err)
	_, isTaken := errors.AsType[*session.Taken](err)
	switch {
	case err == nil, errors.Is(err, ErrNothingLeft):
		return "ended"
	case isHeld, isTaken, errors.Is(err, session.ErrUnknown):
		return ""
	}
	return "failed"
}

// settle notes how a run has ended.
func (c *Crew) settle(id string, how func(*errand)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.errands[id]
	e.running = false
	c.running--
	how(e)
	if e.idle() {
		delete(c.errands, id)
	}
}

// resting are the sessions that are only remembered, with what was tried last.
func (c *Crew) resting() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]string{}
	for id, e := range c.errands {
		if !e.wanted && !e.running {
			all[id] = e.tried
		}
	}
	return all
}

// forget: no ticket says what was tried any more, so it need not be remembered. Why the
// session does not go on still is, as long as there is one.
func (c *Crew) forget(id, tried string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.errands[id]
	if e == nil || e.wanted || e.running || e.tried != tried {
		return
	}
	if e.tried = ""; e.problem == unknownOutcome {
		e.problem = ""
	}
	if e.idle() {
		delete(c.errands, id)
	}
}

// drop forgets a session that does not exist any more.
func (c *Crew) drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.errands[id]; e != nil && !e.wanted && !e.running {
		delete(c.errands, id)
	}
}
