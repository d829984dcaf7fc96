package clerk

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
)

// Who answers after the time of a call is told so, also when its session has gone on since.
func TestD6_AnAnswerAfterTheTimeIsToldSo(t *testing.T) {
	moves := func(states ...approval.State) (events []approval.Event) {
		for _, to := range states {
			events = append(events, approval.Event{To: to})
		}
		return events
	}
	comment := approval.Event{To: approval.Expired, Kind: "comment"}
	for name, c := range map[string]struct {
		matter func(*Matter)
		events []approval.Event
		lost   error
		late   bool
	}{
		"its time was over":              {func(*Matter) {}, moves(approval.Pending, approval.Expired, approval.Refused), nil, true},
		"it ran, because nobody said no": {func(m *Matter) { m.Outcome = "allow" }, moves(approval.Pending, approval.Expired, approval.Running, approval.Done), nil, true},
		"a rule denied it":               {func(*Matter) {}, moves(approval.Pending, approval.Refused), nil, false},
		"a comment is no end":            {func(*Matter) {}, append(moves(approval.Pending, approval.Refused), comment), nil, false},
		"it waited again":                {func(*Matter) {}, moves(approval.Pending, approval.Expired, approval.Pending, approval.Refused), nil, false},
		"somebody has answered":          {func(m *Matter) { m.Ticket.Answer = &approval.Answer{By: "ann"} }, moves(approval.Pending, approval.Expired, approval.Refused), nil, false},
		"nobody can say":                 {func(*Matter) {}, nil, errors.New("the disk is gone"), false},
	} {
		t.Run(name, func(t *testing.T) {
			ticket := approval.Ticket{ID: "abc", State: approval.Refused}
			m := Matter{Standing: Over, Ticket: &ticket, Until: time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC), Outcome: "deny"}
			c.matter(&m)
			before := m.Answerable()
			err := Late(m, before, func() ([]approval.Event, error) { return c.events, c.lost })
			if got := errors.Is(err, ErrTimeOver); got != c.late || !c.late && err != before || KindOf(err) != Refused {
				t.Errorf("%v", err)
			}
			if c.late && !strings.Contains(err.Error(), "so "+m.Outcome+" held, and it is refused") {
				t.Errorf("%v", err)
			}
		})
	}
	if err := Late(Matter{Standing: Over, Ticket: &approval.Ticket{}}, nil, nil); err != nil {
		t.Error(err)
	}
}
