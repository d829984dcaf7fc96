package alarm

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// outage keeps the log readable while the database does not answer. River says so several times a
// second then, and each part of it in other words. What it says is held until it is known whether
// the database answers: if it does, something else is wrong, and all of it is told.
type outage struct {
	log *slog.Logger
	// ask asks the database anything.
	ask  func(context.Context) error
	wake chan struct{}

	mu sync.Mutex
	// held are the messages about which nothing is known yet.
	held []func()
	now  stand
}

// stand is what is done with messages.
type stand uint8

const (
	asks   stand = iota // they are held until the database was asked
	silent              // the database is away, which was said: they are dropped
	over                // nobody asks any more: they are told
)

const (
	// asksFor is how long the database may take to answer, and asksEvery the time between two
	// questions while it does not.
	asksFor, asksEvery = 5 * time.Second, 2 * time.Second
	// repeats is how often it is said that the database is still away.
	repeats = time.Minute
	// lull is how long after it is back messages may still be about the time before.
	lull = 10 * time.Second
	// mostHeld is how many messages are held at most.
	mostHeld = 100
)

func newOutage(log *slog.Logger, ask func(context.Context) error) *outage {
	return &outage{log: log, ask: ask, wake: make(chan struct{}, 1)}
}

// logger is one for those who complain when the database is away.
func (o *outage) logger() *slog.Logger { return slog.New(grave{o.log.Handler(), o}) }

// hold takes a message.
func (o *outage) hold(tell func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch o.now {
	case asks:
		if len(o.held) < mostHeld {
			o.held = append(o.held, tell)
		}
		select {
		case o.wake <- struct{}{}:
		default: // it will be asked already
		}
	case silent:
	case over:
		tell()
	}
}

// become ends the holding of messages: those that are held are told, unless the database is away.
func (o *outage) become(next stand) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.now != silent && next != silent {
		for _, tell := range o.held {
			tell()
		}
	}
	o.held, o.now = nil, next
}

// watch asks the database whenever somebody complains, until the context ends.
func (o *outage) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			o.become(over)
			return
		case <-o.wake:
		}
		err := o.answer(ctx)
		switch {
		case err == nil:
			o.become(asks)
		case ctx.Err() == nil:
			o.become(silent)
			if !o.last(ctx, err) {
				return
			}
			o.become(asks)
		}
	}
}

// last waits until the database answers again; false when the context has ended before.
func (o *outage) last(ctx context.Context, err error) (back bool) {
	began := time.Now()
	o.log.Error("the database does not answer: bells wait until it does", "err", err)
	for said := began; pause(ctx, asksEvery); {
		if err = o.answer(ctx); err == nil {
			o.log.Info("the database answers again", "after", time.Since(began).Round(time.Second).String())
			return pause(ctx, lull)
		}
		if time.Since(said) >= repeats && ctx.Err() == nil {
			said = said.Add(repeats)
			o.log.Error("the database still does not answer: bells wait until it does", "for", time.Since(began).Round(time.Second).String(), "err", err)
		}
	}
	return false
}

// answer asks the database once.
func (o *outage) answer(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, asksFor)
	defer stop()
	return o.ask(ctx)
}

// pause waits; false when the context has ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// grave lets only those messages through that a person must know. The rest is River's chatter.
type grave struct {
	slog.Handler
	outage *outage
}

// Enabled is part of [slog.Handler].
func (g grave) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && g.Handler.Enabled(ctx, level)
}

// Handle is part of [slog.Handler].
func (g grave) Handle(ctx context.Context, r slog.Record) error {
	r = r.Clone()
	ctx = context.WithoutCancel(ctx)
	g.outage.hold(func() { _ = g.Handler.Handle(ctx, r) }) // nobody is there to hear that the log cannot be written
	return nil
}

// WithAttrs is part of [slog.Handler].
func (g grave) WithAttrs(attrs []slog.Attr) slog.Handler {
	return grave{g.Handler.WithAttrs(attrs), g.outage}
}

// WithGroup is part of [slog.Handler].
func (g grave) WithGroup(name string) slog.Handler {
	return grave{g.Handler.WithGroup(name), g.outage}
}
