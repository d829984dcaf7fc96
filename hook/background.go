package hook

import (
	"context"
	"sync"
	"time"
)

// patience is how long the runner waits for a hook that was told to end. A handler
// that keeps its promise needs far less.
const patience = 5 * time.Second

// background keeps track of the hooks that nobody waits for until the session ends.
type background struct {
	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
	ctx     context.Context // ends when they are abandoned
	abandon context.CancelFunc
}

func newBackground() *background {
	b := &background{}
	b.ctx, b.abandon = context.WithCancel(context.Background())
	return b
}

// start runs work in the background; false after the session's end.
func (b *background) start(work func(ctx context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.running.Go(func() { work(b.ctx) })
	return true
}

// adopt takes over a hook that goes on after its reply. Its handler ends it when its
// time is over; ended is told how it ended.
func (b *background) adopt(reply Reply, ended func(end Reply)) {
	watched := b.start(func(ctx context.Context) {
		select {
		case <-reply.Background:
		case <-ctx.Done():
			reply.abandon()
		}
		ended(reply.end())
	})
	if !watched {
		reply.abandon()
		ended(reply.end())
	}
}

// abandon ends what goes on after a reply, and waits for that, but not for ever.
func (reply Reply) abandon() {
	if reply.Abandon != nil {
		shielded(reply.Abandon)
	}
	await(reply.Background, patience)
}

// end is how what went on after a reply has ended.
func (reply Reply) end() (end Reply) {
	if !isClosed(reply.Background) {
		return failed(Cancelled, "it did not end when it was told to and was left behind")
	}
	if reply.Ended != nil {
		end = failed(Crashed, "its handler cannot say how it ended")
		shielded(func() { end = reply.Ended() })
	}
	return end
}

// shielded calls code that is not ours and whose panic nobody could be told about. It
// must not end the program.
func shielded(call func()) {
	defer func() { _ = recover() }()
	call()
}

// close waits for all of them until the context ends, and then abandons the rest.
func (b *background) close(ctx context.Context) {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		b.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	b.abandon()
	await(ended, 2*patience)
}

// await waits for a channel to be closed, but not for ever.
func await(done <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
