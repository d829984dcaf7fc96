package model

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// DefaultRetries is how often a request is tried again.
const DefaultRetries = 10

// RetryOptions says how patient [Retry] is. The zero value is good.
type RetryOptions struct {
	// Max is how often a request is tried again; zero means [DefaultRetries], less
	// than zero never.
	Max int
	// First is the wait before the second attempt; zero means half a second. It
	// doubles with each attempt.
	First time.Duration
	// Longest is the longest wait, also where the server asks for a longer one; zero
	// means a minute.
	Longest time.Duration
	// Rand returns a number from 0 up to 1 that spreads the waits; nil means a random
	// one.
	Rand func() float64
}

// Retry returns a provider that tries again what may succeed in a while: see
// [Error.Outlook]. It tells on about each failure with a [RetryEvent] and waits.
//
// An attempt that fails in the middle has already passed on deltas, and the next one
// starts from the beginning, with a message_start of its own. Whoever shows deltas
// drops, at a RetryEvent, what came since the last message_start: nothing of a failed
// attempt is part of the turn that Ask returns.
func Retry(p Provider, o RetryOptions) Provider {
	if o.Max == 0 {
		o.Max = DefaultRetries
	}
	if o.First == 0 {
		o.First = time.Second / 2
	}
	if o.Longest == 0 {
		o.Longest = time.Minute
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	return &retrying{p, o}
}

type retrying struct {
	Provider
	o RetryOptions
}

func (r *retrying) Ask(ctx context.Context, q Request, on func(Event)) (Turn, error) {
	for attempt := 1; ; attempt++ {
		turn, err := r.Provider.Ask(ctx, q, on)
		failure, ok := errors.AsType[*Error](err)
		if !ok || failure.Outlook() == Lasting {
			return turn, err
		}
		if ctx.Err() != nil {
			return Turn{}, ctx.Err() // what failed, failed because of it
		}
		if attempt > r.o.Max {
			return Turn{}, givenUp(failure, attempt)
		}
		delay := r.delay(attempt, failure)
		if on != nil {
			on(RetryEvent{Attempt: attempt, Max: r.o.Max, Delay: delay, Err: failure})
		}
		if err := wait(ctx, delay); err != nil {
			return Turn{}, err
		}
	}
}

// delay is what the server asks for, or else twice as long as before; somewhat less
// or more, so that many clients do not come back at the same moment.
func (r *retrying) delay(attempt int, e *Error) time.Duration {
	if asked := time.Duration(e.RetryAfter) * time.Millisecond; asked > 0 {
		// Never before the moment that the server named, unless that is too far away.
		spread := time.Duration(r.o.Rand() * float64(min(asked, time.Second)) / 4)
		return min(asked+spread, r.o.Longest)
	}
	longest := r.o.Longest / 2
	backoff := r.o.First
	for range attempt - 1 {
		if backoff = backoff * 2; backoff >= longest {
			backoff = longest
			break
		}
	}
	return backoff + time.Duration(r.o.Rand()*float64(backoff)/4)
}

func givenUp(last *Error, attempts int) *Error {
	if attempts == 1 {
		return last
	}
	e := *last
	e.Text = fmt.Sprintf("%s (tried %d times)", last.Text, attempts)
	return &e
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
