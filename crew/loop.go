package crew

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/session"
)

const (
	// sweepEvery is how often the tickets are looked through for what was missed, and
	// stockEvery the same for all sessions, which takes longer.
	sweepEvery = 5 * time.Second
	stockEvery = time.Minute
	// runsGrace is how long a run gets to end by itself when the crew is stopped, unless it has had its
	// time before, when the crew was drained. lastWords is how long it then gets to end and to say so
	// where it is recorded: a person was promised that this, and what is left to close, takes ten
	// seconds at most.
	runsGrace = 10 * time.Second
	lastWords = 8 * time.Second
)

// word is a ticket that has changed.
type word struct {
	ticket string
	weight weight
}

// weight is how much speaks for going on with a session.
type weight uint8

const (
	noticed weight = iota // the tickets say so, as they did before
	spoken                // somebody has just said something, which may be what it lacked
	certain               // there is something to do, whatever the tickets say now
	fresh                 // somebody has answered here a moment ago, and nobody needs to look
)

// hear takes note of a ticket that has changed.
func (c *Crew) hear(words []word) {
	if len(words) == 0 {
		return
	}
	c.mu.Lock()
	c.changed = append(c.changed, words...)
	c.mu.Unlock()
	c.nudge()
}

func (c *Crew) nudge() {
	select {
	case c.heard <- struct{}{}:
	default: // it is about to look anyway
	}
}

// Work lets sessions go on until the context ends, or [Crew.Drain], and the runs after it.
func (c *Crew) Work(ctx context.Context) error {
	runs, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	begins, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-c.drained:
			stop()
		case <-begins.Done():
		}
	}()
	c.workWhile(begins, runs)
	c.depart(ctx, cancel)
	c.notes.clear()
	return nil
}

// workWhile is the loop. It begins runs as long as the first context lasts.
func (c *Crew) workWhile(ctx, runs context.Context) {
	c.notes.clear()
	c.sweepAll(ctx)                    // first of all, so that nobody takes what died for running
	for _, id := range c.notes.all() { // what an earlier crew has begun and not ended
		c.interrupted(id)
		c.want(id, time.Time{}, certain)
	}
	sweeps := time.NewTicker(sweepEvery)
	defer sweeps.Stop()
	c.busy.Go(func() { c.takeStocks(ctx) })
	c.busy.Go(func() { c.sweepOften(ctx) })
	for ctx.Err() == nil {
		next := c.start(runs)
		var due <-chan time.Time
		if !next.IsZero() {
			due = time.After(next.Sub(c.now()))
		}
		select {
		case <-ctx.Done():
		case <-c.heard:
			c.learn(ctx)
		case <-due:
		case <-sweeps.C: // what could not be learnt is tried again
			c.learn(ctx)
		}
	}
}

// depart waits for the runs, and ends those that take too long after the context has ended.
// What they have not done yet is on record, and is done by whoever comes next.
func (c *Crew) depart(ctx context.Context, cancel context.CancelFunc) {
	ended := make(chan struct{})
	go func() { c.busy.Wait(); close(ended) }()
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	select {
	case <-ended:
	case <-time.After(c.grace()):
		cancel()
		crashpoint.Here("stop: told")
		if c.ledger != nil { // which may not answer
			c.ledger.Hurry(lastWords)
		}
		<-ended
	}
}

// grace is how long runs get to end by themselves.
func (c *Crew) grace() time.Duration {
	select {
	case <-c.drained:
		return 0
	default:
		return runsGrace
	}
}

// learn finds the sessions of the tickets that have changed.
func (c *Crew) learn(ctx context.Context) {
	c.mu.Lock()
	words := c.changed
	c.changed = nil
	c.mu.Unlock()
	for _, w := range words {
		id, from, err := c.sessionOf(ctx, w.ticket)
		switch {
		case err != nil: // it is looked for again with the next sweep, which by itself may find nothing new
			c.warn("the session of a ticket cannot be found", "", err)
			c.mu.Lock()
			c.changed = append(c.changed, w)
			c.mu.Unlock()
		case id != "":
			c.want(id, from, w.weight)
		}
	}
}

// sweepOften looks through the tickets again and again. Where many stay answered, because
// their sessions are gone, that takes its time, and nobody waits for it.
func (c *Crew) sweepOften(ctx context.Context) {
	for pause(ctx, sweepEvery); ctx.Err() == nil; pause(ctx, sweepEvery) {
		c.sweepAll(ctx)
		c.nudge()
	}
}

func (c *Crew) sweepAll(ctx context.Context) {
	before := c.resting()
	behind, leftErr := c.allLeftBehind(ctx)
	all, err := c.sweep(ctx)
	if c.ail(err); err != nil {
		return
	}
	for id, d := range all {
		c.mu.Lock()
		e := c.errands[id]
		known := e != nil && (e.wanted || e.running || e.tried == d.print)
		c.mu.Unlock()
		if !known && d.kind == toGoOn {
			c.want(id, d.from, noticed)
		}
	}
	c.pickUp(behind, all)
	c.ail(leftErr)
	for id, tried := range before { // of which no ticket speaks any more
		if _, some := all[id]; !some {
			c.forget(id, tried)
		}
	}
}

// takeStocks looks through the sessions now and then. That takes its time where there are
// many, and nobody waits for it.
func (c *Crew) takeStocks(ctx context.Context) {
	for ctx.Err() == nil {
		c.takeStock(ctx)
		c.nudge()
		pause(ctx, stockEvery)
	}
}

func (c *Crew) takeStock(ctx context.Context) {
	ids, err := c.stock(ctx)
	if err != nil && ctx.Err() == nil {
		c.warn("the sessions cannot be looked through", "", err)
	}
	for _, id := range ids {
		c.mu.Lock()
		e := c.errands[id]
		known := e != nil && (e.wanted || e.running)
		c.mu.Unlock()
		if !known {
			c.want(id, time.Time{}, certain)
		}
	}
	for _, id := range c.gone(slices.Collect(maps.Keys(c.resting()))) {
		c.drop(id)
	}
	c.lookAfter(ctx)
}

// ail remembers whether the tickets can be looked through.
func (c *Crew) ail(err error) {
	if err == nil {
		c.sick.Store(nil)
		return
	}
	if !errors.Is(err, context.Canceled) {
		c.sick.Store(&err)
		c.warn("the tickets cannot be looked through", "", err)
	}
}

// want puts a session into the line, unless it is there.
func (c *Crew) want(id string, from time.Time, why weight) {
	if session.CheckID(id) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.errands[id]
	if e == nil {
		e = &errand{}
		c.errands[id] = e
	}
	if why != noticed {
		e.afresh()
	}
	e.sure = e.sure || why == certain
	e.fresh = why == fresh && from.IsZero()
	switch {
	case from.After(e.grace):
		e.grace = from
	case why != noticed && e.grace.After(from): // what it waits for may have been taken back, which is looked up
		e.grace, e.fresh = from, false
	}
	c.enqueue(id, e)
}

// start starts what is due and fits, and says when the next one is due that would fit.
func (c *Crew) start(runs context.Context) (next time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.line = slices.DeleteFunc(c.line, func(id string) bool {
		e := c.errands[id]
		if e.running || c.running >= c.most {
			return false // the end of a run is heard
		}
		if due := e.due(); due.After(now) {
			if next.IsZero() || due.Before(next) {
				next = due
			}
			return false
		}
		now := *e
		e.wanted, e.sure, e.fresh, e.running = false, false, false, true
		c.running++
		c.busy.Go(func() { c.do(runs, id, now) })
		return true
	})
	return next
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
