package inbox

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/policy"
)

// overviewView is for somebody for whom nothing waits.
type overviewView struct {
	// Answered are the calls that people have answered last.
	Answered []item `json:"answered"`
	// Running are the sessions that go on here at the moment.
	Running []runningView `json:"running"`
	// Today is what was decided today; nil when nothing is on record.
	Today *todayView `json:"today"`
}

// runningView is a session that goes on. Its prompt is what anybody may have written.
type runningView struct {
	Session string `json:"session"`
	Cwd     string `json:"cwd"`
	Prompt  string `json:"prompt"`
}

// todayView counts the decisions of today: calls that were allowed, and by how many rules,
// those that were denied, and those that were put to somebody.
type todayView struct {
	Allowed int `json:"allowed"`
	Rules   int `json:"rules"`
	Denied  int `json:"denied"`
	Parked  int `json:"parked"`
}

// overview is what happens while nothing waits.
func (s *Server) overview(r *http.Request) (any, error) {
	v := overviewView{Running: []runningView{}}
	var err error
	if v.Answered, err = s.answeredLately(r.Context()); err != nil {
		return nil, err
	}
	for _, id := range s.crew.AtWork() {
		if sum, ok := s.Sessions.Summary(id); ok {
			v.Running = append(v.Running, runningView{id, policy.WellFormed(sum.Cwd), mask(clip(sum.Prompt))})
		}
	}
	v.Today, err = s.ledger.todays(r.Context())
	return v, err
}

// answeredLately are the newest answers to the newest calls.
func (s *Server) answeredLately(ctx context.Context) ([]item, error) {
	const looked, shown = 50, 5
	rows := newRows()
	page, err := s.Tickets.PastKnowing(ctx, rows.knows, "", "", looked)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(page.Tickets, func(t approval.Ticket) bool { return t.Answer == nil })
	slices.SortStableFunc(list, func(a, b approval.Ticket) int { return b.Answer.At.Compare(a.Answer.At) })
	return rows.items(list[:min(len(list), shown)]), nil
}

// tally counts the decisions of one day.
type tally struct {
	day   string
	count todayView
	rules map[string]struct{}
}

// add counts a decision, if it is of the newest day there is.
func (t *tally) add(e audit.Entry) {
	day := e.Time.Local().Format(time.DateOnly)
	if day < t.day {
		return
	}
	if day > t.day {
		*t = tally{day: day, rules: map[string]struct{}{}}
	}
	switch e.Decision {
	case "allow":
		t.count.Allowed++
		if e.Rule != "" {
			t.rules[e.Rule] = struct{}{}
		}
	case "deny":
		t.count.Denied++
	case "defer":
		t.count.Parked++
	}
}

// on is what was counted on a day.
func (t *tally) on(day time.Time) todayView {
	if t.day != day.Local().Format(time.DateOnly) {
		return todayView{}
	}
	v := t.count
	v.Rules = len(t.rules)
	return v
}
