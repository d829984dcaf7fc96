package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// interrupts is what signals do to a session on the terminal: ^C stops what runs, and
// ends the session when nothing does or when it is pressed again. Once the session ends,
// a further signal ends the process. work runs something that ^C stops.
func (c *conversation) interrupts() (ctx context.Context, work func(func()), stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, endings()...)
	state := &labour{}
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case s := <-ch:
				if s == os.Interrupt && state.interrupt() {
					c.view.Note("", "Interrupted. Ctrl-C again ends the session.")
					c.session.Agent.Interrupt()
					continue
				}
				cancel(errStopped)
				dieOfNext(ch, over)
				return
			case <-over:
				return
			}
		}
	})
	return ctx, state.during, func() {
		signal.Stop(ch)
		close(over)
		watching.Wait()
		cancel(nil)
	}
}

// labour is whether something runs that can be interrupted.
type labour struct {
	mu   sync.Mutex
	runs bool
}

// during runs f as something that can be interrupted once.
func (l *labour) during(f func()) {
	l.set(true)
	defer l.set(false)
	f()
}

func (l *labour) set(runs bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = runs
}

// interrupt reports whether there is something to interrupt, which was not yet.
func (l *labour) interrupt() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.runs
	l.runs = false
	return was
}
