package inbox

import (
	"errors"
	"net/http"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

// send lets an answer hold that could still be taken back: whoever gave it is sure. The rule that came with
// it is added.
func (s *Server) send(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body undoBody
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if body.Digest == "" {
		return nil, noDigest()
	}
	m, err := s.matter(r.Context(), id)
	if err != nil {
		return nil, err
	}
	if body.Digest != m.Digest() {
		return nil, notShown()
	}
	a, v := m.Ticket.Answer, visitorIn(r.Context())
	switch {
	case a == nil:
		return nil, noAnswer()
	case !v.gave(a):
		return nil, forbidden(http.StatusForbidden, "only who has given an answer can send it before its time, and that was "+policy.WellFormed(a.By))
	case body.Until != nil && !a.Settles.IsZero() && !a.Settles.Equal(*body.Until):
		return nil, overtaken(&approval.Overtaken{ID: id})
	}
	sent, err := s.Tickets.SendNow(r.Context(), id, m.Ticket.Said(), v.signature())
	if err != nil {
		return nil, overtaken(err)
	}
	s.Log.Info("sent", "ticket", id, "by", v.signature())
	s.later.sent(sent)
	s.settleRules()
	s.crew.GoOn(sent)
	s.poke()
	return s.show(r.Context(), id)
}

// sent: the answer with which a rule came holds now.
func (l *laterRules) sent(t approval.Ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.all {
		if r.written && r.ticket.ID == t.ID && sameAnswer(r.ticket.Answer, t.Answer) {
			r.ticket = t
		}
	}
}

func noAnswer() *Fault {
	return conflict(Answered, errors.New("nobody has answered this call, or the answer was taken back (look at it again)"))
}
