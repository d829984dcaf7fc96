package terminal

import (
	"context"
	"io"
)

// device is a terminal as far as this package needs one.
type device interface {
	io.Writer
	// fresh throws away what was typed until now, and returns when nothing has been typed
	// for a moment: what comes next was meant for what stands on the screen.
	fresh(ctx context.Context) error
	// line reads a line. io.EOF means that the person ended the input.
	line(ctx context.Context) (string, error)
	// width is how many columns there are.
	width() int
	close() error
}
