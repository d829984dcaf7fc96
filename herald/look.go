package herald

import (
	"context"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
)

// look looks at a ticket: what is due is done or handed on, and what is not is looked at later.
// Finding a ticket whose time is over has ended it.
func (h *Herald) look(ctx context.Context, b alarm.Bell) alarm.Outcome {
	history, err := h.Tickets.History(ctx, b.Ticket) // before the ticket: no row of it is newer
	if err != nil {
		return alarm.Again{Why: err}
	}
	t, err := h.find(ctx, b.Ticket)
	if err != nil {
		return alarm.Again{Why: err}
	}
	if t == nil {
		return alarm.Done{}
	}
	if err := h.follow(ctx, *t, history); err != nil {
		return alarm.Again{Why: err}
	}
	return h.takeUp(ctx, *t)
}

// follow draws the consequences of what has happened to a ticket, each once. What has happened
// since its history was read has a bell of its own.
func (h *Herald) follow(ctx context.Context, t approval.Ticket, history []approval.Event) error {
	return h.Tickets.Database().Within(ctx, func(tx *database.Tx) error {
		before, err := progressOf(ctx, tx, t.ID)
		if err != nil {
			return err
		}
		p := planFor(t, history, before, h.now())
		var bells []alarm.Bell
		for _, one := range p.tidings {
			bells = append(bells, alarm.Bell{Kind: news, Ticket: t.ID, Arg: one.arg()})
		}
		if !p.next.IsZero() {
			bells = append(bells, alarm.Bell{Kind: look, Ticket: t.ID, At: p.next})
		}
		if err := h.alarm.Set(ctx, tx, bells...); err != nil {
			return err
		}
		if p.progress == before {
			return nil
		}
		return p.save(ctx, tx, t.ID)
	})
}

// For a session that cannot go on here the bell rings again, until a process hears it in which it
// can, less and less often. Those who can look for themselves every few seconds as well, so
// after some time nobody is missed by it.
const (
	longestPause = 5 * time.Minute
	triesFor     = time.Hour
)

// takeUp lets the session of an answered call go on, if nobody has done so yet.
func (h *Herald) takeUp(ctx context.Context, t approval.Ticket) alarm.Outcome {
	now := h.now()
	since, waits := answeredAt(t)
	if !waits || !t.UnsettledUntil(now).IsZero() {
		return alarm.Done{}
	}
	passed := now.Sub(since)
	if h.TakeUp != nil {
		here, err := h.TakeUp(ctx, t)
		if err != nil && passed <= triesFor {
			return alarm.Again{Why: err}
		}
		if err != nil {
			h.Log.Warn("a session does not go on, and no bell rings for it any more", "ticket", t.ID, "err", err)
			return alarm.Done{}
		}
		if here {
			return alarm.Done{}
		}
	}
	if passed > triesFor {
		return alarm.Done{}
	}
	return alarm.Again{After: min(max(passed, h.pause), longestPause)}
}

// answeredAt is since when a session could go on; false when it has, or cannot. What a guard
// holds is fetched by that guard.
func answeredAt(t approval.Ticket) (time.Time, bool) {
	if t.Asker != "" {
		return time.Time{}, false
	}
	switch t.State {
	case approval.Approved, approval.Denied:
		if t.Answer == nil { // nobody can rely on it
			return time.Time{}, false
		}
		return t.Answer.At, true
	case approval.Expired:
		return t.Expires, true
	case approval.Pending, approval.Cancelled, approval.Running, approval.Done, approval.Failed, approval.Handed, approval.Refused, approval.Unknown:
	}
	return time.Time{}, false
}
