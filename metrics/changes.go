package metrics

import (
	"context"
	"time"

	"github.com/assent-dev/assent/approval"
)

// decision is what became of a call that waited.
type decision string

const (
	approved  decision = "approved"
	denied    decision = "denied"
	expired   decision = "expired"
	takenBack decision = "taken_back"
)

var decisions = []decision{approved, denied, expired, takenBack}

// decided is the decision in a change; false when it is none. What changes no state, such as
// a comment, decides nothing.
func decided(c approval.Change) (decision, bool) {
	answered := c.From == approval.Approved || c.From == approval.Denied
	switch {
	case c.From == c.To:
	case c.To == approval.Approved && c.Answers():
		return approved, true
	case c.To == approval.Denied:
		return denied, true
	case c.To == approval.Expired:
		return expired, true
	case c.To == approval.Pending && answered:
		return takenBack, true
	}
	return "", false
}

// Follow counts what happens to tickets from now on, whoever does it, until the context ends.
// While the database is away nothing is counted; what happened meanwhile is, when it is back. It
// goes on after the highest number that it has seen: on PostgreSQL a change with a lower one whose
// transaction took longer is left out if the database goes away just then. Going on after
// [approval.Change.Resume] would count others twice.
func (m *Metrics) Follow(ctx context.Context) {
	for ctx.Err() == nil {
		if after, err := m.tickets.Latest(ctx); err == nil {
			m.followFrom(ctx, after)
		}
		rest(ctx)
	}
}

// followFrom counts what happens after a change.
func (m *Metrics) followFrom(ctx context.Context, after int64) {
	for ctx.Err() == nil {
		_ = m.tickets.Follow(ctx, after, nil, func(list []approval.Change) { // whoever asks sees that the database is away
			for _, c := range list {
				m.count(ctx, c)
				after = max(after, c.Serial)
			}
		})
		rest(ctx)
	}
}

// rest lets a moment pass before the database is asked again.
func rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

// count counts one change.
func (m *Metrics) count(ctx context.Context, c approval.Change) {
	if c.To == approval.Unknown && c.From != c.To {
		m.unknowns.Inc()
	}
	d, isAnswer := decided(c)
	if isAnswer {
		m.answers.Inc(string(d))
	}
	byPerson := isAnswer && c.From == approval.Pending && (d == approved || d == denied)
	begun := c.From == approval.Approved && (c.To == approval.Running || c.To == approval.Handed)
	if !byPerson && !begun {
		return
	}
	t, err := m.tickets.Find(ctx, c.Ticket)
	switch {
	case err != nil || begun && t.Answer == nil:
		m.unheardOf.Inc()
	case byPerson:
		m.waited.Observe(seconds(t.Created, c.At))
	default:
		held := t.Answer.At
		if t.Answer.Settles.After(held) { // nobody may begin before
			held = t.Answer.Settles
		}
		m.started.Observe(seconds(held, c.At))
	}
}

// seconds is the time between two moments, which may be those of two clocks.
func seconds(from, to time.Time) float64 { return max(0, to.Sub(from).Seconds()) }
