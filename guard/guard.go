// Package guard stands between an agent and its tools: it reads one hook event,
// decides by the settings of the place where the agent works, and answers in the
// agent's dialect.
//
// Start with [Run]. It decides with the same settings, trust, rules and checks as
// `assent check`. That works in the directory it is told; the guard finds out where the
// project is, and what lies around that restricts as well. The agent keeps its own
// prompts and its own rules; the guard only ever adds to them.
//
// The promise: whatever happens, there is an answer, and one that was not decided is
// a denial. Input that cannot be read, a broken settings file, a directory that is
// gone, a fault in assent itself and a deadline that passes all end in a denial that
// says so.
package guard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// DefaultDeadline is shorter than the time any agent gives its hooks: most agents
// let a call through when that has passed.
const DefaultDeadline = 5 * time.Second

// Options say for whom and by what to decide.
type Options struct {
	Agent dialect.Agent
	// Stdin is where the event comes from.
	Stdin io.Reader
	// Deadline is how long the answer may take; zero means [DefaultDeadline]. The time that
	// a call is held comes on top of it; a deadline that is given holds a call only if the
	// settings say how long.
	Deadline time.Duration
	// Settings say where the settings are found. An empty Dir means the project of the
	// event; the event's mode counts before Mode.
	Settings settings.Options
	// Project is the project as the agent names it to its hooks, if it does. The
	// directories of a workspace that the event names count beside it.
	Project string
	// Links reads the links of the file system; nil means that there are none.
	Links permission.Links
	// Cwd is the working directory for an event that names none.
	Cwd string
	// Hold keeps calls for people to answer; nil means that nobody is asked, so that a
	// question is a denial where the agent cannot ask.
	Hold Holder
	// HoldFor holds every question for so long, whatever the agent can and the settings say;
	// zero means that they count.
	HoldFor time.Duration
	// Wait is how long a call is held, in place of what the settings say, if WaitGiven.
	Wait      time.Duration
	WaitGiven bool
	// Record writes decisions down, if the settings want it; nil means that it cannot.
	Record func(audit.Record) error
}

// Judge is what is told about one event, for those who say it in other words than the hooks
// of an agent. Nothing limits how long it takes: who waits for it may end the holder.
func Judge(o Options, event []byte) (outcome dialect.Outcome, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			outcome, err = dialect.Outcome{}, fmt.Errorf("internal error: %v (please report it)", fault)
		}
	}()
	g := newGuard(o)
	g.data, g.extend = event, func(time.Duration) {}
	e, err := dialect.Parse(o.Agent, event)
	if err != nil {
		return dialect.Outcome{}, err
	}
	return g.outcome(&e)
}

// Run answers the event on Stdin. It never panics, and returns by the deadline, or
// when ctx ends.
func Run(ctx context.Context, o Options) dialect.Reply {
	g := newGuard(o)
	answer := make(chan dialect.Reply, 1)
	give := func(r dialect.Reply) { answer <- r }
	go func() { give(g.run(give)) }()
	select {
	case reply := <-answer:
		return reply
	case <-ctx.Done():
		return dialect.Failure(*g.event.Load(), ctx.Err())
	}
}

// RunHere is [Run] for a process that lives for one event: it works on the goroutine
// that calls it, because a second one costs as much as many a decision. If the
// deadline passes that goroutine is stuck and late gets the answer instead; it must
// end the process. There is one answer: once late is called, RunHere does not return.
func RunHere(o Options, late func(dialect.Reply)) dialect.Reply {
	return newGuard(o).run(late)
}

func newGuard(o Options) *guard {
	limited := o.Deadline != 0
	if !limited {
		o.Deadline = DefaultDeadline
	}
	g := &guard{Options: o, limited: limited}
	g.event.Store(&dialect.Event{Agent: o.Agent})
	return g
}

// run lets the decision and the deadline race; the first to finish answers.
func (g *guard) run(late func(dialect.Reply)) dialect.Reply {
	var answered atomic.Bool
	deadline := time.AfterFunc(g.Deadline, func() {
		if answered.CompareAndSwap(false, true) {
			late(dialect.Failure(*g.event.Load(), g.late()))
		}
	})
	defer deadline.Stop()
	g.extend = func(d time.Duration) { deadline.Reset(d) }
	reply := g.answer()
	if !answered.CompareAndSwap(false, true) {
		runtime.Goexit() // the answer has been given
	}
	return reply
}

type guard struct {
	Options
	// event is as much as is known of the event, for a failure at any moment.
	event atomic.Pointer[dialect.Event]
	// data is the event as it was written.
	data []byte
	// limited: somebody has said how long an answer may take.
	limited bool
	phase   atomic.Int32
	// extend gives the answer so much time from now on.
	extend func(time.Duration)
}

// The phases of an answer.
const (
	deciding int32 = iota
	holding
)

func (g *guard) late() error {
	what := "the event has not come"
	switch {
	case g.phase.Load() == holding:
		return errors.New("it needs a person, and the inbox does not answer (see that `assent serve` works, and `assent sessions list`)")
	case g.event.Load().Kind != 0:
		what = "the decision has not been made"
	}
	return fmt.Errorf("%s within %v (--deadline)", what, g.Deadline)
}

// answer does the work. A fault in assent is a failure like any other.
func (g *guard) answer() (reply dialect.Reply) {
	defer func() {
		if fault := recover(); fault != nil {
			reply = dialect.Failure(*g.event.Load(), fmt.Errorf("internal error: %v (please report it)", fault))
		}
	}()
	event, err := g.read()
	g.event.Store(&event)
	if err != nil {
		return dialect.Failure(event, err)
	}
	if event.Kind == dialect.Notice {
		return dialect.Answer(event, dialect.Outcome{})
	}
	outcome, err := g.outcome(&event)
	if err != nil {
		return dialect.Failure(event, err)
	}
	return dialect.Answer(event, outcome)
}

// outcome is what is told about an event: the decision, or what people say where it is a
// question for them.
func (g *guard) outcome(event *dialect.Event) (dialect.Outcome, error) {
	began := time.Now()
	d, err := g.decide(event)
	if err != nil {
		return dialect.Outcome{}, err
	}
	told := d.outcome
	if told.Behavior == permission.Ask {
		if told, err = g.ask(event, &d); err != nil {
			told = dialect.Outcome{Behavior: permission.Deny, Reason: err.Error()}
		}
	}
	if unrecorded := g.record(event, &d, told, began); unrecorded != nil && err == nil {
		err = unrecorded
	}
	return told, err
}

func (g *guard) read() (dialect.Event, error) {
	data, err := io.ReadAll(io.LimitReader(g.Stdin, dialect.MaxInput+1))
	if err != nil {
		return dialect.Event{Agent: g.Agent}, fmt.Errorf("standard input: %w", err)
	}
	g.data = data
	return dialect.Parse(g.Agent, data)
}
