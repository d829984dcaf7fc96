package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/agent/terminal"
	"github.com/assent-dev/assent/wire"
)

// farewell is how long hooks get when a session ends.
const farewell = 30 * time.Second

// conversation is one run of the agent.
type conversation struct {
	*app
	flags   *agentFlags
	options launch.Options
	format  wire.Format

	out     *wire.Output
	host    *wire.Host
	session *launch.Session
	last    *wire.Result
	// driven is what a host has said about the session.
	driven
	// abandon ends the work.
	abandon func(why error)
	// questions is the person at the terminal, if there is one, and view what they see of
	// a session there.
	questions *terminal.Asker
	view      *terminal.View
}

// single works off one prompt.
func (c *conversation) single(prompt string) error {
	if prompt == "" && !c.options.OnlyPending {
		return errors.New("there is no prompt (pass it as an argument or on stdin)")
	}
	asker, release, err := c.person()
	if err != nil {
		return err
	}
	defer release()
	c.out = wire.NewOutput(c.app.out, c.options.ID, c.format, c.flags.verbose)
	ctx, stop := c.signals()
	defer stop()
	if err := c.open(ctx, asker); err != nil {
		return err
	}
	c.session.Agent.Start(ctx, c.session.Source)
	if prompt == "" {
		c.takeUp(ctx)
	} else {
		c.last = c.session.Agent.Prompt(ctx, agent.TextPrompt(prompt))
	}
	return c.close()
}

// open makes the session, unless ctx ends meanwhile. One that cannot be gone on with is a
// result like any other, and so is a prompt that was interrupted: who drives assent waits
// for one.
func (c *conversation) open(ctx context.Context, asker agent.Asker) (err error) {
	c.options.Context = ctx
	c.options.Emit, c.options.Asker, c.options.Warn, c.options.Named = c.tell, asker, c.caution, c.out.SetSession
	c.session, err = launch.Open(c.options)
	if err == nil {
		return nil
	}
	missing, isMissing := errors.AsType[*launch.NoSessionError](err)
	if isMissing {
		if missing.ID != "" {
			c.out.SetSession(missing.ID)
		}
		err = missing
	}
	stopped := errors.Is(err, errStopped)
	if stopped {
		err = errors.New("interrupted")
	}
	if (isMissing || stopped && c.host == nil) && c.format != wire.Plain {
		c.out.Tell(&wire.Result{Subtype: wire.ErrorDuringExecution, IsError: true, Errors: []string{err.Error()}})
		err = errNo // the result says why
	}
	return worse(err, c.out.Close())
}

// worse joins errors. Where one of them has something to say, "no" is not the answer.
func worse(err, other error) error {
	switch {
	case err == nil || err == errNo && other != nil:
		return other
	case other == nil || other == errNo:
		return err
	}
	return errors.Join(err, other)
}

// caution says something about the session as a whole: on standard error for the person
// who started it, and among the messages for who drives it.
func (c *conversation) caution(text string) {
	if c.view != nil {
		c.view.Note("warning", text)
		return
	}
	c.warn(text)
	c.out.Tell(&wire.Informational{Level: "warning", Text: text})
}

// tell prints a message. What a person should know is for standard error where the
// output has no place for it.
func (c *conversation) tell(m wire.Message) {
	if c.questions != nil {
		c.questions.Observe(m)
	}
	if c.view != nil {
		c.view.Tell(m)
		return
	}
	if note, ok := m.(*wire.Informational); ok && c.format != wire.StreamJSON {
		if note.Level == "warning" {
			c.warn(note.Text)
		} else {
			c.complain(note.Text)
		}
	}
	c.weigh(m)
	if !c.withheld(m) {
		c.out.Tell(c.shown(m))
	}
}

// close ends the session; its error is why the exit status is 1.
func (c *conversation) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	ended, printed := c.session.Close(ctx), c.out.Close()
	if errors.Is(printed, wire.ErrOutputGone) && !c.options.Forget {
		printed = fmt.Errorf("%w (what was done is recorded; go on with --resume %s)", printed, c.session.ID)
	}
	err := errors.Join(ended, printed)
	switch {
	case err != nil:
		return err
	case c.last != nil && c.last.IsError:
		if c.format == wire.Plain && len(c.last.Errors) > 0 {
			return errors.New(strings.Join(c.last.Errors, "; ")) // the other formats have it in the result
		}
		return errNo
	}
	c.tellWaiting()
	return nil
}

// tellWaiting says that calls wait where the output has no place for it. Without it a run
// that ends so would say nothing at all.
func (c *conversation) tellWaiting() {
	n := len(c.session.Agent.Waiting())
	switch {
	case n == 0 || c.format != wire.Plain || c.view != nil:
	case c.options.Forget:
		c.complain(fmt.Sprintf("%s for an answer, and nobody can give one: the session is not kept (leave --no-session-persistence out)", waiting(n)))
	default:
		c.complain(fmt.Sprintf("%s for an answer: assent sessions show %s", waiting(n), c.session.ID))
	}
}
