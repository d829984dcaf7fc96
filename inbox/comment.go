package inbox

import (
	"net/http"

	"github.com/assent-dev/assent/policy"
)

// comment writes down what somebody says about a call. Who may look may say something.
func (s *Server) comment(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body struct {
		Text string `json:"text"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if err := s.Tickets.Comment(r.Context(), id, visitorIn(r.Context()).name, policy.WellFormed(body.Text)); err != nil {
		return nil, err
	}
	s.poke()
	return s.show(r.Context(), id)
}
