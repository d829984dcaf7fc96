package assent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// callOut calls a function of the program. It may panic, end its goroutine, or ignore the
// end of its context: then it is left behind.
func callOut[T any](ctx context.Context, r *running, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	r.begin()
	go func() {
		defer r.end()
		if ctx.Err() != nil { // nobody wants it any more, or waits for its end
			return
		}
		o := outcome{err: errors.New("it has ended without an answer")} // as a test does that calls Fatal
		defer func() {
			if fault := recover(); fault != nil {
				o = outcome{err: fmt.Errorf("it panicked: %v", fault)}
			}
			done <- o
		}()
		o.value, o.err = f()
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// patience is how long somebody waits for functions whose context has ended.
const patience = 500 * time.Millisecond

// running counts functions of the program that run, so that none of them is surprised by
// the end of the loop: what they share with it is no longer theirs alone then.
type running struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when the last of them ends; nil if nobody waits
}

func (r *running) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
}

func (r *running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count--; r.count == 0 && r.idle != nil {
		close(r.idle)
		r.idle = nil
	}
}

// wait waits until none runs, but not long.
func (r *running) wait() {
	r.mu.Lock()
	if r.count == 0 {
		r.mu.Unlock()
		return
	}
	if r.idle == nil {
		r.idle = make(chan struct{})
	}
	idle := r.idle
	r.mu.Unlock()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-idle:
	case <-limit.C:
	}
}
