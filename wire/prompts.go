package wire

import (
	"context"
	"fmt"
	"slices"
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
}

func (h *Host) enqueue(p Prompt, size int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.prompts.queue) >= maxPrompts || h.prompts.waiting+size > maxWaiting {
		return fmt.Errorf("too many prompts are waiting: at most %d may, or %d MB of them (send the next one after the result of the last)", maxPrompts, maxWaiting>>20)
	}
	p.size = size
	h.prompts.queue = append(h.prompts.queue, p)
	h.prompts.waiting += size
	h.nudge()
	return nil
}

// Next is the next prompt of the host; ok is false when there will be none, or nobody
// wants it worked off any more: ctx has ended. To call it says that the one before is
// done with.
func (h *Host) Next(ctx context.Context) (p Prompt, ok bool) {
	for {
		if ctx.Err() != nil {
			return Prompt{}, false
		}
		p, ok, ended := h.pop()
		if ok || ended {
			return p, ok
		}
		select {
		case <-h.wake:
		case <-ctx.Done():
			return Prompt{}, false
		}
	}
}

func (h *Host) pop() (p Prompt, ok, ended bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	mine := &h.prompts
	mine.working, mine.stop = false, nil
	if len(mine.queue) == 0 || h.fault != nil {
		return Prompt{}, false, h.ended
	}
	p, mine.queue = mine.queue[0], mine.queue[1:]
	mine.waiting -= p.size
	mine.working, mine.doomed = true, p.doomed
	return p, true, false
}

// Work is the context for the prompt that Next has returned last. It ends when the host
// interrupts the work, and has ended already if it did so before the work began: an
// interrupt is never lost between a prompt and its work.
func (h *Host) Work(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.prompts.stop = stop
	if h.prompts.doomed {
		stop()
	}
	return ctx, stop
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
// none is yet. It returns the ids of the prompts behind it that have one; what becomes of
// them is in rest. Work that has not begun ends when it does; work that has, when stop is
// called, so that a host can be answered before it is told how the work ended.
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
		}
	case len(mine.queue) > 0:
		mine.queue[0].doomed = true
		behind = mine.queue[1:]
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
