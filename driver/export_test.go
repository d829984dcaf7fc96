package driver

import (
	"context"

	"github.com/assent-dev/assent/wire"
)

// WithRoom is the options of a program for which less may wait.
func (o Options) WithRoom(bytes int) Options {
	o.maxUnread = bytes
	return o
}

// WithFewUntold is the options of a program that waits for who is told about each message.
func (o Options) WithFewUntold() Options {
	o.maxUntold = 100
	return o
}

// Gone is closed when the program has ended and it is known how.
func (d *Driver) Gone() <-chan struct{} { return d.gone }

// AwaitTooLate waits for an answer that has come from a program that is gone.
func AwaitTooLate(ctx context.Context, c wire.Control) (wire.Control, error) {
	d := &Driver{gone: make(chan struct{})}
	close(d.gone)
	answer := make(chan wire.Control, 1)
	answer <- c
	return d.await(ctx, answer)
}
