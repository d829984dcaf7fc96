package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/assent-dev/assent/tool"
)

// underWay is a call that the server works on.
type underWay struct {
	job  tool.Job
	idle *clock
}

// clock ends what takes too long. A person who is asked something takes the time they
// need: meanwhile it starts anew.
type clock struct {
	server *server
	limit  time.Duration
	end    func()

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

func (s *server) limit(limit time.Duration, end func()) *clock {
	c := &clock{server: s, limit: limit, end: end}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.timer = time.AfterFunc(limit, c.ring)
	return c
}

func (c *clock) ring() {
	if c.server.asking.Load() > 0 {
		c.again()
		return
	}
	c.end()
}

// again lets the clock start anew.
func (c *clock) again() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		c.timer.Reset(c.limit)
	}
}

func (c *clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.timer.Stop()
}

// work is a span in which a server has calls to work on.
type work struct {
	mu    sync.Mutex
	calls int
	life  context.Context
	end   context.CancelFunc
}

// begin notes the begin of a call; what it returns notes its end.
func (w *work) begin() (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls++; w.calls == 1 {
		w.life, w.end = context.WithCancel(context.Background())
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.calls--; w.calls == 0 {
			w.end()
			w.life = nil
		}
	}
}

// now ends with the calls that the server works on; nil without any.
func (w *work) now() context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.life
}
