package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

const (
	// maxUrgent is how much may be queued without waiting for room: what a host is
	// answered. One that asks for more than that and reads nothing is not worth serving.
	// A long answer is no sign of that: it counts as longUrgent.
	maxUrgent  = 1 << 20
	longUrgent = maxUrgent / 8
	// grace is how long a reader that has stopped reading is waited for once somebody
	// is in a hurry.
	grace = 2 * time.Second
	// piece is how much is written at once. A reader that takes a piece is alive.
	piece = 64 << 10
)

// control prints a message of the control protocol. Those are lines in every format:
// who asks for them reads lines. It waits for room until ctx ends.
func (o *Output) control(ctx context.Context, v any) error {
	text, err := strictjson.Marshal(v)
	if err != nil {
		return err
	}
	return o.line(ctx, text)
}

// reply prints a message of the control protocol without waiting for room.
func (o *Output) reply(v any) error {
	text, err := strictjson.Marshal(v)
	if err != nil {
		return err
	}
	return o.pass(text)
}

// line queues a line. It waits while too much is queued.
func (o *Output) line(ctx context.Context, text []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.queue.Len() > maxQueued && o.usable() == nil {
		room := o.room
		o.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
		}
		o.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return o.push(text)
}

// pass queues a line that must not wait.
func (o *Output) pass(text []byte) error {
	o.mu.Lock()
	o.urgent += min(len(text), longUrgent)
	full := o.urgent > maxUrgent
	o.mu.Unlock()
	if full {
		o.fail(fmt.Errorf("%w: the host sends requests and does not read what it is answered", ErrOutputGone))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.push(text)
}

// push adds a line to the queue; the caller holds the lock.
func (o *Output) push(text []byte) error {
	if err := o.usable(); err != nil {
		return err
	}
	o.queue.Write(text)
	o.queue.WriteByte('\n')
	o.nudge()
	return nil
}

func (o *Output) usable() error {
	switch {
	case o.err != nil:
		return o.err
	case o.closed:
		return ErrOutputGone
	}
	return nil
}

func (o *Output) nudge() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// makeRoom lets those go on that wait for room; the caller holds the lock.
func (o *Output) makeRoom() {
	close(o.room)
	o.room = make(chan struct{})
}

// write is the goroutine that writes. It takes all that is queued at once.
func (o *Output) write(w io.Writer) {
	defer close(o.written)
	for {
		o.mu.Lock()
		text := bytes.Clone(o.queue.Bytes())
		o.queue.Reset()
		o.urgent = 0
		end := o.closed && len(text) == 0
		o.makeRoom()
		o.mu.Unlock()
		if end {
			return
		}
		if len(text) == 0 {
			<-o.wake
			continue
		}
		if err := o.writeAll(w, text); err != nil {
			o.fail(fmt.Errorf("%w: %w", ErrOutputGone, err))
			return
		}
	}
}

// writeAll writes piece by piece, so that one can tell a slow reader from none.
func (o *Output) writeAll(w io.Writer, text []byte) error {
	defer o.writes(time.Time{})
	for len(text) > 0 {
		o.writes(time.Now())
		n, err := w.Write(text[:min(len(text), piece)])
		if err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

func (o *Output) writes(since time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun = since
}

func (o *Output) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
		close(o.gone)
		o.makeRoom()
	}
}

// errStuck is why an output is gone whose reader was given up.
var errStuck = errors.New("nobody has read it for a while")

// Hurry says that the work is to end: a reader that has stopped reading is waited for
// only a moment from now on. One that reads gets everything.
func (o *Output) Hurry() { o.hurry.Do(func() { go o.lookAfter() }) }

// lookAfter gives up a reader that reads nothing.
func (o *Output) lookAfter() {
	hurried := time.Now()
	for wait := grace; wait > 0; wait = o.patience(hurried) {
		select {
		case <-time.After(wait):
		case <-o.written:
			return
		}
	}
	o.fail(fmt.Errorf("%w: %w", ErrOutputGone, errStuck))
	close(o.stuck)
}

// patience is how much longer the reader may take.
func (o *Output) patience(hurried time.Time) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.begun.IsZero(): // nothing waits for it
		return grace
	case o.begun.After(hurried):
		hurried = o.begun
	}
	return grace - time.Since(hurried)
}
