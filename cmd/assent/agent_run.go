package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
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
	// servers are those inside of the host that are still to be connected.
	mu      sync.Mutex
	servers []string
	// abandon ends the work.
	abandon func()
}

// single works off one prompt.
func (c *conversation) single(prompt string) error {
	if prompt == "" {
		return errors.New("there is no prompt (pass it as an argument or on stdin)")
	}
	c.out = wire.NewOutput(c.app.out, c.options.ID, c.format, c.flags.verbose)
	ctx, stop := c.signals()
	defer stop()
	if err := c.open(nil); err != nil {
		return err
	}
	c.session.Agent.Start(ctx, c.session.Source)
	c.last = c.session.Agent.Prompt(ctx, agent.TextPrompt(prompt))
	return c.close()
}

// open makes the session. One that cannot be gone on with is a result like any other:
// who drives assent waits for one.
func (c *conversation) open(asker agent.Asker) (err error) {
	c.options.Emit, c.options.Asker, c.options.Warn, c.options.Named = c.tell, asker, c.caution, c.out.SetSession
	c.session, err = launch.Open(c.options)
	if err == nil {
		return nil
	}
	if missing, ok := errors.AsType[*launch.NoSession](err); ok && c.format != wire.Plain {
		c.out.SetSession(missing.ID)
		c.out.Tell(&wire.Result{Subtype: wire.ErrorDuringExecution, IsError: true, Errors: []string{missing.Error()}})
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
	c.warn(text)
	c.out.Tell(&wire.Informational{Level: "warning", Text: text})
}

// tell prints a message. What a person should know is for standard error where the
// output has no place for it.
func (c *conversation) tell(m wire.Message) {
	if note, ok := m.(*wire.Informational); ok && c.format != wire.StreamJSON {
		if note.Level == "warning" {
			c.warn(note.Text)
		} else {
			c.complain(note.Text)
		}
	}
	c.out.Tell(m)
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
			return errors.New(c.last.Errors[0]) // the other formats have it in the result
		}
		return errNo
	}
	return nil
}
