package inbox

import (
	"net/http"
	"time"
)

// standingRuleView is a rule that somebody has added with a yes to a call, and that outlives it.
type standingRuleView struct {
	Ticket string `json:"ticket"`
	// Cwd is where the agent worked that wanted the call.
	Cwd string    `json:"cwd"`
	At  time.Time `json:"at"`
	// Text is what the history of the call says of it.
	Text string `json:"text"`
}

// curbed is a person after a change that has taken a right from him or has ended his sign-ins. What was
// said in his name counts for nothing any more, but rules that came with it stay, and nobody but a
// person removes them: whoever has made the change is told of them, also when he makes it again.
func (s *Server) curbed(r *http.Request, name, what string) (memberView, error) {
	v, err := s.changed(r, name, what)
	if err != nil {
		return v, err
	}
	rules, more, err := s.Tickets.LastRulesBy(r.Context(), name)
	v.StandingRules, v.MoreRules = standingViews(rules), more
	return v, err
}
