package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/internal/process"
)

// signals ends the work when somebody presses ^C, ends the process, closes its terminal,
// or reads the output no more. What was done is recorded and the result is told; a
// second signal ends the process at once.
func (c *conversation) signals() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	c.abandon = func(why error) {
		cancel(why)
		c.out.Hurry()
	}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, endings()...)
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
				c.abandon(errStopped)
				crashpoint.Here("stop: told")
				dieOfNext(ch, over)
				return
			case <-gone:
				gone = nil
				c.abandon(errStopped)
			case <-over:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		signal.Stop(pipes)
		close(over)
		cancel(nil)
	}
}

// dieOfNext waits for one more signal, and ends the process with it at once. What it has
// started ends as well: nobody else would see to that.
func dieOfNext(ch <-chan os.Signal, over <-chan struct{}) {
	select {
	case s := <-ch:
		process.KillAll()
		signal.Reset(s)
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Signal(s)
		}
		time.Sleep(time.Second) // a signal takes its time
		os.Exit(statusNo)
	case <-over:
	}
}

// errStopped is why the work ends: a person at a terminal is told.
var errStopped = errors.New("stopped")

// endings are the signals that end the work.
//
// The first process that a program starts makes Go try out what the system can do, with a
// copy of this process that shares its memory and its handlers: a ^C in that moment, which
// the copy gets as well, arrives twice or crashes both. So it is tried out before anybody
// listens to signals.
func endings() []os.Signal {
	_, _ = os.FindProcess(os.Getpid())
	ends := []os.Signal{syscall.SIGTERM}
	// nohup wants the work to outlive the terminal, and a shell that puts it into the
	// background wants a ^C to be for others.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			ends = append(ends, s)
		}
	}
	return ends
}
