package herald

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	if t == nil || one.moot(*t) {
		return alarm.Done{}
	}
	if now := h.now(); one.old(now) {
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
		targets, err = h.escalate(ctx, *t, one, targets)
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

// moot: what was to be told does not hold any more.
func (t tiding) moot(of approval.Ticket) bool {
	switch t.kind {
	case notify.Waits, notify.Reminds:
		return of.State != approval.Pending
	case notify.Unknown:
		return of.State != approval.Unknown
	case notify.Answered, notify.Expired:
	}
	return false
}

// escalate is who is told that nobody has answered: those whom the terms of the call name,
// whatever they want to hear otherwise. It is on record whom that is, and who is not there.
func (h *Herald) escalate(ctx context.Context, t approval.Ticket, one tiding, all []notify.Target) (targets []notify.Target, err error) {
	steps := escalations(t.Terms)
	if one.step < 0 || one.step >= len(steps) {
		return nil, nil
	}
	var told, missing []string
	for _, name := range steps[one.step].Notify {
		i := slices.IndexFunc(all, func(to notify.Target) bool { return to.Name == name })
		if i < 0 {
			missing = append(missing, name)
			continue
		}
		targets, told = append(targets, all[i]), append(told, name)
	}
	note := fmt.Sprintf("nobody has answered for %s", steps[one.step].After)
	if len(told) > 0 {
		note += ": told " + strings.Join(told, ", ")
	}
	if len(missing) > 0 {
		note += fmt.Sprintf("; the settings of the server have no notification %s", strings.Join(missing, ", "))
		h.Log.Warn("a call names notifications that the settings do not have", "ticket", t.ID, "missing", strings.Join(missing, ", "))
	}
	err = h.Tickets.Escalated(ctx, t.ID, note)
	if _, answered := errors.AsType[*approval.WrongState](err); answered {
		return nil, nil
	}
	return targets, err
}
