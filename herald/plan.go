package herald

import (
	"cmp"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/permission"
)

// plan is what follows from what is known about a ticket.
type plan struct {
	progress
	tidings []tiding
	// next is when to look again; zero when only a change can matter.
	next time.Time
}

// givesUp is for how long it is tried to tell people something, and how old news may be that ask
// nothing of them: who hears it later is only confused.
const givesUp = 24 * time.Hour

// planFor finds out what has happened to a ticket since it was looked at last, and what is to be
// told of it. It depends on nothing but what it is given, so that a second look finds nothing new.
func planFor(t approval.Ticket, history []approval.Event, before progress, now time.Time) plan {
	p := plan{progress: before}
	for i := before.seen; i < len(history); i++ {
		e := history[i]
		if e.Answers() && !replaced(history[i+1:]) {
			if until := t.UnsettledUntil(now); !until.IsZero() {
				p.next = until
				break // it is no news before it holds
			}
			if t.State == approval.Pending && !slices.ContainsFunc(history[i+1:], begins) {
				break // it was taken back after the history was read, for which a bell rings
			}
		}
		p.seen = i + 1
		if begins(e) {
			p.reminded = 0
		}
		if kind, worth := p.worth(t, history, i, now); worth {
			p.tidings = append(p.tidings, tiding{kind: kind, at: e.At, found: now})
		}
	}
	if t.State == approval.Pending {
		p.remind(t, history, now)
		p.earliest(t.Expires)
	}
	return p
}

// worth says whether a row of the history is worth telling, and as what.
func (p *plan) worth(t approval.Ticket, history []approval.Event, i int, now time.Time) (notify.Kind, bool) {
	e, later := history[i], history[i+1:]
	old := now.Sub(e.At) > givesUp
	switch {
	case begins(e): // as long as it holds, however old it is, also if an answer to it does not hold yet
		waits := t.State == approval.Pending || !t.UnsettledUntil(now).IsZero()
		return notify.Waits, waits && !slices.ContainsFunc(later, begins)
	case e.Kind == "" && e.To == approval.Unknown:
		return notify.Unknown, t.State == approval.Unknown && !slices.ContainsFunc(later, func(e approval.Event) bool { return e.Kind == "" && e.To == approval.Unknown })
	case e.Kind == "" && e.To == approval.Expired:
		return notify.Expired, !old
	case e.Answers():
		return notify.Answered, !old && !replaced(later) && !inherited(t)
	}
	return "", false
}

// begins: with this the call begins to wait. An answer that is taken back is none to anybody but
// who gave it; a yes that does not count any more was one to everybody.
func begins(e approval.Event) bool {
	return e.Kind == "" && e.To == approval.Pending && (e.From != approval.Approved && e.From != approval.Denied || e.YesLapsed())
}

// replaced: somebody has said something else after an answer, or has taken it back.
func replaced(later []approval.Event) bool {
	return slices.ContainsFunc(later, func(e approval.Event) bool {
		return e.Answers() || e.Kind == "" && e.To == approval.Pending && !begins(e)
	})
}

// inherited: the answer was given in the session that this one is a fork of, and told there.
func inherited(t approval.Ticket) bool { return t.Answer != nil && t.Answer.From != "" }

// remind adds the escalations whose time has come.
func (p *plan) remind(t approval.Ticket, history []approval.Event, now time.Time) {
	since := t.Created
	if i := lastIndex(history, begins); i > 0 { // a call that did not run after all waits anew
		since = history[i].At
	}
	steps := escalations(t.Terms)
	for ; p.reminded < len(steps); p.reminded++ {
		at := since.Add(steps[p.reminded].After)
		if at.After(now) {
			p.earliest(at)
			return
		}
		p.tidings = append(p.tidings, tiding{kind: notify.Reminds, at: at, found: now, step: p.reminded})
	}
}

// escalations are those of a ticket, the earliest first.
func escalations(t permission.Terms) []permission.Escalation {
	return slices.SortedStableFunc(slices.Values(t.Escalate), func(a, b permission.Escalation) int { return cmp.Compare(a.After, b.After) })
}

func lastIndex(history []approval.Event, is func(approval.Event) bool) int {
	for i := len(history) - 1; i >= 0; i-- {
		if is(history[i]) {
			return i
		}
	}
	return -1
}

// earliest notes a time at which to look, unless that is never.
func (p *plan) earliest(at time.Time) {
	if !at.IsZero() && (p.next.IsZero() || at.Before(p.next)) {
		p.next = at
	}
}
