package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/assent-dev/assent/approval"
)

// followAlways tells every change after one until the context ends, also when the database was
// away meanwhile: what happened then is told when it is back, and some of what was told before
// may be told again.
func followAlways(ctx context.Context, tickets *approval.Store, after int64, hear func([]approval.Change), log *slog.Logger) error {
	const rest = time.Second
	told := func(list []approval.Change) {
		for _, c := range list {
			after = max(after, c.Resume)
		}
		hear(list)
	}
	for ctx.Err() == nil {
		if err := tickets.Follow(ctx, after, nil, told); err != nil {
			log.Warn("changes are not heard at the moment, and are looked for again", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
	return nil
}
