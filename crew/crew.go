// Package crew lets sessions go on when somebody has answered: in the server of the inbox, or
// on a machine that does nothing else. One run of a session at a time, and so many sessions at
// once.
//
// Several crews may work on the same tickets. Whoever takes a session first lets it go on, and
// the others rest until it is free again. Whether a call may run is not decided here: the run
// claims its ticket, and whoever comes second finds that out there.
package crew

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/session"
)

// ErrNothingLeft is what [Config.Resume] returns for a session in which nothing is left to
// do: somebody else has gone on with it.
var ErrNothingLeft = errors.New("nothing is left to do in the session")

// ErrOver is in what [Config.Resume] returns for a session that has come to its end, and not
// to a good one: why that is stays worth knowing, and nobody needs to try again.
var ErrOver = errors.New("the session has come to its end")

// Config is what a crew works with.
type Config struct {
	// Dir is the state directory, in which is noted what was begun, unless the sessions lie in
	// a depot that does so. Crews may share it.
	Dir      string
	Tickets  *approval.Store
	Sessions *session.Store
	// Most is how many sessions go on at once.
	Most int
	// Resume lets a session go on until it has come to its end, or waits again. The error is
	// [ErrNothingLeft], one that wraps [ErrOver], a [*session.InUse] when another process has
	// the session, or why it is to be tried again later.
	Resume func(ctx context.Context, session string) error
	// Serves says whether a session can go on here; nil means that all can. One that cannot
	// is left to others, and nobody is told about it.
	Serves func(ctx context.Context, session string) (bool, error)
	// Ask lets a clerk run an errand.
	Ask func(ctx context.Context, errand func(*clerk.Clerk) error) error
	// Tell is told how a session stands: "running", "ended" or "failed". Of one that somebody
	// else has it is told when they are done with it. Warn is told what does not work, and in
	// which session; that is empty for what concerns all. Nil means nobody. What Warn is told
	// may contain secrets, and nothing that calls contain.
	Tell func(session, state string)
	Warn func(what, session string, err error)
	// Interrupted is told of a session with which the crew goes on because the process that had
	// it ended in the middle of its work. Nil means nobody.
	Interrupted func(session string)
	// Now is the clock; nil means the usual one.
	Now func() time.Time
}

// Crew is at work as long as [Crew.Work] is. It is safe for concurrent use. A nil one is that
// of somebody whose sessions go on elsewhere: it does nothing and knows of nothing.
type Crew struct {
	most int
	// run lets a session go on, and serves says whether it can here. look says what there is
	// to do in it, and sessionOf to which session a ticket belongs that has changed, and from
	// when on one may act on it.
	run       func(ctx context.Context, session string) error
	serves    func(ctx context.Context, session string) (bool, error)
	look      func(ctx context.Context, session string) (duty, error)
	sessionOf func(ctx context.Context, ticket string) (session string, from time.Time, err error)
	// mark marks the calls whose process has died while they ran. sweep does so as well, and
	// finds all sessions in which there is something to do. Stock finds those that only their
	// transcripts name.
	mark  func(ctx context.Context) error
	sweep func(ctx context.Context) (map[string]duty, error)
	stock func(ctx context.Context) ([]string, error)
	// held: another process has a session open. gone are those of some sessions that do not exist any
	// more.
	held func(session string) bool
	gone func(sessions []string) []string
	// left is what somebody has left in a session that nobody has open; nil means that
	// nobody looks.
	left  func(ctx context.Context, session string) leaving
	notes *notebook
	// ledger takes the place of the notes where several machines share the sessions; nil
	// means that they lie on this one.
	ledger ledger
	// tell is told how a session stands, and warn what does not work.
	tell func(session, state string)
	warn func(what string, session string, err error)
	// interrupted is told whose process ended in the middle of its work.
	interrupted func(session string)
	now         func() time.Time

	// heard says that there is something to do in the loop, and drained is closed when
	// nothing new is to be begun.
	heard   chan struct{}
	drained chan struct{}
	drain   sync.Once
	busy    sync.WaitGroup
	sick    atomic.Pointer[error]

	mu      sync.Mutex
	changed []word
	errands map[string]*errand
	line    []string // sessions that are wanted, in their order
	running int
}

// New makes a crew. It does nothing before [Crew.Work].
func New(config Config) *Crew {
	config = config.complete()
	on := records{config, &clerk.Round{}}
	shared, _ := config.Sessions.Depot.(ledger)
	return &Crew{
		most: config.Most, heard: make(chan struct{}, 1), drained: make(chan struct{}), errands: map[string]*errand{},
		notes: &notebook{dir: filepath.Join(config.Dir, "inbox", "going")}, ledger: shared,
		run: on.resume, serves: config.Serves, look: on.dutyOf, sessionOf: on.sessionOf, mark: on.mark, sweep: on.duties, stock: on.stock,
		held: config.Sessions.Held, gone: config.Sessions.GoneOf, left: on.leftIn, tell: config.Tell, warn: config.warnPlainly, interrupted: config.Interrupted, now: config.Now,
	}
}

// complete is a configuration in which nothing is nil that may be.
func (c Config) complete() Config {
	if c.Serves == nil {
		c.Serves = func(context.Context, string) (bool, error) { return true, nil }
	}
	if c.Tell == nil {
		c.Tell = func(string, string) {}
	}
	if c.Warn == nil {
		c.Warn = func(string, string, error) {}
	}
	if c.Interrupted == nil {
		c.Interrupted = func(string) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Hear takes note of tickets that have changed. What nobody tells is found a few seconds later.
func (c *Crew) Hear(list []approval.Change) { c.hear(wordsOf(list)) }

// GoOn lets a session go on whose call was answered in this process a moment ago. Its change
// is heard as those of others are, but that takes a little longer.
func (c *Crew) GoOn(t approval.Ticket) {
	if c == nil || t.Asker != "" {
		return
	}
	c.want(t.Session, t.UnsettledUntil(c.now()), fresh)
	c.nudge()
	runtime.Gosched() // the call goes first, and what the person is shown about it second
}

// Forgive lets a session go on at once whose answer was taken back: no other has to wait for it.
func (c *Crew) Forgive(id string) {
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

// Drain lets the runs end that have begun, however long they take, and begins no other.
// [Crew.Work] returns then.
func (c *Crew) Drain() { c.drain.Do(func() { close(c.drained) }) }

// Sick is why the tickets cannot be looked through; nil when they can.
func (c *Crew) Sick() error {
	if err := c.sick.Load(); err != nil {
		return *err
	}
	return nil
}

// Problem is why a session does not go on; empty when it does, or nobody has tried.
func (c *Crew) Problem(id string) string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.errands[id]; e != nil && !e.running {
		return cmp.Or(e.holder, e.problem)
	}
	return ""
}

// AtWork are the sessions that go on at the moment.
func (c *Crew) AtWork() []string {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []string
	for id, e := range c.errands {
		if e.running {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}
