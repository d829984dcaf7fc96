package desk

import (
	"context"
	"fmt"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/approval"
)

// settled is the ticket of a call once its answer cannot be taken back any more; nil means
// that it has none. The error is also that of the context.
func (d *Desk) settled(ctx context.Context, c agent.ParkedCall) (*approval.Ticket, *approval.Store, error) {
	const often = 50 * time.Millisecond // it may also be taken back, or another one be given
	for told := false; ; told = true {
		t, store, err := d.ticket(ctx, c)
		if err != nil || t == nil {
			return t, store, err
		}
		until := t.UnsettledUntil(time.Now())
		if until.IsZero() {
			return t, store, nil
		}
		if !told && d.Warn != nil {
			d.Warn(fmt.Sprintf("%s has just said %s to the call %s, which can be taken back until %s: waiting for that", t.Answer.By, t.Answer.Behavior, t.ID, until.Local().Format(time.TimeOnly)))
		}
		if err := pause(ctx, min(time.Until(until), often)); err != nil {
			return nil, nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
