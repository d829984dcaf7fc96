package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// signals ends the work when somebody presses ^C, ends the process, closes its terminal,
// or reads the output no more. What was done is recorded and the result is told; a
// second signal ends the process at once.
func (c *conversation) signals() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	c.abandon = func() {
		cancel()
		c.out.Hurry()
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants the work to outlive the terminal
		ends = append(ends, syscall.SIGHUP)
	}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, ends...)
	// Without this the process would die over the first line that nobody reads, and leave
	// behind what it has started. To ignore the signal would do as well, but what is
	// ignored stays so in all commands of the session.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	over := make(chan struct{})
	go func() {
		gone := c.out.Gone()
		for {
			select {
			case <-ch:
				signal.Reset(ends...)
				c.abandon()
				return
			case <-gone:
				gone = nil
				c.abandon()
			case <-over:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		signal.Stop(pipes)
		close(over)
		cancel()
	}
}
