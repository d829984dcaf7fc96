package inbox

import (
	"slices"

	"github.com/assent-dev/assent/approval"
)

// mostTold is of how many tickets is kept what became of the rules.
const mostTold = 1000

// note keeps what became of a rule.
func (l *laterRules) note(r *laterRule) {
	id := r.ticket.ID
	if l.told == nil {
		l.told = map[string]ruleView{}
	}
	if _, again := l.told[id]; !again {
		l.of = append(l.of, id)
	}
	l.told[id] = r.view
	if len(l.of) > mostTold {
		delete(l.told, l.of[0])
		l.of = slices.Delete(l.of, 0, 1)
	}
}

// answered: there is a new answer to a ticket. What became of the rule of an earlier one
// says nothing about it.
func (l *laterRules) answered(ticket string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, some := l.told[ticket]; some {
		delete(l.told, ticket)
		l.of = slices.DeleteFunc(l.of, func(id string) bool { return id == ticket })
	}
}

// viewOf is what has become of the rule that came with the answer to a ticket; nil when none
// did, or nobody here knows.
func (l *laterRules) viewOf(t *approval.Ticket) *ruleView {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range slices.Backward(l.all) {
		if r.ticket.ID == t.ID && r.written && sameAnswer(r.ticket.Answer, t.Answer) {
			v := r.view
			return &v
		}
	}
	if v, some := l.told[t.ID]; some {
		return &v
	}
	return nil
}

// ruleEvent says what has become of the rule that came with the answer to a ticket.
type ruleEvent struct {
	Ticket string    `json:"ticket"`
	State  ruleState `json:"state"`
}

// announceRule tells whoever follows what has become of a rule.
func (s *Server) announceRule(ticket string, state ruleState) {
	s.events.tell([]frame{{text: event("rule", 0, ruleEvent{ticket, state})}})
}
