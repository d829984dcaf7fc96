package herald

import (
	"context"
	"slices"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/notify"
)

// spread sets a bell for every target that is to be told about something: those of the settings
// of this server.
func (h *Herald) spread(ctx context.Context, b alarm.Bell) alarm.Outcome {
	one, _, err := readTiding(b.Arg)
	if err != nil {
		h.Log.Error("a bell cannot be understood", "ticket", b.Ticket, "err", err)
		return alarm.Done{}
	}
	t, err := h.find(ctx, b.Ticket)
	if err != nil {
		return alarm.Again{Why: err}
	}
	now := h.now()
	if o := one.notNow(t, now); o != nil {
		return o
	}
	found := one.found
	if one.old(now) {
		if !one.asks() {
			return alarm.Done{}
		}
		one.found = now // who looked then could tell nobody, and nobody was tried yet
	}
	targets, err := h.Telling.Targets()
	if err != nil {
		return alarm.Again{Why: err}
	}
	if one.kind == notify.Reminds {
		targets, err = h.escalate(ctx, *t, one, found, targets)
	} else {
		m := notify.Message{Kind: one.kind, Risk: t.Risk}
		targets = slices.DeleteFunc(slices.Clone(targets), func(to notify.Target) bool { return !to.Takes(m) })
	}
	if err != nil {
		return alarm.Again{Why: err}
	}
	err = h.Tickets.Database().Within(ctx, func(tx *database.Tx) error {
		var bells []alarm.Bell
		for _, to := range targets {
			bells = append(bells, alarm.Bell{Kind: tell, Ticket: t.ID, Arg: one.argFor(to.Name)})
		}
		return h.alarm.Set(ctx, tx, bells...)
	})
	if err != nil {
		return alarm.Again{Why: err}
	}
	return alarm.Done{}
}

// notNow is what becomes of a bell whose news are not to be told now: they do not hold any more, or
// nobody knows yet whether they do; nil when they are to be told. A call with an answer that may be
// taken back waits, as soon as it was.
func (t tiding) notNow(of *approval.Ticket, now time.Time) alarm.Outcome {
	if of == nil {
		return alarm.Done{}
	}
	switch t.kind {
	case notify.Waits, notify.Reminds:
		until := of.UnsettledUntil(now)
		switch {
		case of.State == approval.Pending, !until.IsZero() && now.Sub(t.found) > putOff:
		case !until.IsZero():
			return alarm.Again{After: min(until.Sub(now), putOff)}
		default:
			return alarm.Done{}
		}
	case notify.Unknown:
		if of.State != approval.Unknown {
			return alarm.Done{}
		}
	case notify.Answered, notify.Expired:
	}
	return nil
}
