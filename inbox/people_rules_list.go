package inbox

import (
	"math"
	"net/http"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

type rulesView struct {
	Rules []standingRuleView `json:"rules"`
}

// rulesOf are all rules that a person has added with a yes, the last one first. Whoever takes a right
// from him is told of as many as somebody reads.
func (s *Server) rulesOf(r *http.Request) (any, error) {
	if err := s.needsPeople(); err != nil {
		return nil, err
	}
	name := r.PathValue("name")
	if _, err := s.People.Find(r.Context(), name); err != nil {
		return nil, err
	}
	all, err := s.Tickets.RulesBy(r.Context(), name, math.MaxInt)
	return rulesView{Rules: append([]standingRuleView{}, standingViews(all)...)}, err
}

func standingViews(rules []approval.StandingRule) (views []standingRuleView) {
	for _, one := range rules {
		views = append(views, standingRuleView{Ticket: one.Ticket, Cwd: policy.WellFormed(one.Cwd), At: one.At, Text: policy.WellFormed(one.Text)})
	}
	return views
}
