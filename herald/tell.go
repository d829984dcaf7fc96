package herald

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/assent-dev/assent/alarm"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/notify"
)

// tell tells one target.
func (h *Herald) tell(ctx context.Context, b alarm.Bell) alarm.Outcome {
	one, name, err := readTiding(b.Arg)
	if err != nil || name == "" {
		h.Log.Error("a bell cannot be understood", "ticket", b.Ticket, "arg", b.Arg)
		return alarm.Done{}
	}
	t, err := h.find(ctx, b.Ticket)
	if err != nil {
		return alarm.Again{Why: err}
	}
	if o := one.notNow(t, h.now()); o != nil {
		return o
	}
	targets, err := h.Telling.Targets()
	if err != nil {
		return h.later(ctx, *t, one, name, 0, err.Error())
	}
	i := slices.IndexFunc(targets, func(to notify.Target) bool { return to.Name == name })
	if i < 0 {
		return h.fail(ctx, *t, one, name, "the settings of the server have no such notification any more")
	}
	m, err := h.message(ctx, *t, one, name)
	if err != nil {
		return alarm.Again{Why: err}
	}
	switch o := h.Telling.Send(ctx, targets[i], m); o.Verdict {
	case notify.Sent:
		h.Log.Info("people were told", "ticket", t.ID, "kind", one.kind, "notification", name)
		return alarm.Done{}
	case notify.Partly:
		h.Log.Warn("some people were not told", "ticket", t.ID, "kind", one.kind, "notification", name, "why", o.Text)
		h.note(ctx, *t, fmt.Sprintf("The notification %q was not told to everybody (%s): %s", name, one.kind, o.Text))
		return alarm.Done{}
	case notify.Never:
		return h.fail(ctx, *t, one, name, o.Text)
	case notify.Again:
		return h.later(ctx, *t, one, name, o.Wait, o.Text)
	default:
		return h.later(ctx, *t, one, name, 0, o.Text)
	}
}

// later tries once more, unless that has lasted long enough.
func (h *Herald) later(ctx context.Context, t approval.Ticket, one tiding, name string, after time.Duration, why string) alarm.Outcome {
	if one.old(h.now()) {
		return h.fail(ctx, t, one, name, fmt.Sprintf("it was tried for %s, at last: %s", givesUp, why))
	}
	return alarm.Again{After: after, Why: fmt.Errorf("notification %q: %s", name, why)}
}

// fail gives up, which whoever looks at the call can see.
func (h *Herald) fail(ctx context.Context, t approval.Ticket, one tiding, name, why string) alarm.Outcome {
	h.Log.Error("people were not told", "ticket", t.ID, "kind", one.kind, "notification", name, "why", why)
	h.note(ctx, t, fmt.Sprintf("The notification %q was not told (%s): %s", name, one.kind, why))
	return alarm.Done{}
}

// note writes down what whoever looks at the call is to know of a notification.
func (h *Herald) note(ctx context.Context, t approval.Ticket, text string) {
	err := h.Tickets.Comment(ctx, t.ID, "assent", text)
	if _, gone := errors.AsType[*approval.NoTicket](err); err != nil && !gone {
		h.Log.Warn("that people were not told cannot be written down", "ticket", t.ID, "err", err)
	}
}

// message is what one target is told.
func (h *Herald) message(ctx context.Context, t approval.Ticket, one tiding, target string) (notify.Message, error) {
	input := h.Telling.Input(t)
	m := notify.Message{
		ID: one.id(t.ID), Kind: one.kind, At: one.at, Ticket: t.ID, Risk: t.Risk, Project: filepath.Base(t.Cwd),
		Sentence: h.Telling.Describe(t), Outline: outline(t.Tool, input), Input: input,
	}
	until := one.found.Add(link.Longest)
	if !t.Expires.IsZero() && t.State == approval.Pending {
		m.Expires = t.Expires
		until = earlier(until, t.Expires)
	}
	if h.links == nil || !one.asks() {
		return m, nil
	}
	err := h.Tickets.Database().Within(ctx, func(tx *database.Tx) error {
		text, err := h.links.Make(ctx, tx, t.ID, t.Digest, target, until)
		m.Link = h.Telling.Page + "#/confirm/" + text
		return err
	})
	return m, err
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
