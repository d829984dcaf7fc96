package driver

import (
	"context"
	"errors"

	"github.com/assent-dev/assent/wire"
)

// work is a prompt that the program works off.
type work struct {
	uuid string
	// begun: the program has printed the prompt again, so that what follows is about it.
	begun bool
	// failed: a result that came before that was an error. The program may end with it.
	failed bool
	heard  chan struct{} // closed when the result has come
	done   chan struct{} // closed when it was told
}

// notice looks at a message that has come: whether it is meant for somebody, and which
// work it ends.
func (d *Driver) notice(m wire.Message) (ends *work, meant bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id := wire.SessionOf(m); id != "" {
		d.session = id
	}
	switch m := m.(type) {
	case *wire.User:
		if d.options.Replays && m.Replay && d.work != nil && m.UUID == d.work.uuid {
			d.work.begun = true
			return nil, false
		}
	case *wire.Result:
		d.last = m
		if d.leftOpen != nil {
			d.leftOpen = new(len(m.Deferred) > 0 || m.IsError)
		}
		if d.work == nil {
			d.early, m.TakenUp = true, d.options.Replays && !d.begun // a program may not wait for a prompt
			break
		}
		if d.options.Replays && !d.work.begun {
			d.work.failed, m.TakenUp = m.IsError, !m.IsError // after a failure there is no more to come
			break
		}
		ends, d.work = d.work, nil
		close(ends.heard)
	}
	return ends, true
}

type userLine struct {
	Type    string      `json:"type"`
	Message userMessage `json:"message"`
	Parent  *string     `json:"parent_tool_use_id"`
	Session string      `json:"session_id"`
	UUID    string      `json:"uuid"`
}

type userMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Prompt gives the program a prompt, and returns when its result was told. When ctx ends
// the program is interrupted; one that does not stop then is ended. An error is about the
// program as a whole, or ctx.
func (d *Driver) Prompt(ctx context.Context, text string) error {
	return d.carryOut(ctx, text, &work{})
}

func (d *Driver) carryOut(ctx context.Context, text string, w *work) error {
	d.prompts.Add(1)
	defer d.prompts.Done()
	w.uuid, w.heard, w.done = wire.NewUUID(), make(chan struct{}), make(chan struct{})
	d.mu.Lock()
	d.work, d.begun = w, true
	d.mu.Unlock()
	err := d.out.send(userLine{Type: "user", Message: userMessage{"user", text}, Session: d.SessionID(), UUID: w.uuid})
	if err != nil && !errors.Is(err, errUnsent) {
		return err
	}
	select {
	case <-w.done:
		return nil
	case <-d.told:
		return d.cutShort(w)
	case <-ctx.Done():
		return errors.Join(d.stop(w), context.Cause(ctx))
	case <-d.working.Done():
		return errors.Join(d.stop(w), ErrClosed)
	}
}

// cutShort is for a program that has ended with the work undone: it is in order only where
// a result has said that nothing else will come.
func (d *Driver) cutShort(w *work) error {
	select {
	case <-w.done: // the result was the last thing it said
		return nil
	default:
	}
	d.mu.Lock()
	reported := d.reported
	d.mu.Unlock()
	switch {
	case w.failed:
		return nil
	case reported:
		return ErrClosed
	}
	return d.exited()
}

// stop ends the work: with an interrupt, and if that does not help with the program.
func (d *Driver) stop(w *work) error {
	ctx, cancel := context.WithTimeout(context.Background(), d.options.Patience.Stop)
	defer cancel()
	_, err := d.request(ctx, "interrupt", nil)
	if err == nil {
		select {
		case <-w.heard:
		case <-d.gone:
		case <-ctx.Done():
			err = ErrStubborn
		}
	}
	if err != nil {
		if !errors.Is(err, ErrStubborn) {
			err = errors.Join(ErrStubborn, err)
		}
		d.fail(err)
		<-d.told
		return d.exited()
	}
	select {
	case <-w.done:
		return nil
	case <-d.told:
		return d.cutShort(w)
	}
}

// TakeUp has the program take up what waits in a session that goes on, with no prompt
// behind it, and returns when that is done. done is false when nothing has waited. A program
// that does not say whether something waits ([Driver.SaysWhatWaits]) takes it up when its
// input ends, at the latest: it can ask nothing then, and ends with it.
func (d *Driver) TakeUp(ctx context.Context) (done bool, err error) {
	d.mu.Lock()
	before, early, leftOpen := d.last, d.early, d.leftOpen
	d.mu.Unlock()
	switch {
	case leftOpen != nil && !*leftOpen:
		return false, nil
	case leftOpen != nil:
		return true, d.carryOut(ctx, "", &work{begun: true})
	}
	d.prompts.Add(1)
	defer d.prompts.Done()
	d.out.finish()
	select {
	case <-d.told:
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-d.working.Done():
		err = ErrClosed
	}
	if err != nil {
		d.fail(err) // it can be told nothing any more
		<-d.told
		return false, err
	}
	d.mu.Lock()
	done = early || d.last != before
	exit := d.exit
	d.mu.Unlock()
	if exit.Cause != nil || !done && exit.Code != 0 {
		return done, d.exited()
	}
	return done, nil
}

// SaysWhatWaits reports whether the program has said if something waits, so that it can be
// told to take it up and be answered meanwhile.
func (d *Driver) SaysWhatWaits() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.leftOpen != nil
}

// Interrupt ends what the program is doing; the result of the prompt follows.
func (d *Driver) Interrupt(ctx context.Context) error {
	_, err := d.request(ctx, "interrupt", nil)
	return err
}

// SetPermissionMode changes the permission mode.
func (d *Driver) SetPermissionMode(ctx context.Context, mode string) error {
	_, err := d.request(ctx, "set_permission_mode", map[string]any{"mode": mode})
	return err
}

// SetModel changes the model.
func (d *Driver) SetModel(ctx context.Context, name string) error {
	_, err := d.request(ctx, "set_model", map[string]any{"model": name})
	return err
}
