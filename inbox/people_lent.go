package inbox

import (
	"net/http"
	"time"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

// What a person lends to others: the right to answer in his place, and to programs a token.

type deputyView struct {
	Number  int64     `json:"number"`
	From    string    `json:"from"`
	To      string    `json:"to"`
	Until   time.Time `json:"until"`
	Reason  string    `json:"reason"`
	By      string    `json:"by"`
	Created time.Time `json:"created"`
	// Dormant is why the deputy may not answer at the moment.
	Dormant string `json:"dormant,omitempty"`
}

func deputyOf(d people.Deputy) deputyView {
	return deputyView{d.Number, d.From, d.To, d.Until, policy.WellFormed(d.Reason), d.By, d.Created, d.Dormant}
}

type deputiesView struct {
	Deputies []deputyView `json:"deputies"`
}

// deputies are those of and for the one who asks; all of them for an admin.
func (s *Server) deputies(r *http.Request) (any, error) {
	if err := s.needsPeople(); err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	all, err := s.People.Deputies(r.Context(), s.now())
	view := deputiesView{Deputies: []deputyView{}}
	for _, d := range all {
		if v.role.Manage() || d.From == v.name || d.To == v.name {
			view.Deputies = append(view.Deputies, deputyOf(d))
		}
	}
	return view, err
}

// delegate makes somebody a deputy.
func (s *Server) delegate(r *http.Request) (any, error) {
	var body struct {
		From   string    `json:"from"`
		To     string    `json:"to"`
		Until  time.Time `json:"until"`
		Reason string    `json:"reason,omitempty"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	d, err := s.People.Delegate(r.Context(), visitorIn(r.Context()).by(), body.From, body.To, body.Until, body.Reason)
	if err != nil {
		return nil, err
	}
	s.Log.Info("a deputy was made", "of", d.From, "to", d.To, "until", d.Until, "by", d.By)
	return deputyOf(d), nil
}

// undelegate ends that somebody is a deputy.
func (s *Server) undelegate(r *http.Request) (any, error) {
	if err := s.readAboutPeople(r, &struct{}{}); err != nil {
		return nil, err
	}
	number, err := numberOf(r)
	if err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	if err := s.People.RevokeDeputy(r.Context(), v.by(), number); err != nil {
		return nil, err
	}
	s.Log.Info("a deputy was revoked", "number", number, "by", v.name)
	return done{true}, nil
}

// tokenView is the token of a program. The token itself is there once, when it is made.
type tokenView struct {
	Number  int64     `json:"number"`
	Name    string    `json:"name"`
	Label   string    `json:"label"`
	Role    string    `json:"role"`
	Created time.Time `json:"created"`
	Until   time.Time `json:"until"`
	Token   string    `json:"token,omitempty"`
}

func tokenOf(in people.SignedIn, token string) tokenView {
	return tokenView{in.Number, in.Name, policy.WellFormed(in.Label), in.Role.String(), in.Created, in.Until, token}
}

type tokensView struct {
	Tokens []tokenView `json:"tokens"`
}

// tokens are those of the programs of a person: the one who asks, or anybody for an admin.
func (s *Server) tokens(r *http.Request) (any, error) {
	given, err := values(r, "name")
	if err != nil {
		return nil, err
	}
	if err := s.needsPeople(); err != nil {
		return nil, err
	}
	name, err := visitorIn(r.Context()).or(given["name"])
	if err != nil {
		return nil, err
	}
	all, err := s.People.Tokens(r.Context(), name)
	view := tokensView{Tokens: []tokenView{}}
	for _, in := range all {
		view.Tokens = append(view.Tokens, tokenOf(in, ""))
	}
	return view, err
}

// or is the person that somebody means: himself if he names nobody. Only admins mean others.
func (v *visitor) or(name string) (string, error) {
	switch {
	case name == "" || name == v.name:
		return v.name, nil
	case v.role.Manage():
		return name, nil
	}
	return "", forbidden(http.StatusForbidden, "the tokens of others are for admins")
}

// issue makes a token for a program.
func (s *Server) issue(r *http.Request) (any, error) {
	var body struct {
		Name  string    `json:"name,omitempty"`
		Label string    `json:"label"`
		Role  string    `json:"role"`
		Until time.Time `json:"until"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	name, err := v.or(body.Name)
	if err != nil {
		return nil, err
	}
	role, err := people.ParseRole(body.Role)
	if err != nil {
		return nil, err
	}
	token, in, err := s.People.Issue(r.Context(), v.by(), name, body.Label, role, body.Until)
	if err != nil {
		return nil, err
	}
	s.Log.Info("a token was issued", "of", name, "number", in.Number, "by", v.name)
	return tokenOf(in, token), nil
}

// revoke ends the token of a program.
func (s *Server) revoke(r *http.Request) (any, error) {
	var body struct {
		Name string `json:"name,omitempty"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	number, err := numberOf(r)
	if err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	name, err := v.or(body.Name)
	if err != nil {
		return nil, err
	}
	if err := s.People.RevokeToken(r.Context(), v.by(), name, number); err != nil {
		return nil, err
	}
	s.Log.Info("a token was revoked", "of", name, "number", number, "by", v.name)
	s.sendAwayEnded(r.Context())
	return done{true}, nil
}
