package inbox

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

// memberView is a person as admins see him.
type memberView struct {
	Name  string `json:"name"`
	Shown string `json:"shown"`
	Email string `json:"email"`
	Role  string `json:"role"`
	// Disabled: he may do nothing, also because the server that knows him does not stand up for
	// him any more. An admin can enable him in both cases.
	Disabled bool `json:"disabled"`
	// Issuer is the other server that knows him; empty when none does.
	Issuer  string    `json:"issuer,omitempty"`
	Created time.Time `json:"created"`
	stayingRules
}

func (s *Server) memberOf(p people.Person) memberView {
	return memberView{Name: p.Name, Shown: policy.WellFormed(p.Shown), Email: policy.WellFormed(p.Email), Role: p.Role.String(), Disabled: !s.People.Active(p), Issuer: policy.WellFormed(p.Issuer), Created: p.Created}
}

type membersView struct {
	People []memberView `json:"people"`
}

// members are all people.
func (s *Server) members(r *http.Request) (any, error) {
	if err := s.needsPeople(); err != nil {
		return nil, err
	}
	all, err := s.People.List(r.Context())
	view := membersView{People: []memberView{}}
	for _, p := range all {
		view.People = append(view.People, s.memberOf(p))
	}
	return view, err
}

// addMember adds a person.
func (s *Server) addMember(r *http.Request) (any, error) {
	var body struct {
		Name     string `json:"name"`
		Shown    string `json:"shown,omitempty"`
		Email    string `json:"email,omitempty"`
		Role     string `json:"role"`
		Password string `json:"password"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	role, err := people.ParseRole(body.Role)
	if err != nil {
		return nil, err
	}
	p := people.Person{Name: body.Name, Shown: body.Shown, Email: body.Email, Role: role}
	if err := s.People.Add(r.Context(), visitorIn(r.Context()).by(), p, body.Password); err != nil {
		return nil, err
	}
	return s.changed(r, p.Name, "a person was added")
}

// changed is a person after a change, which the log is told. Pages of whoever is signed in no
// more end at once.
func (s *Server) changed(r *http.Request, name, what string) (memberView, error) {
	s.Log.Info(what, "of", name, "by", visitorIn(r.Context()).name)
	s.sendAwayEnded(r.Context())
	p, err := s.People.Find(r.Context(), name)
	if err != nil {
		return memberView{}, err
	}
	return s.memberOf(p), nil
}

// change makes a handler of a change of a person that needs no more words; then says how he is after it.
func (s *Server) change(what string, change func(*people.Store, context.Context, people.By, string) error, then func(r *http.Request, name, what string) (memberView, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		if err := s.readAboutPeople(r, &struct{}{}); err != nil {
			return nil, err
		}
		name := r.PathValue("name")
		if err := change(s.People, r.Context(), visitorIn(r.Context()).by(), name); err != nil {
			return nil, err
		}
		return then(r, name, what)
	}
}

// setRole gives a person another role.
func (s *Server) setRole(r *http.Request) (any, error) {
	var body struct {
		Role string `json:"role"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	role, err := people.ParseRole(body.Role)
	if err != nil {
		return nil, err
	}
	name := r.PathValue("name")
	before, err := s.People.Find(r.Context(), name)
	if err != nil {
		return nil, err
	}
	if err := s.People.SetRole(r.Context(), visitorIn(r.Context()).by(), name, role); err != nil {
		return nil, err
	}
	if role > before.Role {
		return s.changed(r, name, "a role was set")
	}
	return s.curbed(r, name, "a role was set")
}

// setPassword gives a person another password.
func (s *Server) setPassword(r *http.Request) (any, error) {
	var body struct {
		Password string `json:"password"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	name := r.PathValue("name")
	if err := s.People.SetPassword(r.Context(), visitorIn(r.Context()).by(), name, body.Password); err != nil {
		return nil, err
	}
	return s.curbed(r, name, "a password was set")
}

// numberOf is the number that a request is about.
func numberOf(r *http.Request) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue("number"), 10, 64)
	if err != nil || n < 1 {
		return 0, nothing()
	}
	return n, nil
}
