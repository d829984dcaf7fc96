package assent

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/assent-dev/assent/permission"
)

// Client is a session for several prompts, one after the other. Its methods may be called
// from any goroutine, also while a prompt is worked off and from inside of its loop.
type Client struct {
	engine  engine
	options *config
	stream  stream

	mu     sync.Mutex
	job    *job // the prompt in work; nil for none
	closed bool

	ending sync.Once
	ended  error
}

// engine is what works off the prompts: a session in this process, or a program that
// is driven.
type engine interface {
	// work works off one prompt and tells the stream what happens. It returns when the
	// result has been told. An error is about the session as a whole. It is not called
	// again before it has returned, and never after close.
	work(ctx context.Context, prompt string) error
	interrupt(ctx context.Context) error
	setMode(ctx context.Context, mode permission.Mode) error
	setModel(ctx context.Context, name string) error
	sessionID() string
	close(ctx context.Context) error
}

// farewell is how long hooks and servers get when a session ends.
const farewell = 30 * time.Second

// Open makes a session. ctx ends the attempt, not the session. Close it: without that MCP
// servers and an external program go on running, nobody else can go on with the session
// while this process lives, SessionEnd hooks do not run, and settings that are still to be
// written may be lost.
func Open(ctx context.Context, options ...Option) (*Client, error) {
	c, err := configure(options)
	if err != nil {
		return nil, err
	}
	return open(ctx, c)
}

func open(ctx context.Context, options *config) (*Client, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c := &Client{options: options, stream: stream{hookEvents: options.hookEvents}}
	var err error
	if options.program != nil {
		c.engine, err = openExternal(ctx, options, c.stream.tell)
	} else {
		c.engine, err = openInProcess(ctx, options, c.stream.tell)
	}
	if err != nil {
		c.warnUnread()
		return nil, err
	}
	return c, nil
}

// Query works off one prompt and yields what happens, up to its [*Result]; see the
// function [Query], also for a result that may come before. The conversation goes on: the
// model knows what came before.
func (c *Client) Query(ctx context.Context, prompt string) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		j, err := c.begin(ctx, prompt)
		if err != nil {
			yield(nil, err)
			return
		}
		defer c.finish(j) // also when the body of the loop panics
		for m := range j.reader.all() {
			if !yield(m, nil) {
				return
			}
		}
		<-j.done
		if err := j.outcome(ctx); err != nil {
			yield(nil, err)
		}
	}
}

// job is the work on one prompt.
type job struct {
	reader *reader
	stop   context.CancelFunc
	done   chan struct{} // closed when nobody works any more
	err    error         // to be read after done
}

// begin lets the work on a prompt start.
func (c *Client) begin(ctx context.Context, prompt string) (*job, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, ErrClosed
	case c.job != nil:
		return nil, ErrBusy
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	if err := checkPrompt(prompt); err != nil {
		return nil, err
	}
	work, stop := context.WithCancel(ctx)
	j := &job{reader: c.stream.open(), stop: stop, done: make(chan struct{})}
	c.job = j
	go func() {
		defer j.reader.finish()
		defer close(j.done)
		j.err = c.engine.work(work, prompt)
	}()
	return j, nil
}

// checkPrompt says what is wrong with a prompt, wherever it would be worked off.
func checkPrompt(prompt string) error {
	switch {
	case !utf8.ValidString(prompt):
		return errors.New("the prompt is not valid UTF-8, so it cannot be sent or written down (see strings.ToValidUTF8)")
	case prompt != "" && strings.TrimSpace(prompt) == "":
		return errors.New("the prompt is blank (say what to do; an empty one goes on with calls that wait)")
	}
	return nil
}

// outcome is what went wrong with the session, or with the wish of the caller.
func (j *job) outcome(ctx context.Context) error {
	if j.err == nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return j.err
}

// end ends the work and returns when nothing of it goes on. Nobody waits for a reader
// any more.
func (j *job) end() {
	j.stop()
	j.reader.release()
	<-j.done
}

// finish makes room for the next prompt.
func (c *Client) finish(j *job) {
	j.end()
	j.reader.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.job = nil
}

// Interrupt ends what the agent is doing: the model's answer, a question, a tool. The
// result of the prompt follows, and the session can go on. Without a prompt in work it
// does nothing.
func (c *Client) Interrupt(ctx context.Context) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	return c.engine.interrupt(ctx)
}

// SetPermissionMode changes the mode for all decisions that follow.
func (c *Client) SetPermissionMode(ctx context.Context, mode permission.Mode) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	return c.engine.setMode(ctx, mode)
}

// SetModel changes the model from the next request on. The provider stays the same: whether
// it has a model of that name shows with the request, and one given with [Provider] may take
// the name for no more than that.
func (c *Client) SetModel(ctx context.Context, name string) error {
	if err := c.ready(ctx); err != nil {
		return err
	}
	if name == "" {
		return errors.New("a model needs a name (that of the first one goes back to it)")
	}
	return c.engine.setModel(ctx, name)
}

// ready says why nothing can be changed: the session has ended, or nobody wants it any more.
func (c *Client) ready(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	return context.Cause(ctx)
}

// SessionID is what [Resume] takes, and `assent sessions show`. An external program names
// its session with its first message: until then it is empty.
func (c *Client) SessionID() string { return c.engine.sessionID() }

// Close ends the session and waits for what is still going on: SessionEnd hooks, settings
// that are being written. A prompt in work is interrupted; its loop gets what is left to
// tell. Further calls return the same.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	j := c.job
	c.mu.Unlock()
	c.ending.Do(func() {
		if j != nil {
			j.end()
		}
		ctx, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		c.ended = c.engine.close(ctx)
		if j == nil {
			c.warnUnread()
		}
	})
	return c.ended
}

// warnUnread passes on the warnings that no loop is going to yield.
func (c *Client) warnUnread() {
	for _, m := range c.stream.rest() {
		if note, ok := m.(*Informational); ok {
			c.options.warning(note.Text)
		}
	}
}
