package hook

import (
	"context"
	"sync"
	"time"
)

// patience is how long the runner waits for a hook that was told to end. A handler
// that keeps its promise needs far less.
const patience = 5 * time.Second

// brief is how long the end of a session waits for a hook that was told to end before: a
// function that ignores its context, or waits for the end of the session itself.
const brief = 500 * time.Millisecond

// background keeps track of the hooks that nobody waits for until the session ends.
type background struct {
	mu      sync.Mutex
	closing bool // the session ends: no hook starts any more
	running int
	ending  chan struct{}   // closed with closing
	idle    chan struct{}   // closed when the session ends and nothing runs any more
	ctx     context.Context // ends when they are abandoned
	abandon context.CancelFunc
}

func newBackground() *background {
	b := &background{ending: make(chan struct{}), idle: make(chan struct{})}
	b.ctx, b.abandon = context.WithCancel(context.Background())
	return b
}

// start runs work in the background; false when the session ends.
func (b *background) start(work func(ctx context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing {
		return false
	}
	b.goOn(work)
	return true
}

// goOn runs work; the lock is held.
func (b *background) goOn(work func(ctx context.Context)) {
	b.running++
	go func() {
		defer b.done()
		work(b.ctx)
	}()
}

func (b *background) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	b.settle()
}

// settle notes that nothing runs any more and nothing will; the lock is held.
func (b *background) settle() {
	if b.closing && b.running == 0 && !isClosed(b.idle) {
		close(b.idle)
	}
}

// adopt takes over a hook that goes on after its reply. Its handler ends it when its
// time is over; ended is told how it ended. While the session ends it has that time as
// well; after the end nobody looks after it any more.
func (b *background) adopt(reply Reply, ended func(end Reply)) {
	if !b.watch(reply, ended) {
		reply.abandon(patience)
		ended(reply.end())
	}
}

// watch looks after a hook that goes on; false after the end of the session.
func (b *background) watch(reply Reply, ended func(end Reply)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if isClosed(b.idle) {
		return false
	}
	b.goOn(func(ctx context.Context) {
		var late <-chan struct{} // never, unless it should have ended already
		if reply.Failure != nil {
			late = b.ending
		}
		select {
		case <-reply.Background:
		case <-late:
			reply.abandon(brief)
		case <-ctx.Done():
			reply.abandon(patience)
		}
		ended(reply.end())
	})
	return true
}

// abandon ends what goes on after a reply, and waits for that, but no longer than limit.
func (reply Reply) abandon(limit time.Duration) {
	if reply.Abandon != nil {
		shielded(reply.Abandon)
	}
	await(reply.Background, limit)
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

// close waits for all of them until the context ends, and then abandons the rest. For
// those that should have ended long ago it waits only briefly.
func (b *background) close(ctx context.Context) {
	b.mu.Lock()
	if !b.closing {
		close(b.ending)
	}
	b.closing = true
	b.settle()
	b.mu.Unlock()
	select {
	case <-b.idle:
	case <-ctx.Done():
	}
	b.abandon()
	await(b.idle, 2*patience)
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
