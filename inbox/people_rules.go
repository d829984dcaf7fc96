package inbox

import (
	"context"
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

// stayingRules are the last rules that came with a yes of a person and stay in force unless somebody has
// removed them since; there are MoreRules.
// Only whoever has just taken a right from him is told of them.
type stayingRules struct {
	StandingRules []standingRuleView `json:"standing_rules,omitempty"`
	MoreRules     bool               `json:"more_rules,omitzero"`
}

// curbed is a person after a change that has taken a right from him or has ended his sign-ins. What was
// said in his name counts for nothing any more, but rules that came with it stay, and nobody but a
// person removes them: whoever has made the change is told of them, also when he makes it again.
func (s *Server) curbed(r *http.Request, name, what string) (memberView, error) {
	v, err := s.changed(r, name, what)
	if err != nil {
		return v, err
	}
	v.stayingRules, err = s.staying(r.Context(), name)
	return v, err
}

// staying are the rules that stay of a person.
func (s *Server) staying(ctx context.Context, name string) (stayingRules, error) {
	rules, more, err := s.Tickets.LastRulesBy(ctx, name)
	return stayingRules{standingViews(rules), more}, err
}
