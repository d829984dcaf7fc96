package inbox

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/policy"
)

// signInAt is where people sign in. Everybody may ask there: nobody has a token before.
const signInAt = "/api/v1/sign-in"

// waysIn is how one gets in.
type waysIn struct {
	// People: everybody signs in. Otherwise the link of the server is what lets people in.
	People bool `json:"people"`
	// OIDC is another server that knows people; nil when none does.
	OIDC *otherServer `json:"oidc"`
}

type otherServer struct {
	Name string `json:"name"`
}

// waysIn says how one gets in.
func (s *Server) waysIn(*http.Request) (any, error) {
	v := waysIn{People: s.People != nil}
	if s.OIDC != nil && s.People != nil {
		v.OIDC = &otherServer{s.OIDCName}
	}
	return v, nil
}

// signInView is what somebody gets who has signed in. The token is shown this once.
type signInView struct {
	Token string    `json:"token"`
	Name  string    `json:"name"`
	Shown string    `json:"shown"`
	Role  string    `json:"role"`
	Until time.Time `json:"until"`
}

// signIn lets somebody in who knows his password. What was sent is in no log: a name can be
// a password that stands in the wrong field.
func (s *Server) signIn(r *http.Request) (any, error) {
	var body struct {
		Name     string `json:"name"`
		Password string `json:"password"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	token, p, err := s.People.SignIn(r.Context(), body.Name, body.Password, origin(r))
	if err != nil {
		s.noteFailure(r, err)
		return nil, err
	}
	_, in, err := s.People.Who(r.Context(), token)
	if err != nil {
		return nil, err
	}
	s.Log.Info("signed in", "who", p.Name, "from", from(r))
	return signInView{Token: token, Name: p.Name, Shown: policy.WellFormed(p.Shown), Role: in.Role.String(), Until: in.Until}, nil
}

// origin is where a request comes from, for counting wrong passwords. Every proxy adds the
// address that it sees at the end of the header, so the last one is what the nearest says; those
// before are what the sender says.
func origin(r *http.Request) string {
	all := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	return people.Behind(r.RemoteAddr, all[strings.LastIndex(all, ",")+1:])
}

// noteFailure tells the log of somebody who tries passwords.
func (s *Server) noteFailure(r *http.Request, err error) {
	_, wrong := errors.AsType[*people.WrongSignIn](err)
	_, throttled := errors.AsType[*people.Throttled](err)
	if wrong || throttled {
		s.noteStranger(r, faultOf(err))
	}
}

// done is the answer to what has no other.
type done struct {
	OK bool `json:"ok"`
}

// signOut ends the sign-in with which the request comes.
func (s *Server) signOut(r *http.Request) (any, error) {
	if err := s.readAboutPeople(r, &struct{}{}); err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	if err := s.People.SignOut(r.Context(), v.token); err != nil {
		return nil, err
	}
	s.events.sendAwayBy(v.token)
	s.Log.Info("signed out", "who", v.name)
	return done{true}, nil
}

// passwordView is the answer to a new password of one's own. Somebody else may have had the old one, and
// have added rules by it.
type passwordView struct {
	done
	stayingRules
}

// ownPassword gives the one who asks a new password. He says the old one as well: who has
// found a page open must not be able to take it over for good.
func (s *Server) ownPassword(r *http.Request) (any, error) {
	var body struct {
		Old      string `json:"old"`
		Password string `json:"password"`
	}
	if err := s.readAboutPeople(r, &body); err != nil {
		return nil, err
	}
	v := visitorIn(r.Context())
	if v.in.Kind != people.PersonSignIn {
		return nil, forbidden(http.StatusForbidden, "a program does not change passwords (sign in as the person)")
	}
	if err := people.CheckPassword(v.name, body.Password); err != nil {
		return nil, err
	}
	if _, _, err := s.People.SignIn(r.Context(), v.name, body.Old, origin(r)); err != nil {
		s.noteFailure(r, err)
		if _, wrong := errors.AsType[*people.WrongSignIn](err); wrong { // he is signed in all the same
			return nil, forbidden(http.StatusForbidden, "the old password is wrong (an admin can set a new one)")
		}
		return nil, err
	}
	if err := s.People.SetPassword(r.Context(), v.by(), v.name, body.Password); err != nil {
		return nil, err
	}
	s.Log.Info("a password was set", "of", v.name, "by", v.name)
	rules, err := s.staying(r.Context(), v.name)
	return passwordView{done{true}, rules}, err
}

// readAboutPeople reads the body of a request that needs people, and refuses it where there
// are none.
func (s *Server) readAboutPeople(r *http.Request, into any) error {
	if err := read(r, into); err != nil {
		return err
	}
	return s.needsPeople()
}

func (s *Server) needsPeople() error {
	if s.People != nil {
		return nil
	}
	return &Fault{Status: http.StatusNotFound, Code: NotFound, Message: "this server knows no people: whoever has its link answers (add people with `assent people add`, and start it again)"}
}

// peopleFault is an error of the people as it is told; nil when it is another one.
func peopleFault(err error) *Fault {
	if e, ok := errors.AsType[*people.Throttled](err); ok {
		return &Fault{Status: http.StatusTooManyRequests, Code: Busy, Message: e.Error(), Wait: e.Wait}
	}
	if e, ok := errors.AsType[*people.WrongSignIn](err); ok {
		return unauthorized(e.Error())
	}
	if e, ok := errors.AsType[*people.NotSignedIn](err); ok {
		return unauthorized(e.Error())
	}
	if e, ok := errors.AsType[*people.NotAllowed](err); ok {
		return forbidden(http.StatusForbidden, e.Error())
	}
	if e, ok := errors.AsType[*people.BadValue](err); ok {
		return invalid("%s", policy.WellFormed(e.Error()))
	}
	if e, ok := errors.AsType[*people.Unknown](err); ok {
		return &Fault{Status: http.StatusNotFound, Code: NotFound, Message: policy.WellFormed(e.Error())}
	}
	if e, ok := errors.AsType[*people.Gone](err); ok {
		return &Fault{Status: http.StatusNotFound, Code: NotFound, Message: e.Error()}
	}
	if e, ok := errors.AsType[*people.Taken](err); ok {
		return conflict(Changed, e)
	}
	if e, ok := errors.AsType[*people.LastAdmin](err); ok {
		return conflict(Changed, e)
	}
	return nil
}
