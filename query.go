package assent

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// Query works off one prompt in a session of its own and yields what happens, up to the
// [*Result]. Every loop over it is a new session.
//
// The agent waits while the body of the loop runs: what the body decides, for instance to
// cancel ctx, holds before the next step. To leave the loop ends the session in good order.
// An error is the last thing that is yielded; it is about the session as a whole. How the
// work went is in the result, and [wire.Result.Err] makes an error of that.
//
// A session that is resumed may have calls that wait. If somebody has answered them, they
// are taken up before the prompt and have a result of their own, with TakenUp set: do not
// leave the loop at that one, for the prompt is still to come.
//
// An empty prompt goes on with what a session has left open; see [Resume].
func Query(ctx context.Context, prompt string, options ...Option) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		if err := once(ctx, prompt, options, func(m Message) bool { return yield(m, nil) }); err != nil {
			yield(nil, err)
		}
	}
}

// once is a session for one prompt. Once the loop has been left, an error is for whoever
// gets warnings.
func once(ctx context.Context, prompt string, options []Option, yield func(Message) bool) (err error) {
	c, err := configure(options)
	if err != nil {
		return err
	}
	if err := checkPrompt(prompt); err != nil {
		return err
	}
	if c.OnlyPending = prompt == ""; c.OnlyPending && !c.goesOn() {
		return ErrNothingPending
	}
	client, err := open(ctx, c)
	if err != nil {
		return err
	}
	left := true // until the loop has come to its end: it may be left with a panic, too
	defer func() {
		if ended := client.Close(); err == nil {
			err = ended
		} else if ended != nil {
			err = errors.Join(err, ended)
		}
		if left && err != nil {
			c.warning(err.Error())
			err = nil
		}
	}()
	for m, failed := range client.Query(ctx, prompt) {
		if failed != nil {
			err = failed
		} else if !yield(m) {
			return nil
		}
	}
	left = false
	return err
}

// Run is [Query] for who only wants to know how it ended. The error is that of the
// session, or that of the result, which is there all the same then. What a person should
// know goes to [Warn].
func Run(ctx context.Context, prompt string, options ...Option) (*Result, error) {
	var last *Result
	var notes *config // who is told
	heed := func(c *config) error {
		notes = c
		return nil
	}
	for m, err := range Query(ctx, prompt, append(slices.Clone(options), heed)...) {
		if err != nil {
			return last, err
		}
		switch m := m.(type) {
		case *Result:
			last = m
		case *Informational:
			notes.warning(m.Text)
		}
	}
	if last == nil {
		return nil, errors.New("the session has ended without a result")
	}
	return last, last.Err()
}
