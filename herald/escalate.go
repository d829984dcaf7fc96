package herald

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/permission"
)

// escalate is who is told that nobody has answered: those whom the terms of the call name,
// whatever they want to hear otherwise. It is on record whom that is, and who is not there. found
// is when somebody has noticed that it was time.
func (h *Herald) escalate(ctx context.Context, t approval.Ticket, one tiding, found time.Time, all []notify.Target) (targets []notify.Target, err error) {
	steps := escalations(t.Terms)
	if one.step < 0 || one.step >= len(steps) {
		return nil, nil
	}
	names := toldBy(steps, one, found)
	if len(names) == 0 {
		return nil, nil
	}
	var told, missing []string
	for _, name := range names {
		i := slices.IndexFunc(all, func(to notify.Target) bool { return to.Name == name })
		if i < 0 {
			missing = append(missing, name)
			continue
		}
		targets, told = append(targets, all[i]), append(told, name)
	}
	after := steps[one.step].After
	note := fmt.Sprintf("nobody has answered for %s", after)
	if len(told) > 0 {
		note += ": told " + strings.Join(told, ", ")
	}
	if len(missing) > 0 {
		note += fmt.Sprintf("; the settings of the server have no notification %s", strings.Join(missing, ", "))
		h.Log.Warn("a call names notifications that the settings do not have", "ticket", t.ID, "missing", strings.Join(missing, ", "))
	}
	// A process that died has perhaps written it down, and told nobody. If the call waits for the
	// second time, the same was said at least so long ago.
	if said, err := h.escalated(ctx, t.ID, note, found.Add(-after/2)); said || err != nil {
		return targets, err
	}
	err = h.Tickets.Escalated(ctx, t.ID, note)
	if wrong, answered := errors.AsType[*approval.WrongState](err); answered {
		now := approval.Ticket{State: wrong.State, Answer: wrong.Answer}
		if now.UnsettledUntil(h.now()).IsZero() {
			return nil, nil
		}
		return targets, nil // who tells them looks whether the answer was taken back
	}
	return targets, err
}

// toldBy are those whom a step names, but for those whom a later one names that was found to be due
// in the same look: nobody is told the same several times at once.
func toldBy(steps []permission.Escalation, one tiding, found time.Time) []string {
	since := one.at.Add(-steps[one.step].After)
	return slices.DeleteFunc(slices.Clone(steps[one.step].Notify), func(name string) bool {
		return slices.ContainsFunc(steps[one.step+1:], func(later permission.Escalation) bool {
			return !since.Add(later.After).After(found) && slices.Contains(later.Notify, name)
		})
	})
}

// escalated: it is on record since a moment that others were told.
func (h *Herald) escalated(ctx context.Context, ticket, note string, since time.Time) (bool, error) {
	history, err := h.Tickets.History(ctx, ticket)
	return slices.ContainsFunc(history, func(e approval.Event) bool {
		return e.Kind == approval.KindEscalated && e.Note == note && e.At.After(since)
	}), err
}
