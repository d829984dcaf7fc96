package wire

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// maxPrompts is how many prompts of a host may wait, and maxWaiting how large they may
// be together. Reading must never wait for the work, because an answer may come behind
// a prompt.
const (
	maxPrompts = 1024
	maxWaiting = 64 << 20
)

// prompts are those of a host: the one in work and those that wait. The lock of the host
// guards them.
type prompts struct {
	queue   []Prompt
	waiting int // bytes of the queue

	// working: Next has handed one out and was not called again. Doomed: the host has
	// interrupted it. Stop ends the work on it, once that has begun.
	working, doomed bool
	stop            context.CancelFunc

	// opening is what comes before all of them. Leaves: calls have waited in the session.
	opening opening
	leaves  bool
}

// dequeue takes the next prompt.
func (p *prompts) dequeue() Prompt {
	next := p.queue[0]
	p.queue = p.queue[1:]
	p.waiting -= next.size
	return next
}

func (h *Host) enqueue(p Prompt, size int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch alone := h.prompts.opening.alone; {
	case p.Kind != GoesOn:
	case !h.prompts.leaves:
		return errEmpty
	case alone: // it is no other work than what was begun without it
		h.prompts.opening.alone = false
		return nil
	}
	h.prompts.opening.alone = false
	if len(h.prompts.queue) >= maxPrompts || h.prompts.waiting+size > maxWaiting {
		return fmt.Errorf("too many prompts are waiting: at most %d may, or %d MB of them (send the next one after the result of the last)", maxPrompts, maxWaiting>>20)
	}
	p.size = size
	h.prompts.queue = append(h.prompts.queue, p)
	h.prompts.waiting += size
	h.nudge()
	return nil
}

// Next is the next prompt of the host, or what the session begins with; ok is false when there will be none, or nobody
// wants it worked off any more: ctx has ended. To call it says that the one before is
// done with.
func (h *Host) Next(ctx context.Context) (p Prompt, ok bool) {
	for {
		if ctx.Err() != nil {
			return Prompt{}, false
		}
		p, ok, ended, wait := h.pop()
		if ok || ended {
			return p, ok
		}
		var begins <-chan time.Time
		if wait > 0 {
			begins = time.After(wait)
		}
		select {
		case <-h.wake:
		case <-begins:
		case <-ctx.Done():
			return Prompt{}, false
		}
	}
}

// pop takes the next piece of work. wait is how long it is until there is one without the host.
func (h *Host) pop() (p Prompt, ok, ended bool, wait time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := &h.prompts
	mine.working, mine.stop = false, nil
	if h.fault != nil {
		return Prompt{}, false, h.ended, 0
	}
	if p, ok, wait := h.open(); ok || wait > 0 {
		return p, ok, false, wait
	}
	if len(mine.queue) == 0 {
		return Prompt{}, false, h.ended, 0
	}
	p = mine.dequeue()
	mine.working, mine.doomed = true, p.doomed
	return p, true, false, 0
}

// Work is the context for the prompt that Next has returned last. It ends when the host
// interrupts the work, and has ended already if it did so before the work began: an
// interrupt is never lost between a prompt and its work.
func (h *Host) Work(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.WithValue(ctx, working{}, true))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.prompts.stop = stop
	if h.prompts.doomed {
		stop()
	}
	return ctx, stop
}

// working marks the context of the work on a prompt.
type working struct{}

// Apart is a context for what does not end with the work on a prompt: questions that are
// asked with it are not withdrawn when that is interrupted.
func Apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, working{}, false)
}

// Waiting is how many prompts wait for their turn.
func (h *Host) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.prompts.queue)
}

// Queued is what becomes of the prompts behind one that is interrupted.
type Queued uint8

// The fates.
const (
	// Kept: they have their turn.
	Kept Queued = iota
	// Dropped: they are not worked off.
	Dropped
)

// Interrupt ends the work on the prompt that is in work, or on the next one that waits if
// none is yet; if none waits either, on what the session begins with. It returns the ids of
// the prompts behind it that have one; what becomes of them is in rest. The questions about
// that work are withdrawn at once. Work that has not begun ends when it does; work that has,
// when stop is called, so that a host can be answered before it is told how the work ended.
func (h *Host) Interrupt(rest Queued) (ids []string, stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := &h.prompts
	behind := mine.queue
	stop = func() {}
	switch {
	case mine.working:
		mine.doomed = true
		if mine.stop != nil {
			stop = mine.stop
			h.withdraw()
		}
	case len(mine.queue) > 0:
		mine.queue[0].doomed = true
		behind = mine.queue[1:]
	case mine.opening.start != 0:
		mine.opening.doomed = true
		h.nudge()
	}
	ids = []string{}
	for _, p := range behind {
		if p.UUID != "" {
			ids = append(ids, p.UUID)
		}
	}
	if rest == Dropped {
		for _, p := range behind {
			mine.waiting -= p.size
		}
		mine.queue = mine.queue[:len(mine.queue)-len(behind)]
	}
	return ids, stop
}

// Withdraw takes back a prompt that waits; it is false when none of that id does.
func (h *Host) Withdraw(uuid string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := &h.prompts
	i := slices.IndexFunc(mine.queue, func(p Prompt) bool { return uuid != "" && p.UUID == uuid })
	if i < 0 {
		return false
	}
	mine.waiting -= mine.queue[i].size
	mine.queue = slices.Delete(slices.Clone(mine.queue), i, i+1)
	return true
}
