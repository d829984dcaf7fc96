package assent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/assent-dev/assent/driver"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// program is an external agent.
type program struct {
	path string
	args []string
}

// External drives a program that speaks the control protocol, in place of a session in
// this process: `assent`, or the vendor's own. args come before the flags that the other
// options stand for. The program works with the environment of this process: it finds
// its home, its state and its model there.
//
// Hooks, tools and functions that answer questions run in this process, as ever. What
// they return in error, in panic or too late refuses the call. Some things are different:
//
//   - The program does not wait for the body of the loop. Only what it asks does: a
//     question, a hook or a tool of this process is not called before the body is done
//     with the messages that came before.
//   - [Provider], [Home] and [StateDir] mean nothing to a program; with them [Open] fails.
//   - The vendor's program takes up calls that wait as soon as it has started. With an empty
//     prompt its input ends, and it can ask nothing any more: with hooks, tools or a function
//     that answers questions that is an error.
//   - Hooks share [hook.State] among themselves, for as long as the client lives, and not
//     with those of the program.
//   - [DeferBatch], [Classifier] and [TrustWorkspace] are flags that only assent has. The
//     vendor's program calls no SessionStart hooks of others, and of two hooks that change
//     one input only the last counts there.
func External(path string, args ...string) Option {
	return func(c *config) error {
		if path == "" {
			return errors.New("assent.External needs the path of a program")
		}
		c.program = &program{path, args}
		return nil
	}
}

// ExitError is an external program that has ended before its work was done, or had to be
// ended.
type ExitError = driver.ExitError

// externalSession is a session of another program.
type externalSession struct {
	config *config
	driver atomic.Pointer[driver.Driver] // nil until it has started
}

func openExternal(ctx context.Context, c *config, tell func(Message)) (engine, error) {
	if len(c.own) > 0 {
		return nil, fmt.Errorf("an external program knows nothing of assent.%s (leave it out; the environment of this process says where the program finds things)",
			strings.Join(c.own, ", assent."))
	}
	args, err := c.flags()
	if err != nil {
		return nil, err
	}
	e := &externalSession{config: c}
	warn := func(text string) {
		m := &Informational{Level: "warning", Text: text}
		wire.Mark(m, e.sessionID())
		tell(m)
	}
	o := driver.Options{
		Path: c.program.path, Args: args, Dir: c.Settings.Dir, Home: c.Settings.Home, Replays: c.goesOn(), Tell: tell, Warn: warn,
		Hooks: c.hooks, Links: c.Links,
	}
	if c.canUseTool != nil {
		a := asker{c.canUseTool, c.callbacks, warn}
		o.CanUseTool = func(ctx context.Context, q driver.Question) (permission.Answer, error) {
			return a.ask(ctx, ToolCall(q))
		}
	}
	if c.elicit != nil {
		o.Elicit = elicitor{c.elicit, c.callbacks}.Elicit
	}
	for _, f := range c.functions {
		o.Servers = append(o.Servers, f)
	}
	d, err := driver.Start(ctx, o)
	e.driver.Store(d)
	if err != nil {
		for _, f := range c.functions {
			f.Close()
		}
		return nil, c.noSession(err)
	}
	for _, text := range c.misnamed() {
		warn(text)
	}
	return e, nil
}

// noSession tells a session that cannot be gone on with from a program that does not
// work: such a program says so in a result, and ends.
func (c *config) noSession(err error) error {
	exit, ok := errors.AsType[*ExitError](err)
	if !ok || !c.goesOn() || exit.Last == nil || !exit.Last.IsError {
		return err
	}
	return &NoSessionError{ID: c.Options.Resume, Err: exit.Last.Err()}
}

func (e *externalSession) work(ctx context.Context, prompt string) error {
	c, d := e.config, e.driver.Load()
	defer c.callbacks.wait()
	if prompt != "" {
		err := e.sessionError(ctx, d.Prompt(ctx, prompt))
		if why := d.Refused(); why != "" && err == nil {
			return &RefusedError{why} // of which the program makes a result like any other
		}
		return err
	}
	switch {
	case !c.goesOn():
		return ErrNothingPending
	case d.SaysWhatWaits():
	case len(c.hooks)+len(c.functions) > 0 || c.canUseTool != nil || c.elicit != nil:
		return errors.New("this program takes up what waits without a prompt only when it can ask nothing any more, and there are hooks, tools or functions here that it would ask (pass a prompt: what waits is taken up first)")
	}
	done, err := d.TakeUp(ctx)
	if err == nil && !done {
		return ErrNothingPending
	}
	return e.sessionError(ctx, err)
}

// sessionError is what is wrong with the session. That ctx has ended is not, as long as the
// program lives on: who has ended it knows.
func (e *externalSession) sessionError(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) && !errors.As(err, new(*ExitError)) {
		return nil
	}
	return closedLike(err)
}

func (e *externalSession) interrupt(ctx context.Context) error {
	return closedLike(e.driver.Load().Interrupt(ctx))
}

func (e *externalSession) setMode(ctx context.Context, mode permission.Mode) error {
	return closedLike(e.driver.Load().SetPermissionMode(ctx, mode.String()))
}

func (e *externalSession) setModel(ctx context.Context, name string) error {
	return closedLike(e.driver.Load().SetModel(ctx, name))
}

// sessionID is what the program says, or was told.
func (e *externalSession) sessionID() string {
	id := ""
	if d := e.driver.Load(); d != nil {
		id = d.SessionID()
	}
	if id != "" || e.config.Fork {
		return id
	}
	if e.config.ID != "" {
		return e.config.ID
	}
	return e.config.Options.Resume
}

func (e *externalSession) close(ctx context.Context) error {
	err := e.driver.Load().Close(ctx)
	for _, f := range e.config.functions {
		f.Close()
	}
	return err
}

// closedLike says that a session has ended in the words of this package.
func closedLike(err error) error {
	if errors.Is(err, driver.ErrClosed) {
		return ErrClosed
	}
	return err
}
