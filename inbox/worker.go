package inbox

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/session"
)

// ErrNothingLeft is what [Config.Resume] returns for a session in which nothing is left to
// do: somebody else has gone on with it.
var ErrNothingLeft = errors.New("nothing is left to do in the session")

// ErrOver is in what [Config.Resume] returns for a session that has come to its end, and not
// to a good one: why that is stays worth knowing, and nobody needs to try again.
var ErrOver = errors.New("the session has come to its end")

const (
	// sweepEvery is how often the tickets are looked through for what was missed, and
	// stockEvery the same for all sessions, which takes longer.
	sweepEvery = 5 * time.Second
	stockEvery = time.Minute
	// runsGrace is how long a run gets to end by itself when the server ends.
	runsGrace = 10 * time.Second
)

// crew lets sessions go on when somebody has answered: one run of a session at a time, and
// so many sessions at once. Whether a call may run is not decided here: the run claims its
// ticket, and whoever comes second finds that out there.
type crew struct {
	most int
	// run lets a session go on. look says what there is to do in it, and sessionOf to which
	// session a ticket belongs that has changed, and from when on one may act on it.
	run       func(ctx context.Context, session string) error
	look      func(ctx context.Context, session string) (duty, error)
	sessionOf func(ctx context.Context, ticket string) (session string, from time.Time, err error)
	// sweep finds all sessions in which there is something to do. Stock finds those that
	// only their transcripts name.
	sweep func(ctx context.Context) (map[string]duty, error)
	stock func(ctx context.Context) ([]string, error)
	// held: another process has a session open. gone: there is no such session any more.
	held, gone func(session string) bool
	// left is what somebody has left in a session that nobody has open; nil means that
	// nobody looks.
	left  func(ctx context.Context, session string) leaving
	notes notebook
	// tell is told how a session stands, and warn what does not work.
	tell func(session, state string)
	warn func(what string, session string, err error)
	now  func() time.Time

	// heard says that there is something to do in the loop.
	heard chan struct{}
	busy  sync.WaitGroup
	sick  atomic.Pointer[error]

	mu      sync.Mutex
	changed []word
	errands map[string]*errand
	line    []string // sessions that are wanted, in their order
	running int
}

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
func (c *crew) hear(words []word) {
	if len(words) == 0 {
		return
	}
	c.mu.Lock()
	c.changed = append(c.changed, words...)
	c.mu.Unlock()
	c.nudge()
}

func (c *crew) nudge() {
	select {
	case c.heard <- struct{}{}:
	default: // it is about to look anyway
	}
}

// work is the loop. It ends with the context, after the runs have.
func (c *crew) work(ctx context.Context) error {
	runs, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	c.sweepAll(ctx)                    // first of all, so that nobody takes what died for running
	for _, id := range c.notes.all() { // what an earlier server has begun and not ended
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
	c.depart(cancel)
	return nil
}

// depart waits for the runs, and ends those that take too long. What they have not done yet
// is on record, and is done by whoever comes next.
func (c *crew) depart(cancel context.CancelFunc) {
	ended := make(chan struct{})
	go func() { c.busy.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(runsGrace):
		cancel()
		<-ended
	}
}

// learn finds the sessions of the tickets that have changed.
func (c *crew) learn(ctx context.Context) {
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
func (c *crew) sweepOften(ctx context.Context) {
	for pause(ctx, sweepEvery); ctx.Err() == nil; pause(ctx, sweepEvery) {
		c.sweepAll(ctx)
		c.nudge()
	}
}

func (c *crew) sweepAll(ctx context.Context) {
	before := c.resting()
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
	for id, tried := range before { // of which no ticket speaks any more
		if _, some := all[id]; !some {
			c.forget(id, tried)
		}
	}
}

// takeStocks looks through the sessions now and then. That takes its time where there are
// many, and nobody waits for it.
func (c *crew) takeStocks(ctx context.Context) {
	for ctx.Err() == nil {
		c.takeStock(ctx)
		c.nudge()
		pause(ctx, stockEvery)
	}
}

func (c *crew) takeStock(ctx context.Context) {
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
	for id := range c.resting() {
		if c.gone(id) {
			c.drop(id)
		}
	}
	c.lookAfter(ctx)
}

// ail remembers whether the tickets can be looked through.
func (c *crew) ail(err error) {
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
func (c *crew) want(id string, from time.Time, why weight) {
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
	if from.After(e.grace) {
		e.grace = from
	}
	c.enqueue(id, e)
}

// forgive lets a session go on at once whose answer was taken back: no other has to wait for it.
func (c *crew) forgive(id string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.errands[id]; e != nil { // whether another answer may be taken back is looked up
		e.grace, e.fresh = time.Time{}, false
	}
	c.nudge()
}

// start starts what is due and fits, and says when the next one is due that would fit.
func (c *crew) start(runs context.Context) (next time.Time) {
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
